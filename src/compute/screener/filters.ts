/**
 * The screener's predicates. A null passes none: it is not among a column's sorted values, a
 * comparison with NaN is false, and the code of null is never an accepted one.
 */

import type { ScreenerColumns, ScreenerNumber, ScreenerText } from './columns.ts';
import type { ScreenerIndex } from './index.ts';
import { lowerBound, upperBound } from './search-sorted.ts';

export type ScreenerFilter =
  /** min ≤ value ≤ max; infinite where there is no bound. */
  | { kind: 'range'; column: ScreenerNumber; min: number; max: number }
  /** `accepts` holds 1 at each code that passes and has an entry for every code of the column. */
  | { kind: 'codes'; column: ScreenerText; accepts: Uint8Array }
  /** The newest bar is of this day or later. */
  | { kind: 'active'; sinceDay: number };

/** How many rows pass a filter alone; an upper bound for `active`, which nearly all rows pass. */
export function passingCount(index: ScreenerIndex, filter: ScreenerFilter): number {
  if (filter.kind === 'active') return index.rowCount;
  if (filter.kind === 'range') {
    const { values } = index.order(filter.column);
    const start = lowerBound(values, filter.min);
    return upperBound(values, filter.max, start) - start;
  }
  const { starts } = index.groups(filter.column);
  let count = 0;
  for (let code = 0; code < starts.length - 1; code++) {
    if (filter.accepts[code] === 1) count += starts[code + 1] - starts[code];
  }
  return count;
}

/**
 * All rows that pass a filter, in no particular order.
 *
 * @param rows Receives them; has room for every row.
 * @returns How many there are.
 */
export function rowsPassing(
  index: ScreenerIndex,
  filter: ScreenerFilter,
  rows: Int32Array,
): number {
  if (filter.kind === 'active') {
    for (let row = 0; row < index.rowCount; row++) rows[row] = row;
    return keepPassing(index.columns, filter, rows, index.rowCount);
  }
  if (filter.kind === 'range') {
    const { values, asc } = index.order(filter.column);
    const start = lowerBound(values, filter.min);
    const end = upperBound(values, filter.max, start);
    rows.set(asc.rows.subarray(start, end));
    return end - start;
  }
  const { starts, rows: grouped } = index.groups(filter.column);
  let count = 0;
  for (let code = 0; code < starts.length - 1; code++) {
    if (filter.accepts[code] !== 1) continue;
    rows.set(grouped.subarray(starts[code], starts[code + 1]), count);
    count += starts[code + 1] - starts[code];
  }
  return count;
}

/**
 * Keeps the rows that pass a filter, in their order.
 *
 * @param rows Row numbers; the first `count` are looked at, the survivors take their place.
 * @returns How many survive.
 */
export function keepPassing(
  columns: ScreenerColumns,
  filter: ScreenerFilter,
  rows: Int32Array,
  count: number,
): number {
  switch (filter.kind) {
    case 'range':
      return keepInRange(columns[filter.column], filter.min, filter.max, rows, count);
    case 'codes':
      return keepAccepted(columns[filter.column], filter.accepts, rows, count);
    case 'active':
      return keepFrom(columns.lastBarDay, filter.sinceDay, rows, count);
  }
}

function keepInRange(
  column: Float64Array,
  min: number,
  max: number,
  rows: Int32Array,
  count: number,
): number {
  let kept = 0;
  for (let i = 0; i < count; i++) {
    const row = rows[i];
    const value = column[row];
    if (value >= min && value <= max) rows[kept++] = row;
  }
  return kept;
}

function keepAccepted(
  column: Uint16Array,
  accepts: Uint8Array,
  rows: Int32Array,
  count: number,
): number {
  let kept = 0;
  for (let i = 0; i < count; i++) {
    const row = rows[i];
    if (accepts[column[row]] === 1) rows[kept++] = row;
  }
  return kept;
}

function keepFrom(column: Int32Array, min: number, rows: Int32Array, count: number): number {
  let kept = 0;
  for (let i = 0; i < count; i++) {
    const row = rows[i];
    if (column[row] >= min) rows[kept++] = row;
  }
  return kept;
}
