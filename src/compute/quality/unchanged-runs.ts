import type { BarColumns } from '../../base/bars.ts';
import { limits } from '../../base/limits/limits.ts';
import type { QualityFlag } from './quality-flag.ts';

/**
 * Flags runs of bars with the same four prices: a feed that repeats its last bar, or a security
 * without trades. Volume does not count, as some feeds fill it with zeros.
 */
export function unchangedRuns({ open, high, low, close }: BarColumns): QualityFlag[] {
  const flags: QualityFlag[] = [];
  let start = 0;
  for (let row = 1; row <= close.length; row++) {
    const isRepeat =
      close[row] === close[start] &&
      open[row] === open[start] &&
      high[row] === high[start] &&
      low[row] === low[start];
    if (isRepeat) continue;
    const value = row - start;
    if (value >= limits.quality.unchangedBarsMin) {
      flags.push({ row: start, flag: 'unchanged-run', value, expected: 1 });
    }
    start = row;
  }
  return flags;
}
