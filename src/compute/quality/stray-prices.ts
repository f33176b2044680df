import type { BarColumns } from '../../base/bars.ts';
import type { QualityFlag } from './quality-flag.ts';

/** Prices of liquid shares and funds stay within a factor of three of the day before and after. */
const STRAY_MIN = 3;

/**
 * Single bars whose low or high is far off the closes before and after: one wrong trade, which
 * leaves no mark in the closes.
 *
 * A price that stays where it went is left to `priceJumps`, and the newest bar waits for the next.
 *
 * @param bars Daily bars, with everything that is known of splits and dividends adjusted for.
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
