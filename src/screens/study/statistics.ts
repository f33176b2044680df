/** Statistics of returns. NaN stands for a statistic that the numbers do not define. */

import { Sums, sumOf } from './sums.ts';

/** Returns the mean; NaN without numbers. */
export function mean(values: Float64Array): number {
  return sumOf(values) / values.length;
}

/** Returns the deviation with n − 1; NaN for fewer than two numbers. */
export function sampleDeviation(values: Float64Array): number {
  if (values.length < 2) return Number.NaN;
  const center = mean(values);
  const squares = values.map((value) => (value - center) ** 2);
  return Math.sqrt(sumOf(squares) / (values.length - 1));
}

/** Returns the quantile between the two nearest numbers (type 7 of Hyndman and Fan). */
export function quantile(sorted: Float64Array, share: number): number {
  const place = (sorted.length - 1) * share;
  const below = Math.floor(place);
  const low = sorted[below] ?? Number.NaN;
  const high = sorted[Math.min(below + 1, sorted.length - 1)] ?? Number.NaN;
  return low + (high - low) * (place - below);
}

/**
 * Returns the t value of a mean excess, with events of one day and overlapping horizons allowed for:
 * sums of the deviations by session, and Bartlett weights 1 − k/h over h − 1 sessions (Driscoll and
 * Kraay, 1998, without a correction for small samples).
 *
 * @param sessions By event, the number of its session; neighbours differ by 1.
 * @returns NaN for fewer than two events, and where the deviations leave no variance.
 */
export function clusteredT(excess: Float64Array, sessions: Int32Array, horizon: number): number {
  if (excess.length < 2) return Number.NaN;
  const center = mean(excess);
  const first = sessions.reduce((least, one) => Math.min(least, one), sessions[0]);
  const last = sessions.reduce((most, one) => Math.max(most, one), sessions[0]);
  const bySession = new Sums(last - first + 1);
  for (let i = 0; i < excess.length; i++) bySession.add(sessions[i] - first, excess[i] - center);
  const sums = Float64Array.from({ length: last - first + 1 }, (_, at) => bySession.of(at));
  let variance = 0;
  for (let lag = 0; lag < Math.min(horizon, sums.length); lag++) {
    let product = 0;
    for (let i = lag; i < sums.length; i++) product += sums[i] * sums[i - lag];
    variance += lag === 0 ? product : 2 * (1 - lag / horizon) * product;
  }
  return variance > 0 ? center / (Math.sqrt(variance) / excess.length) : Number.NaN;
}
