/** The tables that readers of a version keep in memory, for who reads them without opening it. */

import { type Manifest, snapshotId, type TableRef } from '../format/manifest.ts';
import { readTable } from '../format/table-file.ts';
import {
  ACTION_TABLE,
  BATCH_TABLE,
  DIRECTORY_TABLE,
  INDEX_TABLE,
  INTRADAY_SERIES_TABLE,
  LIST_ARTICLE_TABLE,
  LIST_BATCH_TABLE,
  LIST_ID_TABLE,
  LIST_INDEX_TABLE,
  LIST_KIND_TABLE,
  LIST_SELECTION_TABLE,
  QUOTE_TABLE,
  SYMBOL_TABLE,
  type TableSpec,
} from '../format/tables.ts';
import type { ListLayer } from '../lists/manifest.ts';
import { screenerTable } from '../snapshot/screener-table.ts';
import type { ScreenerTable } from '../snapshot/snapshot.ts';

type Table = [ref: TableRef, table: TableSpec];

function tablesOfList({ index, batches, ids, selection }: ListLayer): Table[] {
  const tables: Table[] = [
    [index, LIST_INDEX_TABLE],
    [batches, LIST_BATCH_TABLE],
  ];
  if (ids) tables.push([ids, LIST_ID_TABLE]);
  if (!selection) return tables;
  return [
    ...tables,
    [selection.rows, LIST_SELECTION_TABLE],
    [selection.articles, LIST_ARTICLE_TABLE],
    [selection.kinds, LIST_KIND_TABLE],
  ];
}

function tablesOf({ actions, layers, intraday, lists }: Manifest): Table[] {
  return [
    [actions, ACTION_TABLE],
    ...(intraday ? [[intraday.series, INTRADAY_SERIES_TABLE] satisfies Table] : []),
    ...[...layers, ...(intraday?.layers ?? [])].flatMap(({ index, batches }): Table[] => [
      [index, INDEX_TABLE],
      [batches, BATCH_TABLE],
    ]),
    ...Object.values(lists?.layers ?? {})
      .flat()
      .flatMap(tablesOfList),
  ];
}

/**
 * Reads all of them, of which only the texts that the screener needs become strings.
 *
 * @throws {CorruptDataError} the bytes do not match the manifest. ENOENT: it was replaced.
 */
export function readVersionTables(folder: string, manifest: Manifest): ScreenerTable {
  for (const [ref, table] of tablesOf(manifest)) readTable(folder, ref, table);
  const names = readTable(folder, manifest.symbols, SYMBOL_TABLE).symbol;
  const quotes = readTable(folder, manifest.quotes, QUOTE_TABLE);
  const listings = readTable(folder, manifest.directory, DIRECTORY_TABLE);
  return screenerTable({ id: snapshotId(manifest), names, quotes, listings });
}
