/**
 * State of the kernels that look back over a window of closes: the last `period` closes.
 *
 * The kernels cut a series into blocks of `period` bars, from its first bar on. A window is the
 * end of one block and the beginning of the next, so its sum is a suffix sum plus a prefix sum.
 * Nothing is subtracted again, which is how a running sum loses digits. All sums are of
 * differences from the first close of the block, which lies in every window that ends in it.
 *
 * The first block of a series has no sums, and neither has a block that opens with an outlier:
 * each of its windows is read as a whole.
 */

export const TAKEN = 0; // bars of the open block so far
export const MODE = 1; // kind of the open block: FIRST, SUMMED or WHOLE
export const MEAN = 2; // of the last window
export const SLOTS = 3; // closes by place in their block; those of the open block come first

/** Length of the state. */
export const windowLength = (period: number) => SLOTS + period;

export const FIRST = 0; // warms up
export const SUMMED = 1;
export const WHOLE = 2; // opened with an outlier

/**
 * A close this many times the mean before it makes a bad pivot: the other differences from it
 * all have its size, and hundreds of them lose more digits than the bounds allow.
 */
const OUTLIER_RATIO = 32;

/**
 * Returns true if a block must not be summed as differences from its first close.
 *
 * @param meanBefore Mean of the block before; NaN if there is none. It is known when the block
 *   opens, so no result depends on later closes.
 */
export function isOutlier(firstClose: number, meanBefore: number): boolean {
  return Math.abs(firstClose) > OUTLIER_RATIO * Math.abs(meanBefore);
}

/**
 * Puts the closes before row `end` into their slots, `period` of them at most.
 *
 * @param taken How many bars of the open block there are at `end`.
 */
export function holdCloses(
  state: Float64Array,
  period: number,
  close: Float64Array,
  end: number,
  taken: number,
): void {
  for (let i = Math.max(0, end - period); i < end; i++) {
    const place = taken - (end - i);
    state[SLOTS + (place < 0 ? place + period : place)] = close[i];
  }
}

/**
 * Returns the mean of the closes in the slots, summed as differences from the smallest of them:
 * equal closes give exactly that close, and prices of any size lose no digits.
 *
 * @param newest Place of the newest close; the oldest one follows it.
 */
export function meanOfWindow(state: Float64Array, period: number, newest: number): number {
  let pivot = state[SLOTS + newest];
  for (let age = period - 1; age > 0; age--) {
    const close = closeAt(state, period, newest, age);
    if (Math.abs(close) < Math.abs(pivot)) pivot = close;
  }
  let sum = 0;
  for (let age = period - 1; age >= 0; age--) {
    sum += closeAt(state, period, newest, age) - pivot;
  }
  return pivot + sum / period;
}

/** Returns the close that is `age` bars older than the newest one. */
export function closeAt(state: Float64Array, period: number, newest: number, age: number): number {
  return state[SLOTS + (newest >= age ? newest - age : newest - age + period)];
}
