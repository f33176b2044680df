/** What a company has borrowed, short and long; operating leases are no borrowing. Pure. */

import type { DEBT_CONCEPTS } from './concepts.ts';

export type DebtFigures = Partial<Record<keyof typeof DEBT_CONCEPTS, number>>;

/**
 * The total where one is given, else its parts. A part that a balance sheet does not show is
 * nothing where another one is shown.
 *
 * @returns null where no borrowing is shown at all: that may be none, or words of its own.
 */
export function totalDebt(figures: DebtFigures): number | null {
  const { allDebt, noncurrent, longTerm } = figures;
  if (allDebt !== undefined) return allDebt;
  if (noncurrent !== undefined) return noncurrent + (currentDebt(figures) ?? 0);
  if (longTerm === undefined) return currentDebt(figures) ?? null;
  // It has its current portion already: only other short borrowings are added.
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

/** Amounts may be this far apart for one filing's thousands and another's tenths of a million. */
const ROUNDING_SHARE = 1e-3;
