/** Orders of numbers, ranks, and the rank correlation that is made of them. */

/** Bits of a number by which places are put into an order at a time. */
const DIGIT_BITS = 11;
const DIGITS = 1 << DIGIT_BITS;

/** Half of the key of NaN. */
const LAST = 0xffffffff;

const starts = new Uint32Array(DIGITS + 1);
let scratch = { keys: new Uint32Array(0), order: new Uint32Array(0) };

/**
 * Returns the places of numbers, smallest number first, equal ones in their order, NaN last. It is a
 * radix sort of the upper halves of numbers; the lower ones are looked at where upper ones are equal,
 * and sorted first if that is often.
 */
export function orderOf(values: Float64Array): Uint32Array {
  const count = values.length;
  if (scratch.order.length < count) {
    scratch = { keys: new Uint32Array(2 * count), order: new Uint32Array(count) };
  }
  const { keys } = scratch;
  const halves = new Uint32Array(values.buffer, values.byteOffset, 2 * count);
  for (let at = 0; at < count; at++) {
    const value = values[at];
    keys[2 * at] = value < 0 ? ~halves[2 * at] : halves[2 * at];
    // Without its sign −0 is equal to 0.
    keys[2 * at + 1] = value < 0 ? ~halves[2 * at + 1] : halves[2 * at + 1] | 0x80000000;
    if (Number.isNaN(value)) keys[2 * at] = keys[2 * at + 1] = LAST;
  }
  const order = counted(count);
  sortBy(keys, 1, order);
  if (isMended(values, order)) return order;
  for (let place = 0; place < count; place++) order[place] = place;
  sortBy(keys, 0, order);
  sortBy(keys, 1, order);
  return order;
}

/** Moves numbers behind smaller ones with the same upper half; false if that takes long. */
function isMended(values: Float64Array, order: Uint32Array): boolean {
  let moves = 0;
  for (let place = 1; place < order.length && moves <= order.length; place++) {
    const at = order[place];
    let before = place;
    for (; before > 0 && values[order[before - 1]] > values[at]; before--, moves++) {
      order[before] = order[before - 1];
    }
    order[before] = at;
  }
  return moves <= order.length;
}

/** Sorts places by the upper or the lower half of their keys; equal ones keep their order. */
function sortBy(keys: Uint32Array, half: number, order: Uint32Array<ArrayBuffer>): void {
  let [from, to] = [order, scratch.order.subarray(0, order.length)];
  for (let shift = 0; shift < 32; shift += DIGIT_BITS) {
    starts.fill(0);
    for (let i = 0; i < from.length; i++) {
      starts[((keys[2 * i + half] >>> shift) & (DIGITS - 1)) + 1]++;
    }
    for (let digit = 0; digit < DIGITS; digit++) starts[digit + 1] += starts[digit];
    for (let i = 0; i < from.length; i++) {
      const at = from[i];
      to[starts[(keys[2 * at + half] >>> shift) & (DIGITS - 1)]++] = at;
    }
    [from, to] = [to, from];
  }
  // Three passes end in the other memory.
  order.set(from);
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
    for (let place = start; place < end; place++) ranks[order[place]] = (start + end + 1) / 2;
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
 * Returns Spearman's correlation of mean ranks; NaN for fewer than two, or without variance.
 */
export function rankCorrelation(x: Float64Array, y: Float64Array): number {
  const center = (x.length + 1) / 2;
  let [both, ofX, ofY] = [0, 0, 0];
  for (let i = 0; i < x.length; i++) {
    both += (x[i] - center) * (y[i] - center);
    ofX += (x[i] - center) ** 2;
    ofY += (y[i] - center) ** 2;
  }
  return ofX > 0 && ofY > 0 ? both / Math.sqrt(ofX * ofY) : Number.NaN;
}
