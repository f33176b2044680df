/**
 * The usual load, a new day or minute of served series: the last piece of each series grows and
 * nothing else changes. One SQL statement handles all such symbols.
 */

import type { DuckDBConnection } from '@duckdb/node-api';
import { storedInterval } from '../connection/bar-table.ts';
import type { CandleSegment } from '../connection/candle-segment.ts';
import { exists } from '../connection/sql-rows.ts';

/**
 * Lengthens the pieces of series whose rows in `touched` are all later than any served bar, writes
 * their `changes`, and takes the symbols out of `loading_symbols`.
 *
 * A full comparison gives the same pieces only if every other series of the symbol ends before the
 * served bars do, and is of another source, so that a newer as-of can't change the ranking; raw
 * series of one source, as a security with several tickers has, are ranked by their last bars. Days
 * whose corporate actions are known up to the last day are left out: that may not hold for the new
 * day.
 *
 * @returns true if no symbol is left to compare.
 */
export async function extendWinners(
  connection: DuckDBConnection,
  segment: CandleSegment,
  seq: number,
): Promise<boolean> {
  const interval = storedInterval(segment);
  await connection.run(`
    CREATE OR REPLACE TEMP TABLE extended AS
    WITH grown AS (
      SELECT series_id, min(ts) AS from_ts, max(ts) AS to_ts FROM touched GROUP BY series_id),
    ends AS (
      SELECT symbol, max(to_ts) AS served_to FROM winners
      WHERE interval = '${interval}' GROUP BY symbol),
    longer AS (
      SELECT s.symbol, s.interval, s.source, s.basis, g.*, e.served_to
      FROM grown g JOIN series s USING (series_id) JOIN ends e ON e.symbol = s.symbol
      JOIN winners w ON w.series_id = g.series_id AND w.to_ts = e.served_to
      WHERE g.from_ts > e.served_to),
    uncertain AS (
      SELECT l.symbol FROM longer l JOIN series o USING (symbol, interval)
      WHERE o.series_id <> l.series_id AND (o.last_ts >= l.served_to
        OR (o.source = l.source AND NOT (o.basis = 'raw' AND l.basis = 'raw')))
      UNION ALL
      SELECT l.symbol FROM longer l JOIN action_coverage c USING (symbol)
      WHERE l.interval = '1d' AND c.to_date >= l.served_to::DATE)
    SELECT symbol, series_id, from_ts, to_ts, served_to
    FROM longer ANTI JOIN uncertain USING (symbol) SEMI JOIN loading_symbols USING (symbol)`);
  const { rowsChanged } = await connection.run(`
    UPDATE winners SET to_ts = x.to_ts FROM extended x
    WHERE winners.series_id = x.series_id AND winners.to_ts = x.served_to`);
  if (rowsChanged === 0) return false;
  await connection.run(
    `INSERT INTO changes SELECT ${seq}, symbol, '${interval}', 'append', from_ts FROM extended`,
  );
  await connection.run('DELETE FROM loading_symbols WHERE symbol IN (SELECT symbol FROM extended)');
  return !(await exists(connection, 'FROM loading_symbols'));
}
