/** For how many shares of the filings one receipt stands, on the days of a company's figures. Pure. */

import type { Split } from '../../base/bars.ts';
import type { CompanyFigures } from '../../base/companies/figures.ts';
import { newShares } from './company-facts.ts';

export interface AdsRatio {
  day: number;
  /** Null: unknown from the day on. */
  ratio: number | null;
  /** True if the name in a directory says so, or says nothing of a class (null). */
  isNamed?: boolean;
}

/**
 * Returns true if a price may not be that of one share of the filings. A name without a class is that
 * of a receipt in some foreign companies (20-F), as that of Taiwan Semiconductor is.
 */
function isDoubt({ ratio, isNamed }: AdsRatio, isForeign: boolean): boolean {
  return !isNamed || (ratio === null ? isForeign : ratio !== 1);
}

/**
 * Sets the ratio of a receipt; without one, what it would be multiplied with is unknown. Once another
 * one holds, prices are those of another receipt, unless splits make up for it.
 *
 * @param isForeign True if the newest annual report is a Form 20-F.
 * @param day       Day from which on the figures are used.
 */
export function setRatio(
  figures: CompanyFigures,
  ratios: readonly AdsRatio[],
  isForeign: boolean,
  { day, splits }: { day: number; splits: readonly Split[] },
): void {
  // Without a directory, nothing says what the ticker of a foreign company is.
  const isOpen = ratios.length === 0 && isForeign;
  if (!isOpen && !ratios.some((one) => isDoubt(one, isForeign))) return;
  const { sharesDay, filedDay } = figures;
  const days = [sharesDay, filedDay].filter((day) => !Number.isNaN(day));
  const known = days.map((day) => ratios.findLast((one) => one.day <= day)?.ratio);
  const [ratio = null] = known;
  const now = ratios.findLast((one) => one.day <= day)?.ratio ?? Number.NaN;
  const isKept = now === ratio || isNear(now * newShares(splits, days[0], day), ratio);
  if (ratio !== null && known.every((one) => one === ratio) && isKept) {
    figures.adsRatio = ratio;
    return;
  }
  for (const name of ['shares', 'epsDiluted', 'dividends'] as const) figures[name] = Number.NaN;
}

function isNear(a: number, b: number | null): boolean {
  return b !== null && Math.abs(a / b - 1) < 1e-6;
}
