/** The version that webhooks were told of last, as far as telling of the next one needs it. */

import { readTable } from '../../src/store/arrow/format/table-file.ts';
import { DIRECTORY_TABLE, QUOTE_TABLE, SYMBOL_TABLE } from '../../src/store/arrow/format/tables.ts';
import type { PublishedVersion } from '../../src/store/arrow/read/published-version.ts';
import type { QuoteData } from '../../src/store/arrow/snapshot/quote.ts';
import type { Listings } from '../../src/store/arrow/snapshot/snapshot.ts';
import type { RelayPosition } from '../../src/store/sqlite/webhooks/relay-store.ts';

export interface ToldVersion {
  id: string;
  /** By symbol number; empty for one that was removed. */
  names: readonly string[];
  quotes: QuoteData;
  listings: Listings;
}

/**
 * What `version` is to be compared with. A publish that was killed before it told anything is made
 * good by the next one: versions that were replaced lately keep their tables.
 *
 * @param before What was published when this publish began.
 * @param folder Of `version`.
 * @returns undefined where `version` shows nothing new; else `told`, which is undefined where
 *   nothing was told yet, or nobody knows any more what: all of it is new then.
 */
export function compareWithTold(
  version: PublishedVersion,
  before: PublishedVersion | undefined,
  position: RelayPosition | undefined,
  folder: string,
): { told: ToldVersion | undefined } | undefined {
  // What was published before anything was ever told is no news.
  const toldId = position ? position.version : before?.id;
  if (toldId === version.id) return undefined;
  const { recent } = version.manifest;
  const place = recent.findIndex(({ id }) => id === toldId);
  if (place >= 0 && recent.slice(0, place + 1).every(({ isFolded }) => isFolded)) return undefined;
  if (before && before.id === toldId) return { told: toldVersion(before) };
  if (place < 0) return { told: undefined };
  const { id, symbols, quotes, directory } = recent[place];
  return {
    told: {
      id,
      names: readTable(folder, symbols, SYMBOL_TABLE).symbol,
      quotes: readTable(folder, quotes, QUOTE_TABLE),
      listings: readTable(folder, directory, DIRECTORY_TABLE),
    },
  };
}

/** A version as the next one is compared with it. */
export function toldVersion({ id, directory, quotes, listings }: PublishedVersion): ToldVersion {
  return { id, names: directory.names, quotes, listings };
}
