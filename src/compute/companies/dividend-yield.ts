import type { SymbolFacts } from '../../../src/store/arrow/snapshot/symbol-directory.ts';

const YEAR_DAYS = 365;

/**
 * Returns the dividends of the year up to a day, on that day's split basis, as a fraction of its
 * price.
 *
 * @returns null unless all actions of that year are known; 0 if there was no dividend.
 */
export function dividendYield(
  { splits, dividends, actionCoverage }: SymbolFacts,
  day: number,
  price: number,
): number | null {
  const fromDay = day - YEAR_DAYS + 1;
  if (!actionCoverage || actionCoverage.fromDay > fromDay || actionCoverage.toDay < day) {
    return null;
  }
  if (price <= 0) return null;
  let sum = 0;
  for (const { exDay, amount } of dividends) {
    if (exDay < fromDay || exDay > day) continue;
    let onBasis = amount;
    for (const split of splits) {
      const isBetween = split.exDay > exDay && split.exDay <= day;
      if (isBetween) onBasis = (onBasis * split.denominator) / split.numerator;
    }
    sum += onBasis;
  }
  return sum / price;
}
