/** Rows of landed segments of datasets, as their Parquet files have them. */

import { DuckDBInstance } from '@duckdb/node-api';
import type { FetchedRows } from '../../../src/ingest/contract/fetch-context.ts';

/** One for all: opening one takes longer than the rows. */
const MEMORY = DuckDBInstance.create(':memory:');

export type LandedRow = Record<string, unknown>;

/** Under the column names of the table, dates and times as texts, in the order of the columns. */
export async function landedRows({ parquetPath }: FetchedRows): Promise<LandedRow[]> {
  const connection = await (await MEMORY).connect();
  try {
    const sql = 'FROM read_parquet($1) ORDER BY ALL';
    return (await connection.runAndReadAll(sql, [parquetPath])).getRowObjectsJson();
  } finally {
    connection.disconnectSync();
  }
}

/** All segments of a source and the rows of all of them. */
export async function fetchRows(
  source: AsyncIterable<FetchedRows>,
): Promise<{ segments: FetchedRows[]; rows: LandedRow[] }> {
  const segments: FetchedRows[] = [];
  const rows: LandedRow[] = [];
  for await (const segment of source) {
    segments.push(segment);
    rows.push(...(await landedRows(segment)));
  }
  return { segments, rows };
}
