/**
 * Finds liabilities that a filing has in concepts of its own, which company facts leave out. They
 * may hold borrowings. Pure.
 */

import { DEBT_CONCEPTS } from '../concepts/debt-concepts.ts';
import { LIABILITY_CONCEPTS } from '../concepts/liability-concepts.ts';
import { LINE_CONCEPTS } from '../concepts/line-concepts.ts';
import { amountsOf, type Lines } from '../concepts/lines.ts';

/** Least number of lines of a balance sheet that is given line by line, payables and leases apart. */
const LINES_MIN = 2;

/** Largest share of the debt that unnamed current liabilities may be. */
const CURRENT_SHARE = 0.02;

const CURRENT_TOTALS = ['us-gaap:LiabilitiesCurrent', 'ifrs-full:CurrentLiabilities'];

const { allCurrent, currentPortion, currentPortionParts, shortTerm, shortTermParts } =
  DEBT_CONCEPTS;
const CURRENT_DEBT = [
  ...[...allCurrent, ...currentPortion, ...currentPortionParts],
  ...[...shortTerm, ...shortTermParts],
];

const OTHERS = Object.values(LIABILITY_CONCEPTS)
  .flat<(readonly string[])[]>()
  .filter((concept) => !LINE_CONCEPTS.includes(concept));

const sumOf = (lines: Lines, concepts: readonly string[]) =>
  amountsOf(lines, concepts).reduce((sum, amount) => sum + Math.abs(amount), 0);

/**
 * Returns the reason why debt from company facts may be a part of it. Among current liabilities the
 * borrowings are missing; without a total of these, more is unnamed than is borrowed.
 *
 * @returns undefined if there is none, or the filing gives few of its liabilities.
 */
export function unnamedReason(
  lines: Lines,
  { totalDebt, totalLiabilities }: Readonly<Record<string, number | null>>,
): string | undefined {
  const { current, other } = LIABILITY_CONCEPTS;
  const given = amountsOf(lines, OTHERS);
  if (!totalDebt || given.length < LINES_MIN) return undefined;
  const [due] = amountsOf(lines, CURRENT_TOTALS);
  if (due !== undefined) {
    const isDated = amountsOf(lines, CURRENT_DEBT).length > 0;
    const unnamed = due - sumOf(lines, current);
    return !isDated && unnamed > CURRENT_SHARE * totalDebt ? OF_CURRENT : undefined;
  }
  const unnamed = Number(totalLiabilities) - totalDebt - sumOf(lines, [...current, ...other]);
  return unnamed > totalDebt ? OF_ALL : undefined;
}

const OF_CURRENT =
  'company facts leave out current liabilities, and give none of the borrowings among them';
const OF_ALL = 'company facts leave out more liabilities than the borrowings that they give';
