/** A walk through the directory stays in the version of its first page. */

import type { ServingReader, Snapshot } from '../../../store/arrow/snapshot/snapshot.ts';

/** What says which symbols there are and pass a filter. */
export type Directory = Pick<Snapshot, 'id' | 'listings' | 'screener'>;

/** The last row of a page. */
export type SymbolPlace = [
  /** The version that the walk is in. */
  snapshotId: string,
  /** Whether it has left one on its way. */
  isChanged: 0 | 1,
  symbol: string,
];

export interface SymbolWalk {
  directory: Directory;
  isChanged: boolean;
}

/**
 * The version that a page is of: that of the page before as long as it is kept, else the newest.
 *
 * @param place Where the page before ended; undefined: it is the first.
 */
export function directoryOfWalk(
  reader: ServingReader,
  newest: Snapshot,
  place: SymbolPlace | undefined,
): SymbolWalk {
  if (!place) return { directory: newest, isChanged: false };
  const [id, wasChanged] = place;
  const directory = id === newest.id ? newest : recentDirectory(reader, id);
  return { directory: directory ?? newest, isChanged: wasChanged === 1 || !directory };
}

function recentDirectory(reader: ServingReader, id: string): Directory | undefined {
  const listings = reader.listingsOf(id);
  const table = listings && reader.screenerOf(id);
  return table && { id, listings, screener: () => table };
}
