import { decayAt } from './ema-decay.ts';
import { skipGaps } from './gaps.ts';
import { checkColumns, checkPeriod } from './kernel-arguments.ts';

/** Index of the first value. */
export function emaWarmup(period: number): number {
  return period - 1;
}

/**
 * Exponential moving average with weight 2 / (period + 1), seeded with the mean of the first
 * `period` closes. Some libraries seed with the first close, and differ until that has faded.
 *
 * A close that is not finite gives NaN at that bar; the next goes on as if it were absent. One
 * pass, no allocation.
 *
 * @param close  Closing prices in quote currency, oldest first; length n.
 * @param period Smoothing span in bars; integer, 1 or more.
 * @param out    Receives n values; must not be `close`.
 * @returns `out`; the first `emaWarmup(period)` values are NaN.
 * @throws {ParameterError} `period` is not a positive integer, or lengths differ.
 */
export function ema(close: Float64Array, period: number, out: Float64Array): Float64Array {
  checkPeriod('EMA', 'period', period);
  checkColumns('EMA', close, out);
  if (!emaOfFinite(close, period, out)) {
    skipGaps(close, [out], (finite, [finiteOut]) => emaOfFinite(finite, period, finiteOut));
  }
  return out;
}

/**
 * Carries `lag`, the average minus the close, instead of the average. Its recursion
 * `lag = (lag - change) * decay` is as fast as the usual one and works on price changes, so no
 * digits are lost to the price level, and an unchanged price is reached exactly.
 *
 * @returns Whether all closes are finite; if not, `out` must be computed anew.
 */
function emaOfFinite(close: Float64Array, period: number, out: Float64Array): boolean {
  const length = close.length;
  const warmup = emaWarmup(period);
  out.fill(Number.NaN, 0, warmup);
  if (length <= warmup) return true;

  let lag = 0;
  let last = close[0];
  for (let i = 1; i < period; i++) {
    lag = (lag - (close[i] - last)) * decayAt(i, period);
    last = close[i];
  }
  out[warmup] = last + lag;

  const decay = decayAt(period, period);
  for (let i = period; i < length; i++) {
    const price = close[i];
    lag = (lag - (price - last)) * decay;
    out[i] = price + lag;
    last = price;
  }
  // A close that is not finite makes the lag NaN or infinite for good.
  return Number.isFinite(last + lag);
}
