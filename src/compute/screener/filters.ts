/** Conditions of a screen, and the filters that they become for the rows of one version. */

import type { ScreenerNumber, ScreenerText } from '../../base/fields.ts';

/**
 * Columns of equal length, one row per symbol, ascending by symbol. In numbers, NaN is null. Texts
 * are dictionary codes, of which 0 is the code of null.
 */
export type ScreenerColumns = Record<ScreenerNumber, Float64Array> &
  Record<ScreenerText, Uint16Array> & {
    /** Date of the symbol's newest bar, in days since the epoch. */
    lastBarDay: Int32Array;
  };

/** A predicate of rows. A null passes none. */
export type ScreenerFilter =
  /** min ≤ value ≤ max; infinite where there is no bound. */
  | { kind: 'range'; column: ScreenerNumber; min: number; max: number }
  /** `accepts` holds 1 at each code that passes and has an entry for every code of the column. */
  | { kind: 'codes'; column: ScreenerText; accepts: Uint8Array }
  | { kind: 'active'; sinceDay: number }
  /** `accepts` holds 1 at each row that passes: rows that a screen's expression matches. */
  | { kind: 'rows'; accepts: Uint8Array };

export interface ScreenerConditions {
  /** Inclusive bounds; infinite if there is none. */
  ranges: { column: ScreenerNumber; min: number; max: number }[];
  /** Accepted texts in lower case; a row needs one of them. */
  texts: { column: ScreenerText; accepted: string[] }[];
  /** Days since the epoch. */
  activeSinceDay: number | undefined;
}

/**
 * Translates conditions into filters of one version's rows.
 *
 * @param texts Texts of that version by code, for each column.
 */
export function screenerFilters(
  { ranges, texts: conditions, activeSinceDay }: ScreenerConditions,
  texts: Readonly<Record<ScreenerText, readonly (string | null)[]>>,
): ScreenerFilter[] {
  return [
    ...ranges.map((range) => ({ kind: 'range', ...range }) as const),
    ...conditions.map(({ column, accepted }) => {
      const accepts = Uint8Array.from(texts[column], (text) =>
        text !== null && accepted.includes(text.toLowerCase()) ? 1 : 0,
      );
      return { kind: 'codes', column, accepts } as const;
    }),
    ...(activeSinceDay === undefined
      ? []
      : [{ kind: 'active', sinceDay: activeSinceDay } as const]),
  ];
}

/** Returns all rows that pass, ascending. */
export function matchingRows(
  columns: ScreenerColumns,
  filters: readonly ScreenerFilter[],
): Int32Array {
  const rows = Int32Array.from(columns.price.keys());
  let count = rows.length;
  for (const filter of filters) count = keepPassing(columns, filter, rows, count);
  return rows.subarray(0, count);
}

/**
 * Keeps those of the first `count` rows that pass a filter, at the front and in their order.
 *
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
    case 'rows':
      return keepMarked(filter.accepts, rows, count);
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

function keepMarked(accepts: Uint8Array, rows: Int32Array, count: number): number {
  let kept = 0;
  for (let i = 0; i < count; i++) {
    const row = rows[i];
    if (accepts[row] === 1) rows[kept++] = row;
  }
  return kept;
}
