/** The served lists: rows that readers page through under a symbol or `*`. */

export interface ListSpec {
  /** Order by `ts`; rows of one moment are ordered by `id`, ascending. */
  order: 'newest' | 'oldest';
  /**
   * True if rows of newer layers join those of older ones. False if the newest layer that has a
   * list has all of it.
   */
  isJoined: boolean;
}

const WHOLE: ListSpec = { order: 'newest', isJoined: false };
const FORTHCOMING: ListSpec = { order: 'oldest', isJoined: false };

export const LIST_SPECS = {
  statements: WHOLE,
  'balance-sheet': WHOLE,
  insider: WHOLE,
  news: { order: 'newest', isJoined: true },
  'analyst-consensus': WHOLE,
  'analyst-targets': WHOLE,
  'upgrades-downgrades': WHOLE,
  expirations: FORTHCOMING,
  'earnings-calendar': FORTHCOMING,
} as const satisfies Record<string, ListSpec>;

export type ListName = keyof typeof LIST_SPECS;

export const LIST_NAMES = Object.keys(LIST_SPECS) as ListName[];

/** Key of the list that holds everything: all news, all reports. */
export const EVERYTHING = '*';

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
export function compareRows(order: ListSpec['order'], a: ListPosition, b: ListPosition): number {
  if (a.timestampMs !== b.timestampMs) {
    return order === 'newest' ? b.timestampMs - a.timestampMs : a.timestampMs - b.timestampMs;
  }
  return a.id < b.id ? -1 : Number(a.id > b.id);
}
