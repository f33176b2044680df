/** Statistics of returns. NaN stands for a statistic that the numbers do not define. */

import { sumOf } from './sums.ts';

/** Numbers handled before other work may run. */
const NUMBERS_AT_ONCE = 262_144;

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
 * Returns the median of numbers of which each stands for several equal ones.
 *
 * @param order  Places by value.
 * @param counts How often each number stands.
 * @param count  Sum of the counts.
 */
export function medianOfCounted(
  values: Float64Array,
  order: Uint32Array,
  counts: Float64Array,
  count: number,
): number {
  return between(count, 0.5, (place) => {
    let at = 0;
    for (let below = counts[order[0]]; below <= place; below += counts[order[at]]) at++;
    return values[order[at]];
  });
}

/** Numbers of each sign are counted by their size: by 32 sizes from 2^-18 on, each 24 times doubled. */
const STEP_BITS = 5;
const SIZES = 24 << STEP_BITS;
const SMALLEST = (1023 - 18) << STEP_BITS;

/**
 * Returns quantiles, as `quantile`, of numbers in any order. Only those of the size of a quantile are
 * sorted.
 *
 * @param values Without NaN.
 */
export function* quantiles(
  values: Float64Array,
  shares: readonly number[],
): Generator<undefined, number[]> {
  const halves = new Int32Array(values.buffer, values.byteOffset, 2 * values.length);
  const counts = new Uint32Array(2 * SIZES);
  for (let start = 0; start < values.length; start += NUMBERS_AT_ONCE) {
    const end = Math.min(values.length, start + NUMBERS_AT_ONCE);
    for (let at = start; at < end; at++) counts[binOf(halves[2 * at + 1])]++;
    yield;
  }
  const starts = new Float64Array(counts.length + 1);
  for (let at = 0; at < counts.length; at++) starts[at + 1] = starts[at] + counts[at];
  const bins = placesOf(values.length, shares).map((place) => lastAtMost(starts, place));
  const members = yield* membersOf(values, halves, new Set(bins), counts);
  for (const some of members.values()) {
    some.sort();
    yield;
  }
  return shares.map((share) =>
    between(values.length, share, (place) => {
      const bin = lastAtMost(starts, place);
      return members.get(bin)![place - starts[bin]];
    }),
  );
}

/** Returns the numbers of some bins. */
function* membersOf(
  values: Float64Array,
  halves: Int32Array,
  bins: ReadonlySet<number>,
  counts: Uint32Array,
): Generator<undefined, ReadonlyMap<number, Float64Array>> {
  const ends = new Int32Array(counts.length).fill(-1);
  let size = 0;
  const starts = new Map<number, number>();
  for (const bin of bins) {
    starts.set(bin, size);
    ends[bin] = size;
    size += counts[bin];
  }
  const some = new Float64Array(size);
  for (let start = 0; start < values.length; start += NUMBERS_AT_ONCE) {
    const end = Math.min(values.length, start + NUMBERS_AT_ONCE);
    for (let at = start; at < end; at++) {
      const bin = binOf(halves[2 * at + 1]);
      if (ends[bin] >= 0) some[ends[bin]++] = values[at];
    }
    yield;
  }
  return new Map([...starts].map(([bin, start]) => [bin, some.subarray(start, ends[bin])]));
}

/** Returns the places of the numbers that quantiles lie between. */
function placesOf(count: number, shares: readonly number[]): number[] {
  if (count === 0) return [];
  return shares.flatMap((share) => {
    const below = Math.floor((count - 1) * share);
    return [below, Math.min(below + 1, count - 1)];
  });
}

/** Returns the bin of a number; bins are in the order of numbers. @param half Its upper half. */
function binOf(half: number): number {
  const size = ((half & 0x7fffffff) >>> (20 - STEP_BITS)) - SMALLEST;
  const bin = size < 0 ? 0 : size < SIZES ? size : SIZES - 1;
  // Half of the returns are negative, in no order, so the processor would guess a branch wrong.
  return SIZES + (bin ^ (half >> 31));
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

/** Share of the cases in which luck gives one of several t values above the critical one. */
const LUCK_SHARE = 0.05;

/**
 * Returns the size that one of some t values exceeds by luck in at most 5 % of cases, whatever they
 * have in common (Bonferroni); of the normal distribution, both sides.
 */
export function criticalT(tests: number): number {
  const share = LUCK_SHARE / (2 * tests);
  let [low, high] = [1, 40];
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    if (upperTail(middle) > share) low = middle;
    else high = middle;
  }
  return low;
}

/** Returns the share of a normal distribution above a number of 1 or more: Laplace's fraction. */
function upperTail(t: number): number {
  let fraction = t;
  for (let term = 200; term > 0; term--) fraction = t + term / fraction;
  return Math.exp((-t * t) / 2) / Math.sqrt(2 * Math.PI) / fraction;
}
