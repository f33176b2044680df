/** Reads the equity of all owners from a balance sheet. Pure. */

import { BALANCE_CONCEPTS } from '../concepts/concepts.ts';
import { type FaceFigure, stated, summed } from './figure.ts';
import { among, nameOf, type ShownLine } from './lines.ts';
import { roundingOf } from './tree.ts';

const TOTAL =
  /^total\b(?!.*\b(liabilities|capitalization|paid-in|additional|contributed|preferred|temporary|redeemable|other|stock capital|capital stock)\b).*\b(equity|capital|deficit|deficiency|(shareholders|stockholders)\W* investment)\b/i;

/** Label of the only line of equity in a capitalization, which utilities show. */
const COMMON = /^common (share|stock)?(holders?)?\W*(equity|investment)$/i;

/** @param known Equity by the rules of company facts. */
export function faceEquity(
  lines: readonly ShownLine[],
  known: number | null,
): FaceFigure | undefined {
  const start = lines.findIndex((line) => nameOf(line) === 'Assets');
  const side = lines.slice(start + 1);
  const whole = lines.find((line) => among(BALANCE_CONCEPTS.wholeEquity, line));
  if (whole) return undefined;
  const at = side.findIndex((line) => among(BALANCE_CONCEPTS.parentEquity, line));
  if (at < 0) {
    if (known !== null) return undefined;
    const isTotal = ({ label }: ShownLine) => TOTAL.test(label);
    const isCommon = ({ label }: ShownLine) => COMMON.test(label);
    const total = side.findLast(isTotal) ?? side.find(isCommon);
    const behind = total && side.slice(side.indexOf(total) + 1).find(isMinority);
    return total && (behind ? summed([total, behind]) : stated(total));
  }
  // A note may give another amount for all owners, as after an adjustment.
  if (isLastOf(lines, side[at]) && known !== side[at].value) return stated(side[at]);
  const left = ownersOf(lines, side[at]);
  if (left && left.value !== known) return left;
  const next = side.findIndex((line, i) => i > at && TOTAL.test(line.label));
  const beside = next < 0 ? 0 : side.slice(at, next).reduce((sum, { shown }) => sum + shown, 0);
  if (next > at && Math.abs(beside - side[next].shown) <= roundingOf(side))
    return stated(side[next]);
  if (known !== null && !lines.some(({ value }) => value === known)) {
    const behind = side.slice(at + 1).find((line) => isMinority(line));
    return summed([side[at], ...(behind ? [behind] : [])]);
  }
  // Minorities above the total are part of it, or redeemable and no equity.
  const minority = side.findIndex((line) => among(BALANCE_CONCEPTS.minorityInterest, line));
  return minority >= 0 && minority < at ? stated(side[at]) : undefined;
}

/** Returns equity of the parent and minorities, if it is all that liabilities leave of assets. */
function ownersOf(lines: readonly ShownLine[], parent: ShownLine): FaceFigure | undefined {
  const assets = lines.find((line) => nameOf(line) === 'Assets');
  const liabilities = lines.find((line) => among(BALANCE_CONCEPTS.liabilities, line));
  const minority = lines.find((line) => among(BALANCE_CONCEPTS.minorityInterest, line));
  if (!assets || !liabilities) return undefined;
  const owners = minority ? [parent, minority] : [parent];
  return [owners, [parent]]
    .map((some) => summed(some))
    .find(
      ({ value }) =>
        Math.abs(assets.value - liabilities.value - Number(value)) <= roundingOf(lines),
    );
}

const MINORITY = /\b(non-?controlling|minority|minorities)\b/i;

const isMinority = (line: ShownLine) =>
  (MINORITY.test(line.label) && !/\bliabilities\b/i.test(line.label)) ||
  among(BALANCE_CONCEPTS.minorityInterest, line);

/** True if nothing but the total of the side follows, and no minorities stand on it. */
function isLastOf(lines: readonly ShownLine[], line: ShownLine): boolean {
  return (
    lines
      .slice(lines.indexOf(line) + 1)
      .every((one) => nameOf(one) === 'LiabilitiesAndStockholdersEquity') && !lines.some(isMinority)
  );
}
