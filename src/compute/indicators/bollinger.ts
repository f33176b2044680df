import { ParameterError } from '../../base/errors.ts';
import { limits } from '../../base/limits/limits.ts';
import { withoutInfinities } from './gaps.ts';
import { checkColumns, checkPeriod } from './kernel-arguments.ts';
import { isOutlier, meanOfWindow } from './window-mean.ts';

/** Suffix sums of a block: of differences, and of their squares. */
interface Suffixes {
  sums: Float64Array;
  squares: Float64Array;
}

const suffixesOf = (period: number): Suffixes => ({
  sums: new Float64Array(period),
  squares: new Float64Array(period),
});

/** Kept as in `sma`. */
const scratch = suffixesOf(limits.indicator.periodMax);

export interface BollingerColumns {
  upper: Float64Array;
  /** The simple moving average, bit for bit. */
  middle: Float64Array;
  lower: Float64Array;
}

/** Index of the first value. */
export function bollingerWarmup(period: number): number {
  return period - 1;
}

/**
 * Bollinger bands: SMA(period) ± k population standard deviations of the same closes.
 *
 * A close that is not finite makes every window that holds it NaN. Equal closes give three equal
 * bands. Always lower ≤ middle ≤ upper. Costs as `sma`.
 *
 * @param close  Closing prices in quote currency, oldest first; length n.
 * @param period Window in bars; integer, 1 or more.
 * @param k      Width of a band in standard deviations; more than 0.
 * @param out    Three columns that receive n values each; none may be `close`.
 * @returns `out`; the first `bollingerWarmup(period)` values are NaN.
 * @throws {ParameterError} `period` is not a positive integer, `k` not positive, or lengths differ.
 */
export function bollinger(
  close: Float64Array,
  period: number,
  k: number,
  out: BollingerColumns,
): BollingerColumns {
  checkPeriod('Bollinger', 'period', period);
  if (!(k > 0 && k < Number.POSITIVE_INFINITY)) {
    throw new ParameterError('k', `Bollinger k must be a positive number, got "${k}"`);
  }
  checkColumns('Bollinger', close, out.upper, out.middle, out.lower);
  const allFinite = bandsByBlocks(close, period, k, out);
  if (!allFinite) bandsByBlocks(withoutInfinities(close), period, k, out);
  return out;
}

/**
 * Blocks of `period` as in `sma`, which also sum the squares. The pivot lies in the window, so
 * the mean of squares is at most `period` times the variance and little cancels; squares of the
 * prices themselves would leave no digit of it at prices near 1e9.
 *
 * @returns Whether all closes are finite.
 */
function bandsByBlocks(
  close: Float64Array,
  period: number,
  k: number,
  out: BollingerColumns,
): boolean {
  const length = close.length;
  const { middle } = out;
  const warmup = bollingerWarmup(period);
  for (const column of [out.upper, middle, out.lower]) column.fill(Number.NaN, 0, warmup);
  if (length <= warmup) return true;

  const suffixes = period <= scratch.sums.length ? scratch : suffixesOf(period);
  bandsOfWindow(close, warmup, period, k, out);
  let allFinite = Number.isFinite(middle[warmup]);
  for (let start = period; start < length; start += period) {
    const end = Math.min(start + period, length);
    if (isOutlier(close[start], middle[start - 1])) {
      for (let i = start; i < end; i++) bandsOfWindow(close, i, period, k, out);
    } else {
      sumSuffixes(close, start, period, suffixes);
      bandsOfBlock(close, start, end, period, k, suffixes, out);
    }
    // The last window that ends in the block holds all of its closes.
    if (!Number.isFinite(middle[end - 1])) allFinite = false;
  }
  return allFinite;
}

/** The bands at one row from its window alone, in two passes over it. */
function bandsOfWindow(
  close: Float64Array,
  row: number,
  period: number,
  k: number,
  { upper, middle, lower }: BollingerColumns,
): void {
  const centre = meanOfWindow(close, row, period);
  let squares = 0;
  for (let i = row - period + 1; i <= row; i++) squares += (close[i] - centre) ** 2;
  const width = k * Math.sqrt(squares / period);
  middle[row] = centre;
  upper[row] = centre + width;
  lower[row] = centre - width;
}

/** As in `sma`, the sums of differences, and those of their squares. */
function sumSuffixes(
  close: Float64Array,
  start: number,
  period: number,
  { sums, squares }: Suffixes,
): void {
  const pivot = close[start];
  let sum = 0;
  let sumOfSquares = 0;
  for (let i = start - 1, j = period - 1; j >= 0; i--, j--) {
    sums[j] = sum;
    squares[j] = sumOfSquares;
    const difference = close[i] - pivot;
    sum += difference;
    sumOfSquares += difference * difference;
  }
}

/** The bands of the block's rows: the suffix sums and the prefix sums of its own closes. */
function bandsOfBlock(
  close: Float64Array,
  start: number,
  end: number,
  period: number,
  k: number,
  { sums, squares }: Suffixes,
  { upper, middle, lower }: BollingerColumns,
): void {
  const share = 1 / period;
  const pivot = close[start];
  let prefix = 0;
  let prefixSquares = 0;
  for (let i = start, j = 0; i < end; i++, j++) {
    const difference = close[i] - pivot;
    prefix += difference;
    prefixSquares += difference * difference;
    const mean = (prefix + sums[j]) * share;
    const variance = (prefixSquares + squares[j]) * share - mean * mean;
    // Squares too small for a double may round to a variance just below zero.
    const width = k * Math.sqrt(Math.abs(variance));
    const centre = pivot + mean;
    middle[i] = centre;
    upper[i] = centre + width;
    lower[i] = centre - width;
  }
}
