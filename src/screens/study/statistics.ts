/** Statistics of returns. NaN stands for a statistic that the numbers do not define. */

import { sumOf } from './sums.ts';

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
const BINS = 2 * SIZES;

/** First bin of numbers above 0; 0 is in it too. */
export const POSITIVE_BIN = SIZES;

/** Puts the bins of some numbers into `bins`; bins are in the order of numbers. */
export function takeBins(
  values: Float64Array,
  bins: Uint16Array,
  { start, end }: { start: number; end: number },
): void {
  const halves = new Int32Array(values.buffer, values.byteOffset, 2 * values.length);
  for (let at = start; at < end; at++) {
    const half = halves[2 * at + 1];
    const size = ((half & 0x7fffffff) >>> (20 - STEP_BITS)) - SMALLEST;
    const bin = size < 0 ? 0 : size < SIZES ? size : SIZES - 1;
    // Half of the returns are negative, in no order, so the processor would guess a branch wrong.
    bins[at] = SIZES + (bin ^ (half >> 31));
  }
}

/**
 * Quantiles, as `quantile`, of numbers in any order, without NaN. They are read twice: first they are
 * counted by bin, then those of the bins in which quantiles lie are taken, and only these are sorted.
 */
export class BinnedNumbers {
  /** By bin, how many numbers it has: the first reading counts. */
  readonly counts = new Uint32Array(BINS);
  /** By bin, the place in `taken` of the next number of the second reading; −1 for bins without. */
  readonly next = new Int32Array(BINS);
  taken = new Float64Array(0);
  /** By bin, how many numbers are in those before. */
  readonly #starts = new Uint32Array(BINS + 1);
  /** By bin in which a quantile lies, its first place in `taken`. */
  readonly #firsts = new Map<number, number>();

  /** Begins with other numbers. */
  clear(): void {
    this.counts.fill(0);
  }

  /** Adds what others have counted. */
  add({ counts }: BinnedNumbers): void {
    for (let bin = 0; bin < BINS; bin++) this.counts[bin] += counts[bin];
  }

  /** Ends the first reading. */
  choose(shares: readonly number[]): void {
    const [starts, counts] = [this.#starts, this.counts];
    for (let bin = 0; bin < BINS; bin++) starts[bin + 1] = starts[bin] + counts[bin];
    this.next.fill(-1);
    this.#firsts.clear();
    let size = 0;
    for (const place of placesOf(starts[BINS], shares)) {
      const bin = lastAtMost(starts, place);
      if (this.#firsts.has(bin)) continue;
      this.#firsts.set(bin, size);
      this.next[bin] = size;
      size += counts[bin];
    }
    if (this.taken.length < size) this.taken = new Float64Array(size);
  }

  /** Ends the second reading. @returns the quantiles of some of the chosen shares. */
  quantiles(shares: readonly number[]): number[] {
    for (const [bin, first] of this.#firsts) {
      this.taken.subarray(first, first + this.counts[bin]).sort();
    }
    return shares.map((share) =>
      between(this.#starts[BINS], share, (place) => {
        const bin = lastAtMost(this.#starts, place);
        return this.taken[this.#firsts.get(bin)! + place - this.#starts[bin]];
      }),
    );
  }
}

/** Returns the places of the numbers that quantiles lie between. */
function placesOf(count: number, shares: readonly number[]): number[] {
  if (count === 0) return [];
  return shares.flatMap((share) => {
    const below = Math.floor((count - 1) * share);
    return [below, Math.min(below + 1, count - 1)];
  });
}

/** Returns the last place whose start is at most a number; starts ascend. */
function lastAtMost(starts: Uint32Array, number: number): number {
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
