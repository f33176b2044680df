/** The table of all known symbols, with bars or without. */

import type { DirectoryRow } from '../../../base/directory-row.ts';
import { columnsFromRows, type TableData } from '../format/table-file.ts';
import { DIRECTORY_TABLE } from '../format/tables.ts';
import type { Listings } from './snapshot.ts';

/** @param rows Ascending by symbol. */
export function directoryColumns(rows: readonly DirectoryRow[]): TableData<typeof DIRECTORY_TABLE> {
  const stored = rows.map(({ delistedDay, ...row }) => ({ ...row, delistedOn: delistedDay }));
  return columnsFromRows(DIRECTORY_TABLE, stored);
}

/** By directory, which versions share while it is the same. */
const directoryRows = new WeakMap<Listings, ReadonlyMap<string, number>>();

/** Returns the directory row of each symbol: 1 ms for 10,000, once a directory. */
export function listedRows(listings: Listings): ReadonlyMap<string, number> {
  let rows = directoryRows.get(listings);
  if (!rows) {
    rows = new Map(listings.symbol.map((symbol, row) => [symbol, row]));
    directoryRows.set(listings, rows);
  }
  return rows;
}

/** Returns true if a published directory has exactly these rows. */
export function isSameDirectory(listings: Listings, rows: readonly DirectoryRow[]): boolean {
  if (listings.symbol.length !== rows.length) return false;
  const wanted = directoryColumns(rows);
  const names = Object.keys(listings) as (keyof Listings)[];
  return names.every((name) =>
    listings[name].every((value: unknown, row: number) => Object.is(value, wanted[name][row])),
  );
}
