/** Tables of versions that were replaced lately, for screens and walks that began in them. */

import { isDeepStrictEqual } from 'node:util';
import { ifExists } from '../../../base/copy-file.ts';
import { limits } from '../../../base/limits.ts';
import type { RecentVersion } from '../format/manifest-types.ts';
import { readTable } from '../format/table-file.ts';
import { DIRECTORY_TABLE, QUOTE_TABLE, SYMBOL_TABLE } from '../format/tables.ts';
import { screenerTable } from '../snapshot/screener-table.ts';
import type { Listings, ScreenerTable } from '../snapshot/snapshot.ts';
import type { PublishedVersion } from './published-version.ts';

/**
 * Caches the screener's tables of recent versions; those used last stay in memory.
 *
 * @param replaced Table of the version before, which most current walks began in.
 */
export function createRecentScreeners(
  dir: string,
  newest: () => PublishedVersion | undefined,
  replaced: () => ScreenerTable | undefined,
): (id: string) => ScreenerTable | undefined {
  // A Map iterates in order of insertion: the first was used longest ago.
  const tables = new Map<string, ScreenerTable>();
  const read = (version: RecentVersion): ScreenerTable => {
    const before = replaced();
    return before?.id === version.id ? before : readScreener(dir, version, newest());
  };
  return (id) => {
    const manifest = newest()?.manifest;
    const version = manifest?.recent.find((one) => one.id === id);
    const known = tables.get(id);
    tables.delete(id);
    if (!version) return undefined;
    // A publish that this reader has not seen yet may have dropped it.
    const table = known ?? ifExists(() => read(version));
    if (!table) return undefined;
    tables.set(id, table);
    if (tables.size > limits.serving.recentScreenersMax) tables.delete(tables.keys().next().value!);
    return table;
  };
}

function readScreener(
  dir: string,
  { id, symbols, quotes, directory }: RecentVersion,
  newest: PublishedVersion | undefined,
): ScreenerTable {
  const hasNames = isDeepStrictEqual(symbols, newest?.manifest.symbols);
  const hasListings = isDeepStrictEqual(directory, newest?.manifest.directory);
  return screenerTable({
    id,
    quotes: readTable(dir, quotes, QUOTE_TABLE),
    names:
      newest && hasNames ? newest.directory.names : readTable(dir, symbols, SYMBOL_TABLE).symbol,
    listings: newest && hasListings ? newest.listings : readTable(dir, directory, DIRECTORY_TABLE),
  });
}

export function recentListings(
  dir: string,
  newest: PublishedVersion | undefined,
  id: string,
): Listings | undefined {
  const recent = newest?.manifest.recent.find((one) => one.id === id);
  if (!newest || !recent) return undefined;
  if (recent.directory.name === newest.manifest.directory.name) return newest.listings;
  return ifExists(() => readTable(dir, recent.directory, DIRECTORY_TABLE));
}
