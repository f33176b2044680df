/** Keeps a walk through the directory in the version of its first page. */

import type { ServingReader, Snapshot } from '../../../store/arrow/snapshot/snapshot.ts';

/** Part of a version that lists and filters symbols. */
export type Directory = Pick<Snapshot, 'id' | 'listings' | 'screener'>;

/** Position of a walk: the last row of a page. */
export type SymbolPlace = [
  /** Version of the walk. */
  snapshotId: string,
  /** 1 if the walk has changed its version on the way. */
  isChanged: 0 | 1,
  symbol: string,
];

/**
 * Returns the version for a page: that of the page before if it still exists, else the newest.
 *
 * @param place End of the page before; undefined for the first page.
 */
export function directoryOfWalk(
  reader: ServingReader,
  newest: Snapshot,
  place: SymbolPlace | undefined,
): { directory: Directory; isChanged: boolean } {
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
