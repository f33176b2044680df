/** The table of all known symbols, with bars or without. */

import type { DirectoryRow } from '../../../base/directory-row.ts';
import { NULL_INT } from '../format/batch-layout.ts';
import type { TableRow } from '../format/table-file.ts';
import type { DIRECTORY_TABLE } from '../format/tables.ts';
import type { Listings } from './snapshot.ts';

type Row = TableRow<typeof DIRECTORY_TABLE>;

/** @param rows Ascending by symbol. */
export function directoryTableRows(rows: readonly DirectoryRow[]): Row[] {
  return rows.map((row) => ({
    symbol: row.symbol,
    companyName: row.companyName ?? '',
    exchange: row.exchange ?? '',
    venue: row.venue ?? '',
    type: row.type ?? '',
    cik: row.cik,
    country: row.country ?? '',
    sector: row.sector ?? '',
    industry: row.industry ?? '',
    source: row.source ?? '',
    formerTickers: row.formerTickers,
    delistedOn: row.delistedDay ?? NULL_INT,
    securityId: row.securityId,
  }));
}

/** Returns true if a published directory has exactly these rows. */
export function isSameDirectory(listings: Listings, rows: readonly DirectoryRow[]): boolean {
  const wanted = directoryTableRows(rows);
  if (listings.symbol.length !== wanted.length) return false;
  const names = Object.keys(listings) as (keyof Row)[];
  return names.every((name) =>
    wanted.every((row, i) => Object.is(row[name] ?? Number.NaN, listings[name][i])),
  );
}
