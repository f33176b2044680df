/** Arrow validity bitmaps of columns that mark null by a value. */

import { type ColumnData, NULL_INT, NULL_MICROS } from './batch-layout.ts';

/**
 * Writes the bitmap of rows [start, end): bit i is 1 if row start + i has a value.
 *
 * @param bitmap Receives the bits; surplus bytes become zero.
 * @returns The number of nulls.
 */
export function writeValidity(
  values: ColumnData,
  start: number,
  end: number,
  bitmap: Uint8Array,
): number {
  const rowCount = end - start;
  const wholeBytes = rowCount >> 3;
  bitmap.fill(0xff, 0, wholeBytes);
  bitmap.fill(0, wholeBytes);
  if (rowCount & 7) bitmap[wholeBytes] = (1 << (rowCount & 7)) - 1;
  if (values instanceof Float64Array) return clearNaN(values, start, end, bitmap);
  if (values instanceof Int32Array) return clearNulls(values, NULL_INT, start, end, bitmap);
  if (values instanceof BigInt64Array) return clearNulls(values, NULL_MICROS, start, end, bitmap);
  return 0;
}

/** Values that are looked at together. */
const BLOCK = 32;

/** Most values of indicators are numbers: a block whose sum is one needs no look at each. */
function clearNaN(values: Float64Array, start: number, end: number, bitmap: Uint8Array): number {
  let nulls = 0;
  let i = start;
  for (; i + BLOCK <= end; i += BLOCK) {
    let even = 0;
    let odd = 0;
    for (let at = i; at < i + BLOCK; at += 8) {
      even += values[at] + values[at + 1] + (values[at + 2] + values[at + 3]);
      odd += values[at + 4] + values[at + 5] + (values[at + 6] + values[at + 7]);
    }
    if (Number.isNaN(even + odd)) nulls += clearEach(values, start, i, i + BLOCK, bitmap);
  }
  return nulls + clearEach(values, start, i, end, bitmap);
}

function clearEach(
  values: Float64Array,
  start: number,
  from: number,
  to: number,
  bitmap: Uint8Array,
): number {
  let nulls = 0;
  for (let i = from; i < to; i++) {
    if (!Number.isNaN(values[i])) continue;
    bitmap[(i - start) >> 3] &= ~(1 << ((i - start) & 7));
    nulls++;
  }
  return nulls;
}

function clearNulls(
  values: Int32Array | BigInt64Array,
  none: number | bigint,
  start: number,
  end: number,
  bitmap: Uint8Array,
): number {
  let nulls = 0;
  for (let i = start; i < end; i++) {
    if (values[i] !== none) continue;
    bitmap[(i - start) >> 3] &= ~(1 << ((i - start) & 7));
    nulls++;
  }
  return nulls;
}
