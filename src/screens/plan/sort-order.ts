/** Both sort orders of a column, computed once, so that no screen sorts. */

import { lowerBound, upperBound } from '../../base/search-sorted.ts';

export type SortDirection = 'asc' | 'desc';

/** Rows by value: equal values by row ascending, nulls last. */
interface Ranking {
  rows: Int32Array;
  rank: Int32Array;
}

export interface SortOrder extends Record<SortDirection, Ranking> {
  /** The values that are not null, ascending. */
  values: Float64Array;
}

/** A place between two rows of a sort order. */
export interface SortPosition {
  /** NaN is null. */
  value: number;
  /** Last row before the place among rows of this value; may be −1. */
  row: number;
}

const orders = new WeakMap<Float64Array, SortOrder>();

/**
 * Returns the sort order of a column, computed at its first use: some 0.7 ms for 10,000 rows.
 *
 * @param column Finite values or NaN; never changed afterwards.
 */
export function sortOrder(column: Float64Array): SortOrder {
  let order = orders.get(column);
  if (!order) {
    order = computeOrder(column);
    orders.set(column, order);
  }
  return order;
}

function computeOrder(column: Float64Array): SortOrder {
  const asc = sortedRows(column);
  let valueCount = asc.length;
  while (valueCount > 0 && Number.isNaN(column[asc[valueCount - 1]])) valueCount--;
  const values = new Float64Array(valueCount);
  for (let place = 0; place < valueCount; place++) values[place] = column[asc[place]];
  return { values, asc: rankingOf(asc), desc: rankingOf(descending(asc, values)) };
}

function rankingOf(rows: Int32Array): Ranking {
  const rank = new Int32Array(rows.length);
  for (let place = 0; place < rows.length; place++) rank[rows[place]] = place;
  return { rows, rank };
}

function descending(asc: Int32Array, values: Float64Array): Int32Array {
  const rows = asc.slice();
  let place = 0;
  for (let end = values.length; end > 0; ) {
    let start = end - 1;
    while (start > 0 && values[start - 1] === values[end - 1]) start--;
    for (let equal = start; equal < end; equal++) rows[place++] = asc[equal];
    end = start;
  }
  return rows;
}

/** Returns the first place of an order behind a position. */
export function placeAfter(
  order: SortOrder,
  direction: SortDirection,
  { value, row }: SortPosition,
): number {
  const { values } = order;
  const { rows } = order[direction];
  if (Number.isNaN(value)) return upperBound(rows, row, values.length);
  const start = lowerBound(values, value);
  const end = upperBound(values, value, start);
  if (direction === 'asc') return upperBound(rows, row, start, end);
  return upperBound(rows, row, values.length - end, values.length - start);
}

const BYTES = 8;
const SIGN = 0x80000000;
const LAST = 0xffffffff;

/**
 * Sorts rows by value, then row, NaN last: a radix sort, four times as fast as a comparison sort.
 */
function sortedRows(column: Float64Array): Int32Array {
  const bytes = keyBytes(column);
  let rows = new Int32Array(column.length);
  for (let row = 0; row < rows.length; row++) rows[row] = row;
  let moved = new Int32Array(column.length);
  const places = new Int32Array(256);
  for (let byte = 0; byte < BYTES; byte++) {
    if (!countBytes(bytes, byte, places)) continue;
    for (let i = 0; i < rows.length; i++) moved[places[bytes[BYTES * rows[i] + byte]]++] = rows[i];
    [rows, moved] = [moved, rows];
  }
  return rows;
}

/** Returns keys of 64 bits, the lowest byte first, that ascend as the values do. */
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
 * Counts the rows by one byte of their keys; `places` receives where each value's rows begin.
 *
 * @returns False if all rows have the same value.
 */
function countBytes(bytes: Uint8Array, byte: number, places: Int32Array): boolean {
  places.fill(0);
  for (let at = byte; at < bytes.length; at += BYTES) places[bytes[at]]++;
  if (places.includes(bytes.length / BYTES)) return false;
  let sum = 0;
  for (let value = 0; value < places.length; value++) {
    const count = places[value];
    places[value] = sum;
    sum += count;
  }
  return true;
}
