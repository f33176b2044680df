/** Statistics of returns. NaN stands for a statistic that the numbers do not define. */

import { select } from './select.ts';
import { sumOf } from './sums.ts';

/** Numbers handled before other work may run. */
const NUMBERS_AT_ONCE = 262_144;

/** Numbers of which quantiles are selected, which is faster than counting so few. */
const SELECTED_MAX = 65_536;

/** Share of a sum that rounding may leave. */
const ROUNDING = 1e-12;

/** Returns the mean; NaN without numbers. */
export function mean(values: Float64Array): number {
  return sumOf(values) / values.length;
}

/** Returns the quantile between the two nearest numbers (type 7 of Hyndman and Fan). */
export function quantile(sorted: Float64Array, share: number): number {
  return between(sorted.length, share, (place) => sorted[place]);
}

/** @param valueAt Gives a number by its place in their order. */
function between(count: number, share: number, valueAt: (place: number) => number): number {
  if (count === 0) return Number.NaN;
  const place = (count - 1) * share;
  const below = Math.floor(place);
  const low = valueAt(below);
  // The sum has no sign of a zero, which depends on the order of equal numbers.
  return low + (valueAt(Math.min(below + 1, count - 1)) - low) * (place - below) + 0;
}

/**
 * Returns quantiles, as `quantile`, of numbers in any order. Numbers are counted by their first 16
 * bits, and only those that share these bits with a quantile are sorted.
 *
 * @param values Their order may change.
 */
export function* quantiles(
  values: Float64Array,
  shares: readonly number[],
): Generator<undefined, number[]> {
  const places = placesOf(values.length, shares);
  if (values.length <= SELECTED_MAX) {
    select(values, places);
    return shares.map((share) => quantile(values, share));
  }
  const halves = new Int32Array(values.buffer, values.byteOffset, 2 * values.length);
  const counts = new Uint32Array(2 ** 16);
  yield* inParts(values.length, (at) => counts[bucketOf(halves[2 * at + 1])]++);
  const starts = new Float64Array(counts.length + 1);
  for (let at = 0; at < counts.length; at++) starts[at + 1] = starts[at] + counts[at];
  const bucketAt = (place: number) => lastAtMost(starts, place);
  const members = new Map<number, Float64Array>();
  for (const bucket of places.map(bucketAt)) {
    members.set(bucket, new Float64Array(counts[bucket]));
  }
  const filled = new Uint32Array(counts.length);
  yield* inParts(values.length, (at) => {
    const bucket = bucketOf(halves[2 * at + 1]);
    const some = members.get(bucket);
    if (some) some[filled[bucket]++] = values[at];
  });
  for (const some of members.values()) {
    some.sort();
    yield;
  }
  return shares.map((share) =>
    between(values.length, share, (place) => {
      const bucket = bucketAt(place);
      return members.get(bucket)![place - starts[bucket]];
    }),
  );
}

/** Returns the places of the numbers that quantiles lie between, ascending. */
function placesOf(count: number, shares: readonly number[]): number[] {
  const places = shares.flatMap((share) => {
    const below = Math.floor((count - 1) * share);
    return [below, Math.min(below + 1, count - 1)];
  });
  return [...new Set(places)].sort((a, b) => a - b);
}

/** Returns the first 16 bits of a number, in the order of numbers. @param half Its upper half. */
function bucketOf(half: number): number {
  return (half < 0 ? ~half : half ^ 0x80000000) >>> 16;
}

/** Returns the last place whose start is at most a number; starts ascend. */
function lastAtMost(starts: Float64Array, number: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (starts[middle] <= number) low = middle;
    else high = middle;
  }
  return low;
}

function* inParts(count: number, handle: (at: number) => void): Generator<undefined> {
  for (let start = 0; start < count; start += NUMBERS_AT_ONCE) {
    const end = Math.min(count, start + NUMBERS_AT_ONCE);
    for (let at = start; at < end; at++) handle(at);
    yield;
  }
}

/**
 * Returns the t value of a mean excess, with events of one day and overlapping horizons allowed for:
 * sums of the deviations by session, and Bartlett weights 1 − k/h over h − 1 sessions (Driscoll and
 * Kraay, 1998, without a correction for small samples).
 *
 * @param bySession By market session, the sum of the deviations from the mean.
 * @param events    Their mean and number, and the sum of their sizes.
 * @returns NaN for fewer than two events, and where the deviations leave no variance but rounding: the
 *   excess of all symbols of a session is 0.
 */
export function clusteredT(
  bySession: Float64Array,
  { center, count, size }: { center: number; count: number; size: number },
  horizon: number,
): number {
  if (count < 2) return Number.NaN;
  const first = bySession.findIndex((sum) => sum !== 0);
  const sums = bySession.subarray(first, bySession.findLastIndex((sum) => sum !== 0) + 1);
  let variance = 0;
  for (let lag = 0; lag < Math.min(horizon, sums.length); lag++) {
    let product = 0;
    for (let i = lag; i < sums.length; i++) product += sums[i] * sums[i - lag];
    variance += lag === 0 ? product : 2 * (1 - lag / horizon) * product;
  }
  return variance > (ROUNDING * size) ** 2 ? center / (Math.sqrt(variance) / count) : Number.NaN;
}
