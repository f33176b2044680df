import { limits } from '../../base/limits/limits.ts';
import { withoutInfinities } from './gaps.ts';
import { checkColumns, checkPeriod } from './kernel-arguments.ts';
import { isOutlier, meanOfWindow } from './window-mean.ts';

/**
 * Suffix sums of a block, kept so that nothing is allocated; each thread has its own. A constant
 * of this module, because behind a function in another one it costs a fifth of the speed.
 */
const scratch = new Float64Array(limits.indicator.periodMax);

/** Index of the first value. */
export function smaWarmup(period: number): number {
  return period - 1;
}

/**
 * Simple moving average: the mean of the last `period` closes.
 *
 * A close that is not finite makes every window that holds it NaN. Equal closes give exactly
 * that close. Two passes, no allocation; a pass per window where a block starts with an outlier.
 *
 * @param close  Closing prices in quote currency, oldest first; length n.
 * @param period Window in bars; integer, 1 or more.
 * @param out    Receives n values; must not be `close`.
 * @returns `out`; the first `smaWarmup(period)` values are NaN.
 * @throws {ParameterError} `period` is not a positive integer, or lengths differ.
 */
export function sma(close: Float64Array, period: number, out: Float64Array): Float64Array {
  checkPeriod('SMA', 'period', period);
  checkColumns('SMA', close, out);
  const allFinite = averageByBlocks(close, period, out);
  if (!allFinite) averageByBlocks(withoutInfinities(close), period, out);
  return out;
}

/**
 * Cuts the column into blocks of `period`. A window is the end of one block and the beginning of
 * the next, so its sum is a suffix sum plus a prefix sum. Nothing is subtracted again, which is
 * how a running sum loses digits.
 *
 * @returns Whether all closes are finite.
 */
function averageByBlocks(close: Float64Array, period: number, out: Float64Array): boolean {
  const length = close.length;
  const warmup = smaWarmup(period);
  out.fill(Number.NaN, 0, warmup);
  if (length <= warmup) return true;

  const suffixes = period <= scratch.length ? scratch : new Float64Array(period);
  out[warmup] = meanOfWindow(close, warmup, period);
  let allFinite = Number.isFinite(out[warmup]);
  for (let start = period; start < length; start += period) {
    const end = Math.min(start + period, length);
    if (isOutlier(close[start], out[start - 1])) {
      for (let i = start; i < end; i++) out[i] = meanOfWindow(close, i, period);
    } else {
      sumSuffixes(close, start, period, suffixes);
      averageBlock(close, start, end, 1 / period, suffixes, out);
    }
    // The last window that ends in the block holds all of its closes.
    if (!Number.isFinite(out[end - 1])) allFinite = false;
  }
  return allFinite;
}

/**
 * For each row of the block at `start`, what its window sums up in the block before: differences
 * from the first close of this block, which lies in all windows that end here.
 */
function sumSuffixes(
  close: Float64Array,
  start: number,
  period: number,
  suffixes: Float64Array,
): void {
  const pivot = close[start];
  let sum = 0;
  for (let i = start - 1, j = period - 1; j >= 0; i--, j--) {
    suffixes[j] = sum;
    sum += close[i] - pivot;
  }
}

/** The means of the block's rows: the suffix sums and the prefix sums of its own closes. */
function averageBlock(
  close: Float64Array,
  start: number,
  end: number,
  share: number,
  suffixes: Float64Array,
  out: Float64Array,
): void {
  const pivot = close[start];
  let prefix = 0;
  for (let i = start, j = 0; i < end; i++, j++) {
    prefix += close[i] - pivot;
    out[i] = pivot + (prefix + suffixes[j]) * share;
  }
}
