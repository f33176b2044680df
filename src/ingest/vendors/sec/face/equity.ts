/** Reads the equity of all owners from a balance sheet. Pure. */

import { BALANCE_CONCEPTS } from '../concepts/concepts.ts';
import { type FaceFigure, stated } from './figure.ts';
import { among, nameOf, type ShownLine } from './lines.ts';
import { roundingOf } from './tree.ts';

const TOTAL =
  /^total\b(?!.*\b(liabilities|capitalization|paid-in|additional|contributed|preferred|temporary|redeemable|other|stock capital|capital stock)\b).*\b(equity|capital|deficit|deficiency|(shareholders|stockholders)\W* investment)\b/i;

/** @param known Equity by the rules of company facts. */
export function faceEquity(
  lines: readonly ShownLine[],
  known: number | null,
): FaceFigure | undefined {
  const start = lines.findIndex((line) => nameOf(line) === 'Assets');
  const side = lines.slice(start + 1);
  const whole = side.find((line) => among(BALANCE_CONCEPTS.wholeEquity, line));
  if (whole) return undefined;
  const at = side.findIndex((line) => among(BALANCE_CONCEPTS.parentEquity, line));
  if (at < 0) {
    const total = known === null ? side.findLast(({ label }) => TOTAL.test(label)) : undefined;
    return total && stated(total);
  }
  const next = side.findIndex((line, i) => i > at && TOTAL.test(line.label));
  const beside = next < 0 ? 0 : side.slice(at, next).reduce((sum, { shown }) => sum + shown, 0);
  if (next > at && Math.abs(beside - side[next].shown) <= roundingOf(side))
    return stated(side[next]);
  // Minorities above the total are part of it, or redeemable and no equity.
  const minority = side.findIndex((line) => among(BALANCE_CONCEPTS.minorityInterest, line));
  return minority >= 0 && minority < at ? stated(side[at]) : undefined;
}
