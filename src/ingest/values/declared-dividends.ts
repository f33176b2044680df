import type { Dividend, Split } from '../../base/bars.ts';

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
