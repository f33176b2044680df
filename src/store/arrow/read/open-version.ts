/** Opens a version, sharing what an older one already has open. */

import { isDeepStrictEqual } from 'node:util';
import { SERVED_INTERVALS } from '../../../base/time/intervals.ts';
import { CompanyFiguresReader } from '../figures/company-figures.ts';
import type { Manifest } from '../format/manifest-types.ts';
import { readTable } from '../format/table-file.ts';
import { ACTION_TABLE, DIRECTORY_TABLE, QUOTE_TABLE, SYMBOL_TABLE } from '../format/tables.ts';
import { ServedLists } from '../lists/served-lists.ts';
import { rowsByName } from '../snapshot/current-symbols.ts';
import { SymbolDirectory } from '../snapshot/symbol-directory.ts';
import { openIntraday } from './intraday-part.ts';
import { openLayers } from './layer.ts';
import { type OpenedParts, PublishedVersion } from './published-version.ts';
import { newestPart } from './series-parts.ts';

/**
 * Opens every file of a version. Parts that `previous` has open are shared with it.
 *
 * @throws {CorruptDataError} A file does not match the manifest. ENOENT means that the version
 * was replaced meanwhile.
 */
export function openVersion(
  folder: string,
  manifest: Manifest,
  previous?: PublishedVersion,
): PublishedVersion {
  const before = previous?.opened;
  const { indicatorColumns } = manifest;
  const isSame = (name: 'quotes' | 'directory' | 'symbols' | 'actions') =>
    before !== undefined && isDeepStrictEqual(before.manifest[name], manifest[name]);
  const listings = isSame('directory')
    ? before!.listings
    : readTable(folder, manifest.directory, DIRECTORY_TABLE);
  const parts = {
    manifest,
    layers: openLayers(folder, manifest.layers, indicatorColumns, before?.layers ?? []),
    intraday: openIntraday(folder, manifest.intraday, before?.intraday),
    lists: new ServedLists(folder, manifest.lists, before?.lists),
    figures: new CompanyFiguresReader(folder, manifest.figures, before?.figures),
    quotes: isSame('quotes') ? before!.quotes : readTable(folder, manifest.quotes, QUOTE_TABLE),
    listings,
    rowsByName: listings === before?.listings ? before.rowsByName : rowsByName(listings),
    directory:
      isSame('symbols') && isSame('actions')
        ? before!.directory
        : new SymbolDirectory(
            readTable(folder, manifest.symbols, SYMBOL_TABLE),
            readTable(folder, manifest.actions, ACTION_TABLE),
          ),
  };
  const symbols = hasDaysOf(parts, before) ? before!.symbols : symbolsWithDays(parts);
  return new PublishedVersion({ ...parts, symbols }, previous);
}

type Parts = Omit<OpenedParts, 'symbols'>;

/** Returns true if the same symbols have daily bars, as after a publish of minutes or lists. */
function hasDaysOf(parts: Parts, before: OpenedParts | undefined): boolean {
  return (
    before?.directory === parts.directory &&
    (before.manifest.intraday === undefined) === (parts.manifest.intraday === undefined) &&
    parts.layers.length === before.layers.length &&
    parts.layers.every((layer, i) => layer === before.layers[i])
  );
}

function symbolsWithDays({ manifest, directory, layers }: Parts): readonly string[] {
  const { sortedNames } = directory;
  // Without intraday bars, every symbol of the directory has daily ones.
  if (!manifest.intraday) return sortedNames;
  const daily = SERVED_INTERVALS.indexOf('1d');
  return sortedNames.filter((name) => {
    const newest = newestPart(layers, daily, directory.number(name) as number);
    return (newest?.end ?? 0) > 0;
  });
}
