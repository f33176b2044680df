/** The screener's predicates. A null passes none. */

import type { ScreenerNumber, ScreenerText } from '../../base/quote-fields.ts';
import type { ScreenerColumns } from './columns.ts';

export type ScreenerFilter =
  /** min ≤ value ≤ max; infinite where there is no bound. */
  | { kind: 'range'; column: ScreenerNumber; min: number; max: number }
  /** `accepts` holds 1 at each code that passes and has an entry for every code of the column. */
  | { kind: 'codes'; column: ScreenerText; accepts: Uint8Array }
  /** The newest bar is of this day or later. */
  | { kind: 'active'; sinceDay: number };

/**
 * Keeps the rows that pass a filter, in their order.
 *
 * @param rows Row numbers. The first `count` are tested; those that pass are moved to the front.
 * @returns The number of rows that pass.
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
    // A comparison with NaN is false.
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
