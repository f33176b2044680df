/** Rows of staged segments and of their quarantine, for tests. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type {
  FetchContext,
  FetchedRows,
} from '../../../../../src/ingest/contract/fetch-context.ts';
import { inMemory } from '../../../support/in-memory.ts';

export interface StagedSegment {
  segments: FetchedRows[];
  /** Columns as texts; null stays. */
  rows: Record<string, string | null>[];
  /** The texts of all quarantine files. */
  quarantine: string;
}

export function landAll(
  segments: AsyncIterable<FetchedRows>,
  { paths }: FetchContext,
): Promise<StagedSegment> {
  return inMemory(async (connection) => {
    const landed: StagedSegment = { segments: [], rows: [], quarantine: '' };
    for await (const segment of segments) {
      landed.segments.push(segment);
      const rows = await connection.runAndReadAll(
        `SELECT COLUMNS(*)::VARCHAR FROM read_parquet('${segment.parquetPath}')
         ORDER BY accession, line`,
      );
      landed.rows.push(...(rows.getRowObjectsJS() as StagedSegment['rows']));
      const path = join(paths.quarantine, `${segment.id}.csv`);
      if (existsSync(path)) landed.quarantine += readFileSync(path, 'utf8');
    }
    return landed;
  });
}
