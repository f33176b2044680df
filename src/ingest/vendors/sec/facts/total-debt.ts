/** Adds up a company's borrowings, short and long. Operating leases are no borrowing. Pure. */

import type { DEBT_CONCEPTS } from './concepts.ts';

export type DebtFigures = Partial<Record<keyof typeof DEBT_CONCEPTS, number>>;

/**
 * Takes the total if it is given, else the sum of its parts. A part missing from a balance sheet
 * counts as zero if another part is shown.
 *
 * @returns null if no borrowing is shown: the company may have none, or use other concepts.
 */
export function totalDebt(figures: DebtFigures): number | null {
  const { allDebt, noncurrent, longTerm } = figures;
  if (allDebt !== undefined) return allDebt;
  if (noncurrent !== undefined) return noncurrent + (currentDebt(figures) ?? 0);
  if (longTerm === undefined) return currentDebt(figures) ?? null;
  // It includes its current portion, so only other short borrowings are added.
  const { currentPortion = 0 } = figures;
  return longTerm + Math.max(0, (currentDebt(figures) ?? 0) - currentPortion);
}

function currentDebt({ allCurrent, currentPortion, shortTerm }: DebtFigures): number | undefined {
  if (allCurrent !== undefined) return allCurrent;
  if (currentPortion === undefined) return shortTerm;
  if (shortTerm === undefined) return currentPortion;
  // The same amount under both names is one line of the balance sheet, tagged twice.
  const isSame = Math.abs(currentPortion - shortTerm) <= ROUNDING_SHARE * Math.abs(shortTerm);
  return isSame ? shortTerm : currentPortion + shortTerm;
}

/** Largest gap, as a share, between one filing's thousands and another's tenths of a million. */
const ROUNDING_SHARE = 1e-3;
