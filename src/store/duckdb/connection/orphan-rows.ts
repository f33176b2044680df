/**
 * Orphan rows left by a file that was read again in exact mode. They have no series, so no query
 * sees them.
 */

import type { DuckDBConnection } from '@duckdb/node-api';
import { BAR_TABLES } from './bar-table.ts';
import { exists, inTransaction } from './sql-rows.ts';

/**
 * Records orphan rows in the transaction that leaves them, so that a crash before the deletion is
 * safe.
 */
export async function noteOrphanRows(
  connection: DuckDBConnection,
  seriesIds: readonly number[],
): Promise<void> {
  if (seriesIds.length === 0) return;
  await connection.run(
    `INSERT INTO dead_series VALUES ${seriesIds.map((seriesId) => `(${seriesId})`).join(', ')}`,
  );
}

export async function deleteOrphanRows(connection: DuckDBConnection): Promise<void> {
  if (!(await exists(connection, 'FROM dead_series'))) return;
  await inTransaction(connection, async () => {
    for (const { bars } of BAR_TABLES) {
      await connection.run(`DELETE FROM ${bars} WHERE series_id IN (FROM dead_series)`);
    }
    await connection.run('DELETE FROM dead_series');
  });
}
