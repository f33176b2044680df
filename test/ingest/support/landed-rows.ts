/** Rows of landed segments of datasets, as their Parquet files have them. */

import type { FetchedRows } from '../../../src/ingest/contract/fetch-context.ts';
import { inMemory } from './in-memory.ts';

export type LandedRow = Record<string, unknown>;

/** Under the column names of the table, dates and times as texts, in the order of the columns. */
export function landedRows({ parquetPath }: FetchedRows): Promise<LandedRow[]> {
  const sql = 'FROM read_parquet($1) ORDER BY ALL';
  return inMemory(async (connection) =>
    (await connection.runAndReadAll(sql, [parquetPath])).getRowObjectsJson(),
  );
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
