/** The rows that a load has accepted, as one Parquet file. */

import type { DuckDBConnection } from '@duckdb/node-api';
import type { LandedFile } from '../candles/land-rows.ts';
import type { BarTable } from '../connection/bar-table.ts';
import { sqlString } from '../connection/sql-rows.ts';

/**
 * Writes the rows of a segment, in the order of its files, as (file_index, ts, open … volume).
 *
 * @param table Where they were landed. No other file's bars have replaced them yet.
 */
export async function copyRows(
  connection: DuckDBConnection,
  table: BarTable['bars'] | 'incoming',
  files: readonly LandedFile[],
  path: string,
): Promise<void> {
  const filled = files.filter(({ accepted }) => accepted > 0);
  const indexes = filled.map(({ fileIndex }) => fileIndex);
  const seriesIds = filled.map(({ seriesId }) => seriesId);
  const first = Math.min(...seriesIds, Number.MAX_SAFE_INTEGER);
  await connection.run(`
    COPY (SELECT p.file_index, ts, open, high, low, close, volume FROM ${table}
      JOIN (SELECT unnest([${indexes.join(',')}]::INTEGER[]) AS file_index,
              unnest([${seriesIds.join(',')}]::INTEGER[]) AS series_id) p USING (series_id)
      WHERE series_id >= ${first} ORDER BY 1, 2)
    TO ${sqlString(path)} (FORMAT parquet, COMPRESSION zstd)`);
}
