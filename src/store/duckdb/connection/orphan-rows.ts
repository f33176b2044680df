/**
 * Rows of bars that belong to nothing: first reads of files that had to be read again. No
 * series, and so no view or reader, knows them; they go in a transaction of their own.
 */

import type { DuckDBConnection } from '@duckdb/node-api';
import { BAR_TABLES } from './bar-table.ts';
import { inTransaction, selectRow } from './sql-rows.ts';

/** Notes dead rows in the transaction that leaves them, so that a crash before the sweep is safe. */
export async function noteDeadRows(
  connection: DuckDBConnection,
  seriesIds: readonly number[],
): Promise<void> {
  if (seriesIds.length === 0) return;
  await connection.run(
    `INSERT INTO dead_series VALUES ${seriesIds.map((seriesId) => `(${seriesId})`).join(', ')}`,
  );
}

export async function sweepDeadRows(connection: DuckDBConnection): Promise<void> {
  const { found } = await selectRow<{ found: number }>(
    connection,
    'SELECT count(*)::INTEGER AS found FROM dead_series',
  );
  if (found === 0) return;
  await inTransaction(connection, async () => {
    for (const { bars } of BAR_TABLES) {
      await connection.run(`DELETE FROM ${bars} WHERE series_id IN (FROM dead_series)`);
    }
    await connection.run('DELETE FROM dead_series');
  });
}
