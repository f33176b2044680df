/**
 * Operations over the last `period` values.
 *
 * A series is cut into blocks of `period` rows. A window is the end of one block and the beginning
 * of the next, so what it needs is a suffix of one and a prefix of the other. Nothing is subtracted
 * again, which is how a running sum loses digits. Sums are of differences from the first value of
 * the block (the pivot), which lies in every window that ends in it.
 *
 * The first block has no sums, and neither has a block that opens with an outlier: each of its
 * windows is read as a whole. The first `period` numbers of state hold, by place in the block, the
 * values of the open block, and behind them the suffixes of the block before (its values, where
 * windows are read as a whole). Behind the fields stand suffixes of squares or of weighted values.
 */

import { type Piece, startOf } from './piece.ts';

/**
 * A value this many times the mean before it makes a bad pivot: the other differences from it all
 * have its size, and hundreds of them lose more digits than the bounds allow.
 */
const OUTLIER_RATIO = 32;

/** Numbers of state behind the slots, and behind them the second suffixes. */
const PREFIX = 0;
const PIVOT = 1;
const LAST = 2;
const WHOLE = 3;
const PREFIX_TWO = 4;
const FIELDS = 5;

/** The mark of a block whose windows are read as a whole: all bits are 1, as compiled code needs it. */
const MARK = new Float64Array(new BigInt64Array([-1n]).buffer);

export type Sum = 'mean' | 'deviation' | 'weighted' | 'lean';

const weightsOf = (period: number): number => (period * (period + 1)) / 2;

/**
 * The value of a window that is nearest to 0. Sums are of differences from it: equal values give
 * exactly that value, and values of any size lose no digits.
 */
function smallestOfWindow({ one, states, at, stride }: Piece, newest: number): number {
  const { period } = one;
  let smallest = states[at + newest * stride];
  for (let i = 1, place = newest; i < period; i++) {
    place = place + 1 === period ? 0 : place + 1;
    const value = states[at + place * stride];
    if (Math.abs(value) < Math.abs(smallest)) smallest = value;
  }
  return smallest;
}

/** Writes the values of a row from its whole window, the oldest value first. */
function readWhole(piece: Piece, kind: Sum, k: number, newest: number): void {
  const { one, values, to, second, states, at, stride } = piece;
  const { period } = one;
  const pivot = smallestOfWindow(piece, newest);
  let sum = 0;
  let weighted = 0;
  for (let i = 1, place = newest; i <= period; i++) {
    place = place + 1 === period ? 0 : place + 1;
    const difference = states[at + place * stride] - pivot;
    sum += difference;
    weighted += i * difference;
  }
  const mean = pivot + sum / period;
  if (kind === 'mean') values[to + k] = mean;
  else if (kind === 'weighted') values[to + k] = pivot + weighted / weightsOf(period);
  else values[second + k] = mean;
  if (kind === 'lean') values[to + k] = weighted / weightsOf(period) - sum / period;
  if (kind !== 'deviation') return;
  let squares = 0;
  for (let i = 1, place = newest; i <= period; i++) {
    place = place + 1 === period ? 0 : place + 1;
    const difference = states[at + place * stride] - mean;
    squares += difference * difference;
  }
  values[to + k] = Math.sqrt(squares / period);
}

/** Opens a block: takes its first value as pivot and turns the slots before into suffix sums. */
function openBlock({ one, states, at, stride }: Piece, kind: Sum, pivot: number): void {
  const { period } = one;
  const fields = at + period * stride;
  const toMore = (period + FIELDS) * stride;
  const isWhole = Math.abs(pivot) > OUTLIER_RATIO * Math.abs(states[fields + LAST * stride]);
  states[fields + PIVOT * stride] = pivot;
  if (isWhole) states.set(MARK, fields + WHOLE * stride);
  else states[fields + WHOLE * stride] = 0;
  states[fields + PREFIX * stride] = 0;
  states[fields + PREFIX_TWO * stride] = 0;
  let sum = 0;
  let two = 0;
  for (let slot = fields - stride; slot >= at; slot -= stride) {
    const value = states[slot];
    if (!isWhole) states[slot] = sum;
    if (kind !== 'mean') states[slot + toMore] = two;
    const difference = value - pivot;
    sum += difference;
    two += kind === 'deviation' ? difference * difference : sum;
  }
}

