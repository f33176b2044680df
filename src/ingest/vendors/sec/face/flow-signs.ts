/** Signs of a statement of cash flows: filers tag and show payments above zero or below. Pure. */

import type { ShownLine } from './lines.ts';

/** Amounts that are never below zero, and that filers tag with either sign. */
export const UNSIGNED: ReadonlySet<string> = new Set([
  'capitalExpenditure',
  'dividendsPaid',
  'shareRepurchases',
  'debtRepaid',
  'interestPaid',
  'depreciationAmortization',
]);

/** Amounts that are received or added back: below zero they are tagged wrongly, or another thing. */
export const NEVER_BELOW: ReadonlySet<string> = new Set([
  'debtIssued',
  'shareIssuance',
  'stockCompensation',
]);

/** Labels of lines that are what was received less what was paid, in concepts of one of the two. */
const NET_FLOW =
  /\bchanges?\b|\bnet (borrowings?|(re)?payments?)\b|\((re)?payments?\b|^\(.*\) *(proceeds|borrowings?|issuances?)\b|\bincrease\b.*\bdecrease\b|\bdecrease\b.*\bincrease\b|\bnet of (tax |re)?payments?\b/i;

/** Returns true for a line of financing that is less than what was received, or paid. */
export function isNetFlow(field: string, { label, shown }: ShownLine): boolean {
  return NET_FLOW.test(label) || (shown < 0 && NEVER_BELOW.has(field));
}

const INTEREST =
  /^(?!.*\b(received|income|(?<!net of.*)capitali[sz]ed|controlling|minorit\w+|affiliates?|receivable|payable)\b).*\binterest\b/i;
/** Lines before that of taxes among which that of interest is. */
const INTEREST_LINES = 4;

/**
 * Returns the taxes that were paid, below zero if they were refunded. A statement that shows
 * interest below zero shows all payments so.
 */
export function paidTaxes(line: ShownLine, lines: readonly ShownLine[]): number {
  const at = lines.indexOf(line);
  const interest = lines
    .slice(Math.max(0, at - INTEREST_LINES), at)
    .findLast(({ label }) => INTEREST.test(label));
  return interest && interest.shown < 0 ? -line.shown : receivedAmount(line);
}

/** Returns an amount that is shown above zero as such, though it is tagged below. */
export function receivedAmount({ value, shown }: ShownLine): number {
  return value < 0 && shown > 0 ? shown : value;
}
