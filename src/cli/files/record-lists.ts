/** Records of whole datasets as tables, a row group at a time. */

import { z } from 'zod';
import { tableFromRows } from '../../api/responses/record-pages.ts';
import type { Table } from '../../api/responses/table.ts';
import { ratingChangeSchema } from '../../api/routes/analysts/schema.ts';
import { actionsOf, tableFromActions } from '../../api/routes/corporate-actions/route.ts';
import { filingSchema } from '../../api/routes/filings/schema.ts';
import { STATEMENT_ROWS } from '../../api/routes/fundamentals/schema.ts';
import { transactionSchema } from '../../api/routes/insider/schema.ts';
import { articleSchema } from '../../api/routes/news/schema.ts';
import { tableFromQuotes } from '../../api/routes/quotes/route.ts';
import { tableFromListings } from '../../api/routes/symbols/route.ts';
import type { ColumnKind, DatasetColumn } from '../../base/datasets/dataset.ts';
import { fileDatasets, type RowFile, type StatementName } from '../../base/datasets/datasets.ts';
import { limits } from '../../base/limits.ts';
import { EVERYTHING, type ListRow } from '../../store/arrow/lists/specs.ts';
import type { PublishedVersion } from '../../store/arrow/read/published-version.ts';
import { adjustmentsTable } from './adjustments.ts';

/** Schemas of the records in responses, of datasets that are no statements. */
const SCHEMAS: Record<Exclude<RowFile, StatementName>, z.ZodObject> = {
  filings: filingSchema,
  insider: transactionSchema,
  news: articleSchema,
  'upgrades-downgrades': ratingChangeSchema,
};

function schemaOf(dataset: RowFile): z.ZodObject {
  return STATEMENT_ROWS.get(dataset) ?? SCHEMAS[dataset as keyof typeof SCHEMAS];
}

/**
 * Yields tables of all records: by symbol, and in the order of the API's list for each; news by
 * time. At least one table, which may be empty.
 *
 * @param symbols Only records of these; default: all.
 */
export function* recordTables(
  version: PublishedVersion,
  dataset: RowFile,
  symbols?: readonly string[],
): Generator<Table> {
  let rows: { symbol: string; row: ListRow }[] = [];
  let hasTable = false;
  // The list of all articles is not by symbol.
  const mentioned = dataset === 'news' && symbols ? new Set(symbols) : undefined;
  for (const symbol of dataset === 'news' ? [EVERYTHING] : (symbols ?? version.listings.symbol)) {
    for (const row of version.lists.list(dataset, symbol).rows()) {
      if (mentioned?.isDisjointFrom(new Set(JSON.parse(row.json).symbols))) continue;
      rows.push({ symbol, row });
      if (rows.length < limits.parquet.recordRows) continue;
      yield tableOf(dataset, rows);
      hasTable = true;
      rows = [];
    }
  }
  if (rows.length > 0 || !hasTable) yield tableOf(dataset, rows);
}

function tableOf(dataset: RowFile, rows: readonly { symbol: string; row: ListRow }[]): Table {
  const schema = schemaOf(dataset);
  const isOwn = 'symbol' in schema.shape || dataset === 'news';
  const records = rows.map(({ row }) => JSON.parse(row.json));
  return [
    ...(isOwn
      ? []
      : [{ name: 'symbol', type: 'text' as const, values: rows.map(({ symbol }) => symbol) }]),
    ...tableFromRows(records, schema),
    // Statements have versions, so each row says when it became known.
    ...(STATEMENT_ROWS.has(dataset) ? [knownAt(rows)] : []),
    ...storedColumns(dataset, schema, rows),
  ];
}

/** Returns the columns of a dataset that responses leave out, so that its file loads again. */
function storedColumns(
  name: RowFile,
  served: z.ZodObject,
  rows: readonly { row: ListRow }[],
): Table {
  const { columns, time } = fileDatasets.find((one) => one.name === name)!;
  const others = columns.filter((one) => one.name !== 'symbol' && !(one.name in served.shape));
  const empty = Object.fromEntries(others.map((one) => [one.name, null]));
  const records = rows.map(({ row: { stored = '{}', knownMs } }) => ({
    ...empty,
    [time]: knownMs === null ? null : new Date(knownMs).toISOString(),
    ...JSON.parse(stored),
  }));
  return tableFromRows(
    records,
    z.strictObject(Object.fromEntries(others.map((one) => fieldOf(one, one.kind !== 'moment')))),
  );
}

/** Returns the name and the schema of a column. */
export function fieldOf({ name, kind }: DatasetColumn, isNullable: boolean): [string, z.ZodType] {
  const field = FIELDS[kind]?.() ?? z.string();
  return [name, isNullable ? field.nullable() : field];
}

const FIELDS: Partial<Record<ColumnKind, () => z.ZodType>> = {
  moment: z.iso.datetime,
  date: z.iso.date,
  number: z.number,
  integer: z.int,
};

/** Returns the directory as the API lists it, with the facts about each symbol that files have. */
function symbolsTable(version: PublishedVersion, symbols?: readonly string[]): Table {
  const { listings } = version;
  const rowOf = symbols && new Map(listings.symbol.map((symbol, row) => [symbol, row]));
  const rows = rowOf
    ? symbols.flatMap((symbol) => rowOf.get(symbol) ?? [])
    : [...listings.symbol.keys()];
  const texts = (['country', 'sector', 'industry'] as const).map((name) => ({
    ...{ name, type: 'optionalText' as const },
    values: rows.map((row) => listings[name][row] || null),
  }));
  return [
    ...tableFromListings(version, rows),
    ...texts,
    { name: 'cik', type: 'integer', values: Float64Array.from(rows, (row) => listings.cik[row]) },
  ];
}

/** Tables of prices and of the directory; of all symbols, or of some. */
export const WHOLE_TABLES: Record<
  'adjustments' | 'corporate-actions' | 'symbols' | 'quotes',
  (version: PublishedVersion, symbols?: readonly string[]) => Table
> = {
  adjustments: (version, symbols) => adjustmentsTable(version, '1d', symbols),
  'corporate-actions': (version, symbols = version.listings.symbol) =>
    tableFromActions(symbols.flatMap((symbol) => actionsOf(version, symbol))),
  symbols: symbolsTable,
  quotes: (version, symbols = version.symbols) =>
    tableFromQuotes(symbols.flatMap((symbol) => version.quote(symbol) ?? [])),
};

function knownAt(rows: readonly { row: ListRow }[]) {
  const micros = rows.map(({ row }) => BigInt(row.knownMs ?? 0) * 1000n);
  return { name: 'knownAt', type: 'timestamp' as const, values: BigInt64Array.from(micros) };
}
