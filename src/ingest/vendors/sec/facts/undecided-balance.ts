/**
 * Leaves figures of a balance sheet open that company facts alone don't decide, because they leave
 * out lines in concepts of the filer. Pure.
 */

import { DOUBT_CONCEPTS } from '../concepts/doubt-concepts.ts';
import { BALANCE_LINES } from '../concepts/line-concepts.ts';
import { amountsOf, firstAmounts, type Lines, statedLine } from '../concepts/lines.ts';
import type { FactFiling } from '../concepts/parse-companyfacts.ts';
import { ROUNDING } from '../concepts/profits.ts';
import { hasMinorityIncome } from './undecided-income.ts';

type Amounts = Readonly<Record<string, number | null>>;

const isSame = (a: number, b: number) => Math.abs(a - b) <= ROUNDING;

const NOT_ALL_EQUITY =
  'the equity may be a part of assets less liabilities, or hold minorities twice';
const NOT_ALL_CASH = 'cash and due from banks is a part of cash and equivalents';
const HELD_FOR_SALE = 'the cash may hold that of businesses held for sale';
const OTHER_STOCKS = 'another line of inventories is more than half of it';

/** Returns the reason of each figure that is left open. */
export function undecidedBalance(
  lines: Lines,
  figures: Amounts,
  filing: FactFiling,
): Readonly<Partial<Record<'totalEquity' | 'cash' | 'inventory', string>>> {
  const cash = figures.cash === null ? undefined : cashDoubt(lines, figures.cash);
  const isOpen = figures.totalEquity !== null && !isEquityDecided(lines, figures, filing);
  const stocks = amountsOf(lines, DOUBT_CONCEPTS.inventories);
  const isPart = stocks.some((amount) => 2 * amount > Number(figures.inventory));
  return {
    ...(cash && { cash }),
    ...(isOpen && { totalEquity: NOT_ALL_EQUITY }),
    ...(isPart && { inventory: OTHER_STOCKS }),
  };
}

/** Equity of all owners counts as it is stated; that of the parent is all where it is what is left. */
function isEquityDecided(lines: Lines, figures: Amounts, filing: FactFiling): boolean {
  const { wholeEquity, parentEquity, liabilities, minorityInterest } = lines;
  if (wholeEquity !== undefined || parentEquity === undefined) return true;
  if (minorityInterest) return false;
  if (liabilities === undefined) return !hasMinorityIncome(filing);
  const rest = Number(figures.totalAssets) - liabilities - Number(figures.temporaryEquity);
  return isSame(rest, parentEquity);
}

const { receivables, inventory, currentAssets, shortTermInvestments } = BALANCE_LINES;

function cashDoubt(lines: Lines, cash: number): string | undefined {
  const { cashOfBank, heldForSale, otherCurrentAssets, derivatives } = firstAmounts(
    lines,
    DOUBT_CONCEPTS,
  );
  if (cashOfBank !== undefined && cashOfBank > cash) return NOT_ALL_CASH;
  const current = statedLine(lines, currentAssets)?.value;
  if (!heldForSale || current === undefined) return undefined;
  const stated = [receivables, inventory, shortTermInvestments].map(
    (rule) => statedLine(lines, rule)?.value,
  );
  const others = [...stated, heldForSale, otherCurrentAssets, derivatives];
  const sum = others.reduce((all: number, amount) => all + (amount ?? 0), cash);
  return sum > current + ROUNDING ? HELD_FOR_SALE : undefined;
}
