import { DuckDBInstance } from '@duckdb/node-api';
import type { CandleSegment } from '../connection/candle-segment.ts';
import { BAR_COLUMNS } from '../connection/schema-versions.ts';
import { insertRows } from './insert-rows.ts';

/**
 * Counts the bars that a load would take from a segment, by the checks of the load. Files that fail
 * are examined, as in a load, so that the segment states their faults.
 *
 * @param path Free path for the rows, which the caller removes.
 */
export async function countRows(segment: CandleSegment, path: string): Promise<number> {
  const instance = await DuckDBInstance.create(path);
  const connection = await instance.connect();
  try {
    await connection.run(`CREATE TABLE incoming (${BAR_COLUMNS})`);
    const ids = { firstFileId: 1, firstSeriesId: 1 };
    const { files } = await insertRows(connection, segment, 'incoming', ids);
    return files.reduce((sum, { accepted }) => sum + accepted, 0);
  } finally {
    connection.disconnectSync();
    instance.closeSync();
  }
}
