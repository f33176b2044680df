/** Both sort orders of a column, so that a screen needs to sort nothing. */

import { doneAtOnce, type Work } from '../../base/turns.ts';
import type { SortDirection } from './columns.ts';
import { lowerBound, upperBound } from './search-sorted.ts';
import { sortedRows } from './sorted-rows.ts';

/** Rows by value, equal ones by row number ascending, null last. */
export interface Ranking {
  /** Row number at each rank. */
  rows: Int32Array;
  /** Rank of each row. */
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
  /** Of equal values, rows up to this one lie before the place. May be −1. */
  row: number;
}

/** @param column Finite values or NaN. */
export function sortOrder(column: Float64Array): SortOrder {
  return doneAtOnce(makingSortOrder(column));
}

/** The same, giving way. */
export function* makingSortOrder(column: Float64Array): Work<SortOrder> {
  const rows = yield* sortedRows(column);
  const valueCount = countOfNumbers(column, rows);
  const values = new Float64Array(valueCount);
  for (let place = 0; place < valueCount; place++) values[place] = column[rows[place]];
  yield;
  const asc = { rows, rank: ranksOf(rows) };
  yield;
  const falling = fallingRows(rows, values);
  yield;
  return { values, asc, desc: { rows: falling, rank: ranksOf(falling) } };
}

/** NaN is last. */
function countOfNumbers(column: Float64Array, rows: Int32Array): number {
  let count = rows.length;
  while (count > 0 && Number.isNaN(column[rows[count - 1]])) count--;
  return count;
}

function ranksOf(rows: Int32Array): Int32Array {
  const rank = new Int32Array(rows.length);
  for (let place = 0; place < rows.length; place++) rank[rows[place]] = place;
  return rank;
}

/** Rows by value descending: runs of equal values stay as they are, and so do nulls at the end. */
function fallingRows(rising: Int32Array, values: Float64Array): Int32Array {
  const rows = rising.slice();
  let place = 0;
  for (let end = values.length; end > 0; ) {
    let start = end - 1;
    while (start > 0 && values[start - 1] === values[end - 1]) start--;
    for (let run = start; run < end; run++) rows[place++] = rising[run];
    end = start;
  }
  return rows;
}

/** The first rank behind a position. */
export function rankAfter(
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
