/** For how many shares of the filings one receipt stands, on the days of a company's figures. Pure. */

import type { CompanyFigures } from '../../base/companies/figures.ts';

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
 * Sets the ratio of a receipt; without one, what it would be multiplied with is unknown.
 *
 * @param isForeign True if the newest annual report is a Form 20-F.
 */
export function setRatio(
  figures: CompanyFigures,
  ratios: readonly AdsRatio[],
  isForeign: boolean,
): void {
  // Without a directory, nothing says what the ticker of a foreign company is.
  const isOpen = ratios.length === 0 && isForeign;
  if (!isOpen && !ratios.some((one) => isDoubt(one, isForeign))) return;
  const { sharesDay, filedDay } = figures;
  const days = [sharesDay, filedDay].filter((day) => !Number.isNaN(day));
  const known = days.map((day) => ratios.findLast((one) => one.day <= day)?.ratio);
  const [ratio = null] = known;
  if (ratio !== null && known.every((one) => one === ratio)) {
    figures.adsRatio = ratio;
    return;
  }
  for (const name of ['shares', 'epsDiluted', 'dividends'] as const) figures[name] = Number.NaN;
}
