/** Opening a version piece by piece, with what an older one has open already. */

import { isDeepStrictEqual } from 'node:util';
import { SERVED_INTERVALS } from '../../../base/time/intervals.ts';
import { isPieceEnd, type Work } from '../../../base/turns.ts';
import type { Manifest } from '../format/manifest.ts';
import { readingTable, type TableData } from '../format/table-file.ts';
import { DIRECTORY_TABLE, QUOTE_TABLE } from '../format/tables.ts';
import { ServedLists } from '../lists/served-lists.ts';
import { rowsByName } from '../snapshot/current-symbols.ts';
import type { Listings } from '../snapshot/snapshot.ts';
import { SymbolDirectory } from '../snapshot/symbol-directory.ts';
import { openingIntraday } from './intraday-part.ts';
import type { OpenLayer } from './layer.ts';
import { openingLayers } from './open-layers.ts';
import { PublishedVersion } from './published-version.ts';
import { newestPart } from './series-parts.ts';

/**
 * Opens every file of a version; what `previous` has open already is shared with it.
 *
 * @param verifiedMs As of `ServingOptions`.
 * @throws {CorruptDataError} a file does not match the manifest. ENOENT means that the version
 * was replaced meanwhile: read the manifest again.
 */
export function* openingVersion(
  folder: string,
  manifest: Manifest,
  previous?: PublishedVersion,
  verifiedMs?: number,
): Work<PublishedVersion> {
  const before = previous?.opened;
  const { indicatorColumns: columns } = manifest;
  const open = before?.layers ?? [];
  const layers = yield* openingLayers(folder, manifest.layers, columns, open, verifiedMs);
  const intraday = yield* openingIntraday(folder, manifest.intraday, before?.intraday, verifiedMs);
  const lists = yield* ServedLists.opening(folder, manifest.lists, before?.lists, verifiedMs);
  yield;
  const isSame = (name: 'quotes' | 'directory' | 'symbols' | 'actions') =>
    isDeepStrictEqual(before?.manifest[name], manifest[name]);
  const quotes =
    before && isSame('quotes')
      ? before.quotes
      : yield* readingTable(folder, manifest.quotes, QUOTE_TABLE);
  const listed = before && isSame('directory') ? before : yield* openingListings(folder, manifest);
  const directory =
    before && isSame('symbols') && isSame('actions')
      ? before.directory
      : yield* SymbolDirectory.opening(folder, manifest);
  const { listings, rowsByName: byName } = listed;
  const parts = {
    manifest,
    layers,
    intraday,
    lists,
    quotes,
    directory,
    listings,
    rowsByName: byName,
  };
  const hasSameDays =
    before?.directory === directory &&
    (before.manifest.intraday === undefined) === (manifest.intraday === undefined) &&
    layers.length === before.layers.length &&
    layers.every((layer, i) => layer === before.layers[i]);
  const symbols = hasSameDays ? before.symbols : yield* symbolsWithDays(parts);
  yield;
  return new PublishedVersion({ ...parts, symbols }, previous);
}

function* openingListings(
  folder: string,
  { directory }: Manifest,
): Work<{ listings: Listings; rowsByName: ReadonlyMap<string, number> }> {
  const listings: TableData<typeof DIRECTORY_TABLE> = yield* readingTable(
    folder,
    directory,
    DIRECTORY_TABLE,
  );
  return { listings, rowsByName: yield* rowsByName(listings) };
}

/** A publish of minutes or lists changes none. */
function* symbolsWithDays({
  manifest,
  directory,
  layers,
}: {
  manifest: Manifest;
  directory: SymbolDirectory;
  layers: readonly OpenLayer[];
}): Work<readonly string[]> {
  const { sortedNames } = directory;
  // Without intraday bars, all that is listed has daily ones.
  if (!manifest.intraday) return sortedNames;
  const daily = SERVED_INTERVALS.indexOf('1d');
  const symbols: string[] = [];
  for (const [place, name] of sortedNames.entries()) {
    const newest = newestPart(layers, daily, directory.number(name) as number);
    if ((newest?.end ?? 0) > 0) symbols.push(name);
    if (isPieceEnd(place)) yield;
  }
  return symbols;
}