/** Runs rows [from, end) of one block that is not the first of its series. */
function runBlock(piece: Piece, kind: Sum, from: number, end: number, firstPlace: number): void {
  const { one, values, a, to, second, states, at, stride } = piece;
  const { period } = one;
  const fields = at + period * stride;
  const toMore = (period + FIELDS) * stride;
  const pivot = states[fields + PIVOT * stride];
  const share = 1 / period;
  const weightShare = 1 / weightsOf(period);
  const isDeviation = kind === 'deviation';
  let sum = states[fields + PREFIX * stride];
  let two = states[fields + PREFIX_TWO * stride];
  let place = firstPlace;
  let slot = at + place * stride;
  for (let k = from; k < end; k++, place++, slot += stride) {
    const value = values[a + k];
    const difference = value - pivot;
    sum += difference;
    const mean = (sum + states[slot]) * share;
    states[slot] = value;
    if (kind === 'mean') {
      values[to + k] = pivot + mean;
      continue;
    }
    const more = states[slot + toMore];
    two += difference * (isDeviation ? difference : place + 1);
    if (isDeviation) {
      // Squares too small for a double may round to a variance just below zero.
      values[to + k] = Math.sqrt(Math.abs((two + more) * share - mean * mean));
      values[second + k] = pivot + mean;
      continue;
    }
    const all = (two + sum * (period - 1 - place) + more) * weightShare;
    if (kind === 'weighted') values[to + k] = pivot + all;
    else {
      values[to + k] = all - mean;
      values[second + k] = pivot + mean;
    }
  }
  states[fields + PREFIX * stride] = sum;
  states[fields + PREFIX_TWO * stride] = two;
}

export const sumOf =
  (kind: Sum) =>
  (piece: Piece): void => {
    const { one, values, a, to, second, states, at, stride, row, count } = piece;
    const { period } = one;
    const fields = at + period * stride;
    const means = kind === 'deviation' || kind === 'lean' ? second : to;
    const start = startOf(piece);
    const seen = row + start - one.start;
    let place = seen % period;
    let isFirst = seen < period;
    for (let k = start; k < count; ) {
      if (place === 0 && !isFirst) openBlock(piece, kind, values[a + k]);
      const isWhole = !isFirst && Number.isNaN(states[fields + WHOLE * stride]);
      const end = isWhole ? k + 1 : Math.min(count, k + period - place);
      if (isFirst) {
        for (let i = k; i < end; i++) states[at + (place + i - k) * stride] = values[a + i];
      } else runBlock(piece, kind, k, end, place);
      place += end - k;
      k = end;
      if (isWhole || (isFirst && place === period)) readWhole(piece, kind, k - 1, place - 1);
      if (place < period) continue;
      states[fields + LAST * stride] = values[means + k - 1];
      place = 0;
      isFirst = false;
    }
  };

/** Mean distance of the last values from the second input. State: the values. */
export function meanDistance(piece: Piece): void {
  const { one, values, a, b, to, states, at, stride, row, count } = piece;
  const { period } = one;
  const start = startOf(piece);
  let place = (row + start - one.start) % period;
  for (let k = start; k < count; k++) {
    states[at + place * stride] = values[a + k];
    const middle = values[b + k];
    let sum = 0;
    for (let i = 0; i < period; i++) sum += Math.abs(states[at + i * stride] - middle);
    values[to + k] = sum / period;
    place = place + 1 === period ? 0 : place + 1;
  }
}

/**
 * Sum of the last values times the weights of a table, as differences from the value that has the
 * heaviest: equal values give exactly that value. State: the values.
 */
export function weightedBy(piece: Piece): void {
  const { one, values, a, to, states, at, stride, row, count } = piece;
  const { period, factors, table } = one;
  const start = startOf(piece);
  let newest = (row + start - one.start) % period;
  for (let k = start; k < count; k++) {
    states[at + newest * stride] = values[a + k];
    const oldest = newest + 1 === period ? 0 : newest + 1;
    const pivot = states[at + ((oldest + factors[0]) % period) * stride];
    let sum = 0;
    for (let i = 0, place = oldest; i < period; i++) {
      sum += table[i] * (states[at + place * stride] - pivot);
      place = place + 1 === period ? 0 : place + 1;
    }
    values[to + k] = pivot + sum;
    newest = oldest;
  }
}

/** Numbers of the last values that are below the newest, and that equal it. State: the values. */
export function placeAmong(piece: Piece): void {
  const { one, values, a, to, second, states, at, stride, row, count } = piece;
  const { period } = one;
  const start = startOf(piece);
  let place = (row + start - one.start) % period;
  for (let k = start; k < count; k++) {
    const value = values[a + k];
    states[at + place * stride] = value;
    let [below, equal, unknown] = [0, 0, 0];
    for (let i = 0; i < period; i++) {
      const other = states[at + i * stride];
      if (other < value) below++;
      else if (other === value) equal++;
      else if (!(other > value)) unknown++;
    }
    values[to + k] = unknown === 0 ? below : Number.NaN;
    values[second + k] = unknown === 0 ? equal : Number.NaN;
    place = place + 1 === period ? 0 : place + 1;
  }
}
