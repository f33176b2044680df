/** Quantiles of windows. */

import { type Piece, startOf } from './piece.ts';

/** Known values of the window, ascending. */
let sorted = new Float64Array(64);

/** Quantile of the last values between the two nearest ones. State: the values. */
export function quantile(piece: Piece): void {
  const { one, values, a, to, states, at, stride, row, count } = piece;
  const { period } = one;
  const [share] = one.factors;
  const start = startOf(piece);
  const middle = (period - 1) * share;
  const below = Math.floor(middle);
  const above = Math.min(below + 1, period - 1);
  let place = (row + start - one.start) % period;
  let known = sortWindow(states, at, stride, period);
  for (let k = start; k < count; k++) {
    const slot = at + place * stride;
    const [old, value] = [states[slot], values[a + k]];
    known = exchange(old, value, known);
    states[slot] = value;
    const low = sorted[below];
    // Zeros of both signs are equal and come in any order; the sum has no sign of its zero.
    const between = low + (sorted[above] - low) * (middle - below) + 0;
    values[to + k] = known === period ? between : Number.NaN;
    place = place + 1 === period ? 0 : place + 1;
  }
}

/** @returns the number of known values. */
function sortWindow(states: Piece['states'], at: number, stride: number, period: number): number {
  if (sorted.length <= period) sorted = new Float64Array(2 * period);
  let known = 0;
  for (let i = 0; i < period; i++) {
    const value = states[at + i * stride];
    if (!Number.isNaN(value)) sorted[known++] = value;
  }
  sorted.subarray(0, known).sort();
  return known;
}

/**
 * Takes a value out of the window and puts another one in; each may be unknown.
 *
 * @returns the number of known values.
 */
function exchange(old: number, value: number, known: number): number {
  const isKnown = !Number.isNaN(value);
  let at = Number.isNaN(old) ? known : placeOf(old, known);
  const count = at === known ? known : known - 1;
  if (!isKnown) {
    for (; at < count; at++) sorted[at] = sorted[at + 1];
    return count;
  }
  // The gap that the old value leaves moves to the place of the new one.
  for (; at < count && sorted[at + 1] < value; at++) sorted[at] = sorted[at + 1];
  for (; at > 0 && sorted[at - 1] > value; at--) sorted[at] = sorted[at - 1];
  sorted[at] = value;
  return count + 1;
}

/** Returns the first place of the window whose value is not below another one. */
function placeOf(value: number, known: number): number {
  let [low, high] = [0, known];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
