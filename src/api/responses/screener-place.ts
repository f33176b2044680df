/** The last row of a page of a screen, from which a walk continues. */

import { countUpTo } from '../../base/search-sorted.ts';
import type { SortPosition } from '../../screens/plan/sort-order.ts';
import type { ScreenerTable } from '../../store/arrow/snapshot/snapshot.ts';

/** A place in the order of any version, even one without the symbol. */
export type ScreenerPlace = [
  snapshotId: string,
  /** 1 if the walk has left a version. */
  isChanged: 0 | 1,
  /** Value of the sort column; null is unknown. */
  value: number | null,
  symbol: string,
];

export function positionOf(
  { symbols }: Pick<ScreenerTable, 'symbols'>,
  [, , value, symbol]: ScreenerPlace,
): SortPosition {
  return { value: value ?? Number.NaN, row: countUpTo(symbols, symbol) - 1 };
}

/**
 * Returns the place of a page's last row.
 *
 * @param sort Values that the rows are sorted by: finite, or NaN for null.
 */
export function lastPlace(
  { symbols }: Pick<ScreenerTable, 'symbols'>,
  snapshotId: string,
  sort: Float64Array,
  rows: Int32Array,
  isChanged: boolean,
): ScreenerPlace {
  const row = rows[rows.length - 1];
  const value = sort[row];
  return [snapshotId, isChanged ? 1 : 0, Number.isNaN(value) ? null : value, symbols[row]];
}
