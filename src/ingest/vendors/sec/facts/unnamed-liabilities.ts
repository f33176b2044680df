/**
 * Finds liabilities that a filing has in concepts of its own, which company facts leave out. They
 * may hold borrowings. Pure.
 */

import { DEBT_CONCEPTS } from '../concepts/debt-concepts.ts';
import { DOUBT_CONCEPTS } from '../concepts/doubt-concepts.ts';
import { LIABILITY_CONCEPTS } from '../concepts/liability-concepts.ts';
import { LINE_CONCEPTS } from '../concepts/line-concepts.ts';
import { amountsOf, firstAmount, firstAmounts, type Lines } from '../concepts/lines.ts';
import type { FactFiling } from '../concepts/parse-companyfacts.ts';
import { currentAmount, type KnownDebt } from './debt.ts';

/** Largest share of the debt that liabilities may be which no concept names. */
const UNNAMED_SHARE = 0.01;

const CURRENT_TOTALS = ['us-gaap:LiabilitiesCurrent', 'ifrs-full:CurrentLiabilities'];

const { current, noncurrent, undated } = LIABILITY_CONCEPTS;

const { allCurrent, currentPortion, currentPortionParts, shortTerm, shortTermParts } =
  DEBT_CONCEPTS;
const SHORT_TERM = [...allCurrent, ...shortTerm, ...shortTermParts];
const PORTION = [...allCurrent, ...currentPortion, ...currentPortionParts];

const OTHERS = [...current, ...noncurrent, ...undated].filter(
  (concept) => !LINE_CONCEPTS.includes(concept),
);

const sumOf = (lines: Lines, ...lists: (readonly string[])[]) =>
  amountsOf(lines, lists.flat()).reduce((sum, amount) => sum + Math.abs(amount), 0);

/**
 * Returns the reason why debt from company facts may be a part of it. A borrowing in a concept of
 * the filer is among liabilities that no concept names: those of both dates, since most of it is
 * due later and a part now, or current ones if no short-term borrowing is given.
 *
 * @returns undefined if there is none, or the filing gives no other liabilities than payables and
 *   leases.
 */
export function unnamedReason(
  lines: Lines,
  debt: KnownDebt,
  totalLiabilities: number | null,
  filing: FactFiling,
): string | undefined {
  const { amount } = debt;
  if (!amount || amountsOf(lines, OTHERS).length === 0) return undefined;
  const most = UNNAMED_SHARE * amount;
  const { dueToAffiliates = 0, deposits, repurchases } = firstAmounts(lines, DOUBT_CONCEPTS);
  if (dueToAffiliates > most) return OF_AFFILIATES;
  if (deposits && firstAmount(lines, shortTerm) && repurchases === undefined) return OF_BANK;
  // Without equity of all owners nothing says how much is owed.
  const all = totalLiabilities ?? Number.POSITIVE_INFINITY;
  const due = firstAmount(lines, CURRENT_TOTALS);
  if (due === undefined) {
    return all - amount - sumOf(lines, current, noncurrent, undated) > most ? OF_ALL : undefined;
  }
  const dueDebt = currentAmount(debt.lines);
  if (due - dueDebt - sumOf(lines, current, undated) <= most) return undefined;
  if (unnamedLater(lines, debt, all) > most) return OF_BOTH;
  if (amountsOf(lines, SHORT_TERM).length > 0) return undefined;
  const isPortionAlone = amountsOf(lines, PORTION).length > 0 && isLongTermAlone(filing);
  return isPortionAlone ? undefined : OF_CURRENT;
}

/**
 * Returns the reason why liabilities that are assets less equity may hold redeemable equity: those
 * due later are more than 1 % greater than all that concepts name.
 */
export function redeemableReason(lines: Lines, debt: KnownDebt, rest: number): string | undefined {
  return unnamedLater(lines, debt, rest) > UNNAMED_SHARE * rest ? OF_EQUITY : undefined;
}

/** Returns what no concept names of liabilities that are due later. */
function unnamedLater(lines: Lines, { amount, lines: debts }: KnownDebt, all: number): number {
  const due = firstAmount(lines, CURRENT_TOTALS) ?? Number.NaN;
  const later = all - due - (Number(amount) - currentAmount(debts));
  return later - sumOf(lines, noncurrent, undated);
}

const LONG_TERM = new Set<string>(DOUBT_CONCEPTS.longTermFlows);
const OTHER_FLOWS = new Set<string>(DOUBT_CONCEPTS.otherDebtFlows);

/** Returns true if all debt that a filing takes up or repays is long-term debt. */
function isLongTermAlone({ facts }: FactFiling): boolean {
  const concepts = facts.filter(({ value }) => value !== 0).map(({ concept }) => concept);
  const has = (flows: ReadonlySet<string>) => concepts.some((concept) => flows.has(concept));
  return has(LONG_TERM) && !has(OTHER_FLOWS);
}

const OF_CURRENT =
  'company facts leave out current liabilities, and give no short-term borrowings among them';
const OF_BOTH = 'company facts leave out current and other liabilities, which may hold borrowings';
const OF_ALL = 'company facts leave out liabilities, which may hold borrowings';
const OF_EQUITY = 'company facts leave out what is left of assets, which may be redeemable equity';
const OF_AFFILIATES = 'amounts due to related parties may be loans';
const OF_BANK = 'short-term borrowings of a bank may hold repurchase agreements';
