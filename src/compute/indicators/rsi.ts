import { skipGaps } from './gaps.ts';
import { checkColumns, checkPeriod } from './kernel-arguments.ts';

/**
 * Below this, the decayed sum of changes is held. Without it a flat run of ten thousand bars
 * would take both sums to subnormal numbers, whose ratio is noise. The next change of a price
 * outweighs anything this small.
 */
export const HELD_BELOW = 1e-290;

/** Index of the first value. */
export function rsiWarmup(period: number): number {
  return period;
}

/**
 * Relative Strength Index with Wilder smoothing, 0 to 100.
 *
 * Seeded with the plain mean of the first `period` changes. Undefined (NaN) until the first
 * change; some libraries give 0, 50 or 100. An unchanged close leaves the index where it is.
 * A close that is not finite gives NaN at that bar; the next goes on as if it were absent.
 *
 * @param close  Closing prices in quote currency, oldest first; length n.
 * @param period Smoothing window in bars; integer, 1 or more.
 * @param out    Receives n values; must not be `close`.
 * @returns `out`; the first `rsiWarmup(period)` values are NaN.
 * @throws {ParameterError} `period` is not a positive integer, or lengths differ.
 * @see Wilder 1978, New Concepts in Technical Trading Systems. One pass, no allocation.
 */
export function rsi(close: Float64Array, period: number, out: Float64Array): Float64Array {
  checkPeriod('RSI', 'period', period);
  checkColumns('RSI', close, out);
  if (!rsiOfFinite(close, period, out)) {
    skipGaps(close, [out], (finite, [finiteOut]) => rsiOfFinite(finite, period, finiteOut));
  }
  return out;
}

/**
 * With `net` the smoothed change and `gross` the smoothed size of change, gains are
 * (gross + net) / 2 and the index 100 * gains / gross = 50 + 50 * net / gross: no branch on the
 * sign of a change. Only their ratio counts, so both are kept as sums, `period` times the mean.
 *
 * @returns Whether all closes are finite; if not, `out` must be computed anew.
 */
function rsiOfFinite(close: Float64Array, period: number, out: Float64Array): boolean {
  const length = close.length;
  const warmup = rsiWarmup(period);
  out.fill(Number.NaN, 0, warmup);
  if (length <= warmup) return true;

  let net = 0;
  let gross = 0;
  let last = close[0];
  for (let i = 1; i <= period; i++) {
    const change = close[i] - last;
    last = close[i];
    net += change;
    gross += Math.abs(change);
  }
  out[warmup] = 50 + 50 * (net / gross);

  const decay = (period - 1) / period;
  for (let i = warmup + 1; i < length; i++) {
    const change = close[i] - last;
    last = close[i];
    const nextGross = gross * decay + Math.abs(change);
    // Written so that NaN passes, stays in the sums and shows the gap below.
    if (!(nextGross < HELD_BELOW)) {
      gross = nextGross;
      net = net * decay + change;
    }
    out[i] = 50 + 50 * (net / gross);
  }
  // Processors differ in the sign bit of 0 / 0, which the bytes of a column must not show.
  for (let i = warmup; i < length && Number.isNaN(out[i]); i++) out[i] = Number.NaN;
  return Number.isFinite(gross);
}
