/** Orders of numbers, ranks, and the rank correlation that is made of them. */

const NUMBERS = 2 ** 20;

/**
 * Returns the places of numbers, smallest number first, equal ones in their order. Upper halves of
 * the numbers are sorted with the places in them, which no comparing function slows down.
 *
 * @param values At most 2^20, without NaN.
 */
export function orderOf(values: Float64Array): Uint32Array {
  const halves = new Int32Array(values.buffer, values.byteOffset, 2 * values.length);
  const keys = new Float64Array(values.length);
  for (let at = 0; at < keys.length; at++) {
    const half = values[at] === 0 ? 0 : halves[2 * at + 1];
    keys[at] = (half < 0 ? ~half >>> 0 : (half ^ 0x80000000) >>> 0) * NUMBERS + at;
  }
  keys.sort();
  const order = new Uint32Array(keys.length);
  for (let place = 0; place < order.length; place++) {
    const at = keys[place] % NUMBERS;
    // Numbers whose upper halves are equal are few.
    let before = place;
    for (; before > 0 && values[order[before - 1]] > values[at]; before--) {
      order[before] = order[before - 1];
    }
    order[before] = at;
  }
  return order;
}

/** Returns ranks from 1 on; equal values have the mean of theirs. */
export function meanRanks(values: Float64Array): Float64Array {
  const order = orderOf(values);
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

/** Returns Spearman's correlation; NaN for fewer than two values, or without variance. */
export function rankCorrelation(a: Float64Array, b: Float64Array): number {
  if (a.length < 2) return Number.NaN;
  const [x, y] = [meanRanks(a), meanRanks(b)];
  const center = (a.length + 1) / 2;
  let [both, ofX, ofY] = [0, 0, 0];
  for (let i = 0; i < x.length; i++) {
    both += (x[i] - center) * (y[i] - center);
    ofX += (x[i] - center) ** 2;
    ofY += (y[i] - center) ** 2;
  }
  return ofX > 0 && ofY > 0 ? both / Math.sqrt(ofX * ofY) : Number.NaN;
}
