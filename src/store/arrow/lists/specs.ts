/** The served lists: rows that readers page through under a symbol or `*`. */

import type { DatasetList } from '../../../base/datasets/dataset.ts';
import { type ListName, listedDatasets } from '../../../base/datasets/datasets.ts';

/** Rows of one moment are ordered by `id`, ascending. */
export const LIST_SPECS = Object.fromEntries(
  listedDatasets.map(({ name, list }) => [name, list!]),
) as Record<ListName, DatasetList>;

export const LIST_NAMES = Object.keys(LIST_SPECS) as ListName[];

/** Key of the list that holds everything: all news, all reports. */
export const EVERYTHING = '*';

/**
 * Returns the key of the list that has the values of a security in an own column. Keys are in the
 * order of symbols, of which no character comes before a blank.
 */
export function columnKey(column: string, symbol: string): string {
  return `${symbol} ${column}`;
}

export interface ListRow {
  /** Sort key of the list, in milliseconds; for a date its midnight in UTC. */
  timestampMs: number;
  /** Distinguishes rows of one moment. */
  id: string;
  /** Time at which it became known, for `as_of`; null if the dataset has none. */
  knownMs: number | null;
  /**
   * Readers select by it: the period of a statement or the `newsKind` of an article; else empty.
   */
  kind: string;
  /** The row exactly as the API responds with it. */
  json: string;
  /** Stored columns that responses leave out, as a JSON object, for exports. */
  stored?: string;
}

/** A row with what it adds to the length of its list: see `LIST_TABLE`. */
export interface WrittenRow extends ListRow {
  adds: number;
  /**
   * Kind of the older row that it replaces or removes, in joined lists; undefined if `adds` is 1.
   */
  replaced?: string;
}

export interface RowFilter {
  /** Filters with the same key pass the same kinds. */
  key: string;
  passes(kind: string): boolean;
}

export type ListPosition = Pick<ListRow, 'timestampMs' | 'id'>;

/** Returns a negative number if `a` comes first in a list. */
export function compareRows(order: DatasetList['order'], a: ListPosition, b: ListPosition): number {
  if (a.timestampMs !== b.timestampMs) {
    return order === 'newest' ? b.timestampMs - a.timestampMs : a.timestampMs - b.timestampMs;
  }
  return a.id < b.id ? -1 : Number(a.id > b.id);
}
