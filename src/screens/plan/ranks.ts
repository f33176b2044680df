/** Orders of numbers, ranks, and the rank correlation that is made of them. */

/** Bits of a key by which places are put into an order at a time. */
const DIGIT_BITS = 12;
const DIGITS = 1 << DIGIT_BITS;

/** Bits below the digits of a key: all of them, and the two uppermost whole ones. */
const ALL = [0, DIGIT_BITS, 2 * DIGIT_BITS];
const UPPERMOST = [32 - 2 * DIGIT_BITS, 32 - DIGIT_BITS];

/** Key of NaN. */
const LAST = 0xffffffff;

/** Moves of each number that take as long as to sort by all digits. */
const MOVES_MAX = 8;

const starts = new Uint32Array(DIGITS + 1);
let scratch = { keys: new Uint32Array(0), order: new Uint32Array(0) };

/**
 * Returns the places of numbers, smallest number first, equal ones in their order, NaN last. It is a
 * radix sort of their uppermost 24 bits, behind which numbers are moved to their places, or of all
 * bits where that takes many moves.
 */
export function orderOf(values: Float64Array): Uint32Array {
  const count = values.length;
  if (scratch.order.length < count) {
    scratch = { keys: new Uint32Array(count), order: new Uint32Array(count) };
  }
  const order = counted(count);
  sortBy(keysOf(values, 1), UPPERMOST, order);
  if (isMended(values, order)) return order;
  for (let place = 0; place < count; place++) order[place] = place;
  for (const half of [0, 1] as const) sortBy(keysOf(values, half), ALL, order);
  return order;
}

/** Returns a half of each number, the upper one is 1, in an order of whole numbers without sign. */
function keysOf(values: Float64Array, half: 0 | 1): Uint32Array {
  const { keys } = scratch;
  const halves = new Uint32Array(values.buffer, values.byteOffset, 2 * values.length);
  const flipped = half === 1 ? 0x80000000 : 0;
  for (let at = 0; at < values.length; at++) {
    const isNegative = (halves[2 * at + 1] | 0) >> 31;
    keys[at] = halves[2 * at + half] ^ (isNegative | flipped);
    // −0 is equal to 0.
    if (values[at] === 0) keys[at] = flipped;
    if (Number.isNaN(values[at])) keys[at] = LAST;
  }
  return keys;
}

/** Moves numbers behind smaller ones; false if that takes long. */
function isMended(values: Float64Array, order: Uint32Array): boolean {
  const most = MOVES_MAX * order.length;
  let moves = 0;
  let largest = -Infinity;
  for (let place = 0; place < order.length && moves <= most; place++) {
    const at = order[place];
    const value = values[at];
    if (!(value < largest)) {
      largest = value;
      continue;
    }
    let before = place;
    for (; before > 0 && values[order[before - 1]] > value; before--, moves++) {
      order[before] = order[before - 1];
    }
    order[before] = at;
  }
  return moves <= most;
}

/** Sorts places by digits of their keys, the last one decides; equal ones keep their order. */
function sortBy(
  keys: Uint32Array,
  shifts: readonly number[],
  order: Uint32Array<ArrayBuffer>,
): void {
  const count = order.length;
  let [from, to] = [order, scratch.order.subarray(0, count)];
  for (const shift of shifts) {
    starts.fill(0);
    for (let at = 0; at < count; at++) starts[((keys[at] >>> shift) & (DIGITS - 1)) + 1]++;
    for (let digit = 0; digit < DIGITS; digit++) starts[digit + 1] += starts[digit];
    for (let i = 0; i < count; i++) {
      const at = from[i];
      to[starts[(keys[at] >>> shift) & (DIGITS - 1)]++] = at;
    }
    [from, to] = [to, from];
  }
  // An odd number of passes ends in the other memory.
  if (from !== order) order.set(from);
}

/** Returns the places of sorted numbers: 0, 1, 2 and so on. */
export function counted(count: number): Uint32Array<ArrayBuffer> {
  const places = new Uint32Array(count);
  for (let place = 0; place < count; place++) places[place] = place;
  return places;
}

/**
 * Returns ranks from 1 on; equal values have the mean of theirs.
 *
 * @param order Places by value.
 */
export function meanRanks(values: Float64Array, order = orderOf(values)): Float64Array {
  const ranks = new Float64Array(values.length);
  for (let start = 0, end = 0; start < order.length; start = end) {
    end = equalEnd(values, order, start);
    if (end === start + 1) ranks[order[start]] = end;
    else for (let place = start; place < end; place++) ranks[order[place]] = (start + end + 1) / 2;
  }
  return ranks;
}

/** Returns the place of an order behind the numbers that are equal to that of another place. */
export function equalEnd(values: Float64Array, order: Uint32Array, start: number): number {
  const value = values[order[start]];
  let end = start + 1;
  while (end < order.length && values[order[end]] === value) end++;
  return end;
}

/**
 * Returns Spearman's correlation of numbers with sorted ones; NaN for fewer than two, or without
 * variance.
 *
 * @param order Places of the numbers by value.
 */
export function rankCorrelation(
  sorted: Float64Array,
  values: Float64Array,
  order: Uint32Array,
): number {
  const center = (order.length + 1) / 2;
  // The places of sorted numbers are their order.
  const ranks = meanRanks(sorted, counted(sorted.length));
  let [both, ofSorted, ofValues] = [0, 0, 0];
  for (let start = 0, end = 0; start < order.length; start = end) {
    end = equalEnd(values, order, start);
    const deviation = (start + end + 1) / 2 - center;
    for (let place = start; place < end; place++) {
      const other = ranks[order[place]] - center;
      both += other * deviation;
      ofSorted += other * other;
      ofValues += deviation * deviation;
    }
  }
  return ofSorted > 0 && ofValues > 0 ? both / Math.sqrt(ofSorted * ofValues) : Number.NaN;
}
