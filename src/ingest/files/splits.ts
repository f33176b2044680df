import type { Dividend, Split } from '../../base/bars.ts';

/** Relative error of a ratio. Vendors write a third as 0.333333 and a seventh as 0.142857. */
const TOLERANCE = 2e-6;

/** Finds the simplest whole numbers of new and old shares near `ratio`, by continued fraction. */
export function splitFromRatio(ratio: number): { numerator: number; denominator: number } {
  let [numerator, previousNumerator] = [1, 0];
  let [denominator, previousDenominator] = [0, 1];
  let rest = ratio;
  for (;;) {
    const whole = Math.floor(rest);
    [numerator, previousNumerator] = [whole * numerator + previousNumerator, numerator];
    [denominator, previousDenominator] = [whole * denominator + previousDenominator, denominator];
    if (Math.abs(numerator / denominator - ratio) <= ratio * TOLERANCE) break;
    rest = 1 / (rest - whole);
  }
  return { numerator, denominator };
}

/** Rounds away the noise of multiplication. Vendors state six decimals at most. */
const DECIMALS = 1e9;

/**
 * Undoes the adjustment of dividends for later splits, which vendors of split-adjusted prices
 * make: Apple's 0.77 of February 2020 is 0.1925 after the 4:1 split in August.
 */
export function declaredDividends(
  dividends: readonly Dividend[],
  splits: readonly Split[],
): Dividend[] {
  return dividends.map(({ exDay, amount, ...rest }) => {
    const declared = splits
      .filter((split) => split.exDay > exDay)
      .reduce((sum, { numerator, denominator }) => (sum * numerator) / denominator, amount);
    return { exDay, amount: Math.round(declared * DECIMALS) / DECIMALS, ...rest };
  });
}
