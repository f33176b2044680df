/** Both sort orders of a column, so that a screen needs to sort nothing. */

import type { SortDirection } from './screener-columns.ts';
import { lowerBound, upperBound } from './search-sorted.ts';

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

/** @param column Finite values or NaN. About 1.5 ms for 10,000 rows. */
export function sortOrder(column: Float64Array): SortOrder {
  const sorted = column.toSorted();
  const valueCount = countOfNumbers(sorted);
  const values = sorted.subarray(0, valueCount);
  const order = { values, asc: emptyRanking(column.length), desc: emptyRanking(column.length) };
  // By first place of a run of equal values, how many of its rows were met.
  const met = new Int32Array(valueCount);
  let nullCount = 0;
  for (let row = 0; row < column.length; row++) {
    const value = column[row];
    if (Number.isNaN(value)) {
      const place = valueCount + nullCount++;
      assign(order.asc, place, row);
      assign(order.desc, place, row);
      continue;
    }
    const start = lowerBound(values, value);
    const place = met[start]++;
    assign(order.asc, start + place, row);
    assign(order.desc, valueCount - runEnd(values, start) + place, row);
  }
  return order;
}

/** A typed array sorts NaN to its end. */
function countOfNumbers(sorted: Float64Array): number {
  let count = sorted.length;
  while (count > 0 && Number.isNaN(sorted[count - 1])) count--;
  return count;
}

function emptyRanking(rowCount: number): Ranking {
  return { rows: new Int32Array(rowCount), rank: new Int32Array(rowCount) };
}

/** End of the run of equal values that begins at `start`; most runs have one value. */
function runEnd(values: Float64Array, start: number): number {
  const value = values[start];
  return values[start + 1] === value ? upperBound(values, value, start + 1) : start + 1;
}

function assign({ rows, rank }: Ranking, at: number, row: number): void {
  rows[at] = row;
  rank[row] = at;
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
