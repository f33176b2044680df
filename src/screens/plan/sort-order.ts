/** Both sort orders of a column, computed once, so that no screen sorts. */

import { lowerBound, upperBound } from '../../base/search-sorted.ts';
import { orderOf } from './ranks.ts';

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
  const asc = new Int32Array(orderOf(column));
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
