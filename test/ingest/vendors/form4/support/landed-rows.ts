/** Rows of staged segments and of their quarantine, for tests. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import type {
  FetchContext,
  FetchedRows,
} from '../../../../../src/ingest/contract/fetch-context.ts';

export interface Landed {
  segments: FetchedRows[];
  /** Columns as texts; null stays. */
  rows: Record<string, string | null>[];
  /** The texts of all quarantine files. */
  quarantine: string;
}

export async function landAll(
  segments: AsyncIterable<FetchedRows>,
  { paths }: FetchContext,
): Promise<Landed> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const landed: Landed = { segments: [], rows: [], quarantine: '' };
  try {
    for await (const segment of segments) {
      landed.segments.push(segment);
      const rows = await connection.runAndReadAll(
        `SELECT COLUMNS(*)::VARCHAR FROM read_parquet('${segment.parquetPath}')
         ORDER BY accession, line`,
      );
      landed.rows.push(...(rows.getRowObjectsJS() as Landed['rows']));
      const path = join(paths.quarantine, `${segment.id}.csv`);
      if (existsSync(path)) landed.quarantine += readFileSync(path, 'utf8');
    }
  } finally {
    connection.disconnectSync();
    instance.closeSync();
  }
  return landed;
}
