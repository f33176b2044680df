import type { BarColumns } from '../../base/bars.ts';
import type { QualityFlag } from './quality-flag.ts';

/** Prices of liquid shares and funds stay within a factor of three of the day before and after. */
const STRAY_MIN = 3;

/**
 * Flags single bars whose low or high is far from the closes before and after: one wrong trade that
 * does not show in the closes.
 *
 * `priceJumps` handles a price that stays where it went. The newest bar is checked with the next one.
 *
 * @param bars Daily bars, adjusted for all known splits and dividends.
 */
export function strayPrices({ high, low, close }: BarColumns): QualityFlag[] {
  const flags: QualityFlag[] = [];
  for (let row = 1; row < close.length - 1; row++) {
    const before = close[row - 1];
    const after = close[row + 1];
    const fall = Math.min(before, after) / low[row];
    const rise = high[row] / Math.max(before, after);
    if (!(fall > STRAY_MIN || rise > STRAY_MIN)) continue;
    const value = (fall > rise ? low[row] : high[row]) / before;
    flags.push({ row, flag: 'stray-price', value, expected: 1 });
  }
  return flags;
}
