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

/** Most values of indicators are numbers: eight whose sum is one need no look at each. */
function clearNaN(values: Float64Array, start: number, end: number, bitmap: Uint8Array): number {
  let nulls = 0;
  let i = start;
  for (; i + 8 <= end; i += 8) {
    const near = values[i] + values[i + 1] + (values[i + 2] + values[i + 3]);
    const far = values[i + 4] + values[i + 5] + (values[i + 6] + values[i + 7]);
    if (!Number.isNaN(near + far)) continue;
    for (let bit = 0; bit < 8; bit++) {
      if (!Number.isNaN(values[i + bit])) continue;
      bitmap[(i - start) >> 3] &= ~(1 << bit);
      nulls++;
    }
  }
  for (; i < end; i++) {
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
