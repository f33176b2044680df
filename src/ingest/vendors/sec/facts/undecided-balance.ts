/**
 * Leaves figures of a balance sheet open that company facts alone don't decide, because they leave
 * out lines in concepts of the filer. Pure.
 */

import { DOUBT_CONCEPTS } from '../concepts/doubt-concepts.ts';
import { BALANCE_LINES } from '../concepts/line-concepts.ts';
import { amountsOf, firstAmounts, type Lines, statedLine } from '../concepts/lines.ts';
import type { FactFiling } from '../concepts/parse-companyfacts.ts';
import { ROUNDING } from '../concepts/profits.ts';
import type { KnownDebt } from './debt.ts';
import { hasMinorityIncome, unnamedEquity } from './undecided-income.ts';
import { redeemableReason } from './unnamed-liabilities.ts';

type Amounts = Readonly<Record<string, number | null>>;

const isSame = (a: number, b: number) => Math.abs(a - b) <= ROUNDING;

const NOT_ALL_EQUITY =
  'the equity may be a part of assets less liabilities, or hold minorities twice';
const NOT_ALL_CASH = 'cash and due from banks is a part of cash and equivalents';
const HELD_FOR_SALE = 'the cash may hold that of businesses held for sale';
const NOT_ALL_PREFERRED =
  'known lines do not add up to the equity, so other preferred shares may be';
const OUTSIDE = 'the minorities may stand outside of equity, or be a part of them';
const OF_ALL_PAYABLES = 'payables of a company without current liabilities may hold others';
const OF_NOTE = 'receivables in this concept may be of a note, and a part of other assets';
const OTHER_STOCKS = 'another line of inventories is more than half of it';

type OpenField =
  | 'totalLiabilities'
  | 'totalEquity'
  | 'cash'
  | 'inventory'
  | 'preferredEquity'
  | 'minorityInterest'
  | 'accountsPayable'
  | 'receivables';

/** Largest gaps by rounding, as shares of the equity and of the minorities. */
const [EQUITY_GAP, OWNERS_GAP] = [0.002, 0.05];

const RECEIVABLES = BALANCE_LINES.receivables;
const PAYABLES = 'us-gaap:AccountsPayableCurrentAndNoncurrent';

/** Returns the reason of each figure that is left open. */
export function undecidedBalance(
  lines: Lines,
  figures: Amounts,
  debt: KnownDebt,
  filing: FactFiling,
): Readonly<Partial<Record<OpenField, string | undefined>>> {
  const cash = figures.cash === null ? undefined : cashDoubt(lines, figures.cash);
  const isOpen = figures.totalEquity !== null && !isEquityDecided(lines, figures, filing);
  const owed = figures.totalLiabilities;
  const isRest = lines.liabilities === undefined && owed !== null;
  // Redeemable equity is that of other owners, and often the only line in a concept of the filer.
  const isShared = Boolean(lines.minorityInterest) || hasMinorityIncome(filing);
  const isUnnamed = isRest && isShared && figures.temporaryEquity === null;
  const redeemable = isUnnamed ? redeemableReason(lines, debt, owed) : undefined;
  const stocks = amountsOf(lines, DOUBT_CONCEPTS.inventories);
  const isPart = stocks.some((amount) => 2 * amount > Number(figures.inventory));
  const { wholeEquity, parentEquity, minorityInterest } = lines;
  const rest = (wholeEquity ?? Number.NaN) - (parentEquity ?? Number.NaN);
  // Equity of the parent may leave out preferred shares, which that of all owners holds.
  const preferred = Number(figures.preferredEquity);
  const minorities = minorityInterest ?? rest;
  const most = Math.max(ROUNDING, OWNERS_GAP * Math.abs(minorities));
  const isOther = [0, preferred].every((part) => Math.abs(rest - minorities - part) > most);
  const gap = unnamedEquity(lines, parentEquity);
  const isOutside = wholeEquity === undefined && preferred !== 0 && isSame(gap, -preferred);
  const isGap = isOutside || gap > EQUITY_GAP * Math.abs(parentEquity!);
  const isOfAll =
    figures.accountsPayable === lines[PAYABLES] && figures.currentLiabilities === null;
  return {
    cash,
    totalEquity: isOpen ? NOT_ALL_EQUITY : undefined,
    totalLiabilities: isRest && isOpen ? NOT_ALL_EQUITY : redeemable,
    inventory: isPart ? OTHER_STOCKS : undefined,
    preferredEquity: isGap ? NOT_ALL_PREFERRED : undefined,
    minorityInterest: isOther || isOpen ? OUTSIDE : undefined,
    accountsPayable: isOfAll ? OF_ALL_PAYABLES : undefined,
    receivables:
      statedLine(lines, RECEIVABLES)?.basis === RECEIVABLES.lines[0] ? OF_NOTE : undefined,
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
