/** Dividends in the split basis of their own day. */

import type { Dividend, Split } from '../../base/bars.ts';

/** Rounds away the noise of multiplication. Vendors state six decimals at most. */
const DECIMALS = 1e9;

/**
 * Undoes the adjustment of dividends for later splits. Vendors of split-adjusted prices state
 * adjusted dividends: Apple's 0.77 of February 2020 is 0.1925 after the 4:1 split in August.
 *
 * @param splits All splits of the symbol from the first dividend on, in any order.
 */
export function declaredDividends(
  dividends: readonly Dividend[],
  splits: readonly Split[],
): Dividend[] {
  return dividends.map(({ exDay, amount }) => {
    const declared = splits
      .filter((split) => split.exDay > exDay)
      .reduce((sum, { numerator, denominator }) => (sum * numerator) / denominator, amount);
    return { exDay, amount: Math.round(declared * DECIMALS) / DECIMALS };
  });
}
