/** Dividends in the split basis of their own day. */

import type { Dividend, Split } from '../../base/bars.ts';

/** Removes the noise of multiplying; vendors state six decimals at most. */
const DECIMALS = 1e9;

/**
 * Undoes the adjustment of dividends for later splits, as vendors of split-adjusted prices state
 * them: Apple's 0.77 of February 2020 is 0.1925 after the 4:1 split of that August.
 *
 * @param splits All of the symbol from the first dividend on, in any order.
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
