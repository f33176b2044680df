/** What a screen asks of a row, in words that hold in every published version. */

import type { ScreenerColumns, ScreenerNumber, ScreenerText } from './columns.ts';
import { keepPassing, type ScreenerFilter } from './filters.ts';

export interface ScreenerConditions {
  /** Both bounds included; infinite where there is none. */
  ranges: { column: ScreenerNumber; min: number; max: number }[];
  /** Accepted texts in lower case, any of them. */
  texts: { column: ScreenerText; accepted: string[] }[];
  /** Days since the epoch. */
  activeSinceDay: number | undefined;
}

/**
 * The conditions as filters of one version's rows.
 *
 * @param texts By code of the column, as that version has them.
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

/** All rows that pass, ascending: one scan a filter, without the orders that pages need. */
export function matchingRows(
  columns: ScreenerColumns,
  filters: readonly ScreenerFilter[],
): Int32Array {
  const rows = Int32Array.from(columns.price.keys());
  let count = rows.length;
  for (const filter of filters) count = keepPassing(columns, filter, rows, count);
  return rows.subarray(0, count);
}
