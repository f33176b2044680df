/** Conditions of a screen, independent of a published version. */

import type { ScreenerNumber, ScreenerText } from '../../base/quote-fields.ts';
import type { ScreenerColumns } from './columns.ts';
import { keepPassing, type ScreenerFilter } from './filters.ts';

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

/** Returns all rows that pass, ascending: one scan per filter, without the orders that pages need. */
export function matchingRows(
  columns: ScreenerColumns,
  filters: readonly ScreenerFilter[],
): Int32Array {
  const rows = Int32Array.from(columns.price.keys());
  let count = rows.length;
  for (const filter of filters) count = keepPassing(columns, filter, rows, count);
  return rows.subarray(0, count);
}
