/** The lists of rows that are served: what readers page through under a symbol or `*`. */

export interface ListSpec {
  /** Order of a list by its rows' `ts`; rows of one moment go by `id`, ascending. */
  order: 'newest' | 'oldest';
  /**
   * Whether rows of newer layers join those of older ones, row by row. Else the newest layer that
   * has a list has all of it.
   */
  isJoined: boolean;
}

const WHOLE: ListSpec = { order: 'newest', isJoined: false };
const FORTHCOMING: ListSpec = { order: 'oldest', isJoined: false };

/** By dataset. */
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

/** The list of everything: all news, all reports. */
export const EVERYTHING = '*';

/** A row of a list. */
export interface ListRow {
  /** What the list is ordered by: milliseconds; of a date its midnight in UTC. */
  timestampMs: number;
  /** Tells rows of one moment apart. */
  id: string;
  /** When it became known, where `as_of` may ask for that; else null. */
  knownMs: number | null;
  /** What readers select by: the period of a statement, `newsKind` of an article; else empty. */
  kind: string;
  /** The row exactly as the API answers it. */
  json: string;
}

/** A row, and what it adds to the length of its list: see `LIST_TABLE`. */
export interface WrittenRow extends ListRow {
  adds: number;
  /** Where `adds` is not 1, of joined lists: the kind of the older row it stands for or takes away. */
  replaced?: string;
}

/** Rows of some kinds. */
export interface RowFilter {
  /** Names it: filters with the same key pass the same kinds. */
  key: string;
  passes(kind: string): boolean;
}

export type ListPosition = Pick<ListRow, 'timestampMs' | 'id'>;

/** Below 0 where `a` comes first in a list. */
export function compareRows(order: ListSpec['order'], a: ListPosition, b: ListPosition): number {
  if (a.timestampMs !== b.timestampMs) {
    return order === 'newest' ? b.timestampMs - a.timestampMs : a.timestampMs - b.timestampMs;
  }
  return a.id < b.id ? -1 : Number(a.id > b.id);
}
