/**
 * Keeps the table `changes` bounded: minute after minute it gets a row of every series.
 *
 * Which versions are published is not known here. So the newest rows stay as they are, and of the
 * older ones each series keeps one, which says what all of them said. A publisher that is so far
 * behind writes more than it would have to, the whole of a series as a rule, and nothing wrong.
 */

import type { DuckDBConnection } from '@duckdb/node-api';
import { limits } from '../../../base/limits/limits.ts';
import { inTransaction, selectRow } from '../connection/sql-rows.ts';

const NEWEST = (kinds: string) => `coalesce(max(seq) FILTER (kind ${kinds}), 0)`;

/**
 * One kind for all changes of a series: an append after a rewrite, or before one, is part of it;
 * what comes after a removal, or in the same load, is a rewrite of the whole series.
 */
export const FOLDED_KIND = `CASE WHEN max(kind) = 'append' THEN 'append'
  WHEN ${NEWEST("= 'remove'")} > ${NEWEST("<> 'remove'")} THEN 'remove' ELSE 'rewrite' END`;

/**
 * Folds the rows before the newest `rowsMax`, once there are twice as many; until then it only
 * counts them. In a transaction of its own, see `dead-rows.ts`.
 */
export async function foldChanges(
  connection: DuckDBConnection,
  rowsMax: number = limits.store.changesMax,
): Promise<void> {
  const { count } = await selectRow<{ count: number }>(
    connection,
    'SELECT count(*)::DOUBLE AS count FROM changes',
  );
  if (count <= 2 * rowsMax) return;
  const { seq } = await selectRow<{ seq: number | null }>(
    connection,
    `SELECT max(seq)::DOUBLE AS seq FROM (
       SELECT seq, sum(count(*)) OVER (ORDER BY seq DESC) AS newer FROM changes GROUP BY seq)
     WHERE newer > ${rowsMax}`,
  );
  await inTransaction(connection, async () => {
    await connection.run(`
      CREATE OR REPLACE TEMP TABLE folded AS
      SELECT max(seq) AS seq, symbol, interval, ${FOLDED_KIND} AS kind, min(from_ts) AS from_ts
      FROM changes WHERE seq <= ${seq} GROUP BY symbol, interval`);
    await connection.run(`DELETE FROM changes WHERE seq <= ${seq}`);
    await connection.run('INSERT INTO changes FROM folded ORDER BY seq, interval, symbol');
  });
}
