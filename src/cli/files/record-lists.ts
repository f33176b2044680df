/** Records of whole datasets as tables, a row group at a time. */

import type { z } from 'zod';
import { tableFromRows } from '../../api/responses/record-pages.ts';
import type { Table } from '../../api/responses/table.ts';
import { ratingChangeSchema } from '../../api/routes/analysts/schema.ts';
import {
  balanceSheetRowSchema,
  incomeStatementSchema,
} from '../../api/routes/fundamentals/schema.ts';
import { transactionSchema } from '../../api/routes/insider/schema.ts';
import { articleSchema } from '../../api/routes/news/schema.ts';
import { limits } from '../../base/limits.ts';
import { EVERYTHING, type ListRow } from '../../store/arrow/lists/specs.ts';
import type { PublishedVersion } from '../../store/arrow/read/published-version.ts';

/** Datasets of records, each with the schema of its records in responses. */
export const RECORD_SCHEMAS = {
  statements: incomeStatementSchema,
  'balance-sheet': balanceSheetRowSchema,
  insider: transactionSchema,
  news: articleSchema,
  'upgrades-downgrades': ratingChangeSchema,
} as const satisfies Record<string, z.ZodObject>;

export type RecordDataset = keyof typeof RECORD_SCHEMAS;

/** True if records of a dataset have versions, so that each row says when it became known. */
const HAS_VERSIONS: Partial<Record<RecordDataset, true>> = {
  statements: true,
  'balance-sheet': true,
};

/**
 * Yields tables of all records: by symbol, and in the order of the API's list for each; news by
 * time. At least one table, which may be empty.
 */
export function* recordTables(version: PublishedVersion, dataset: RecordDataset): Generator<Table> {
  let rows: { symbol: string; row: ListRow }[] = [];
  let hasTable = false;
  for (const symbol of dataset === 'news' ? [EVERYTHING] : version.listings.symbol) {
    for (const row of version.lists.list(dataset, symbol).rows()) {
      rows.push({ symbol, row });
      if (rows.length < limits.parquet.recordRows) continue;
      yield tableOf(dataset, rows);
      hasTable = true;
      rows = [];
    }
  }
  if (rows.length > 0 || !hasTable) yield tableOf(dataset, rows);
}

function tableOf(dataset: RecordDataset, rows: readonly { symbol: string; row: ListRow }[]): Table {
  const schema: z.ZodObject = RECORD_SCHEMAS[dataset];
  const isOwn = 'symbol' in schema.shape || dataset === 'news';
  const records = rows.map(({ row }) => JSON.parse(row.json));
  return [
    ...(isOwn
      ? []
      : [{ name: 'symbol', type: 'text' as const, values: rows.map(({ symbol }) => symbol) }]),
    ...tableFromRows(records, schema),
    ...(HAS_VERSIONS[dataset] ? [knownAt(rows)] : []),
  ];
}

function knownAt(rows: readonly { row: ListRow }[]) {
  const micros = rows.map(({ row }) => BigInt(row.knownMs ?? 0) * 1000n);
  return { name: 'knownAt', type: 'timestamp' as const, values: BigInt64Array.from(micros) };
}
