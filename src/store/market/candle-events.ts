/** Which segment of a batch has changed what is served, and the events that say so. */

import type { DuckDBConnection } from '@duckdb/node-api';
import { storedInterval } from './bar-table.ts';
import type { CandleBatch } from './candle-batch.ts';
import type { LandedFile } from './land-rows.ts';
import { eventIdSql } from './outbox.ts';
import { listsOf, listTable, selectRows, sqlTimestamp } from './sql-rows.ts';

/**
 * Makes the temporary table `told` (seq, symbol, interval, from_ts) of the batch's `changes`: each
 * belongs to the segments whose rows are served now and were not, from the first of these rows on.
 * Where it begins before all of these, it does so for the first of the segments. One that no rows
 * have made belongs to the last segment that states splits and dividends of the symbol, or to the
 * last of all.
 *
 * @param files In the order of the batch's files.
 * @returns how many (symbol, interval) pairs each segment has changed, by its number.
 */
export async function tellChanges(
  connection: DuckDBConnection,
  batch: CandleBatch,
  files: readonly LandedFile[],
): Promise<Map<number, number>> {
  await (batch.parts.length === 1 ? tellOfOne : tellOfMany)(connection, batch, files);
  const rows = await selectRows<{ seq: number; count: number }>(
    connection,
    'SELECT seq::INTEGER AS seq, count(*)::INTEGER AS count FROM told GROUP BY seq',
  );
  return new Map(rows.map(({ seq, count }) => [seq, count]));
}

async function tellOfOne(connection: DuckDBConnection, { seq }: CandleBatch): Promise<void> {
  await connection.run(`
    CREATE OR REPLACE TEMP TABLE told AS
    SELECT seq, symbol, interval, from_ts FROM changes WHERE seq = ${seq}`);
}

const FILE_COLUMNS = { seq: 'INTEGER', fileId: 'INTEGER', seriesId: 'INTEGER' } as const;

async function tellOfMany(
  connection: DuckDBConnection,
  { joined, parts, seq }: CandleBatch,
  files: readonly LandedFile[],
): Promise<void> {
  const interval = storedInterval(joined);
  const rows = parts.flatMap(({ segment, firstFile, seq }) =>
    files
      .slice(firstFile, firstFile + segment.files.length)
      .map(({ fileId, seriesId }) => ({ seq, fileId, seriesId })),
  );
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE loaded_files AS
     SELECT seq, "fileId" AS file_id, "seriesId" AS series_id FROM ${listTable(FILE_COLUMNS)}`,
    listsOf(rows, FILE_COLUMNS),
  );
  // Rows that were merged are in `touched`; a series that was added whole is its file's own.
  await connection.run(`
    CREATE OR REPLACE TEMP TABLE told AS
    WITH served AS (FROM winners WHERE interval = '${interval}'),
    brought AS (
      SELECT symbol, seq, min(from_ts) AS from_ts FROM (
        SELECT w.symbol, f.seq, t.ts AS from_ts
        FROM touched t JOIN (SELECT DISTINCT seq, file_id FROM loaded_files) f USING (file_id)
        JOIN served w ON w.series_id = t.series_id AND t.ts BETWEEN w.from_ts AND w.to_ts
        UNION ALL
        SELECT w.symbol, f.seq, w.from_ts FROM loaded_files f JOIN served w USING (series_id)
        WHERE NOT EXISTS (FROM touched t WHERE t.series_id = f.series_id))
      GROUP BY ALL),
    stated AS (
      SELECT symbol, max(segment_seq) AS seq FROM action_coverage
      WHERE segment_seq BETWEEN ${parts[0].seq} AND ${seq} GROUP BY symbol),
    owned AS (
      SELECT c.symbol, c.interval, c.from_ts AS change_from,
        greatest(b.from_ts, c.from_ts) AS brought_from,
        coalesce(b.seq, s.seq, ${seq}) AS seq
      FROM changes c
      LEFT JOIN brought b ON b.symbol = c.symbol AND c.interval = '${interval}'
      LEFT JOIN stated s ON s.symbol = c.symbol
      WHERE c.seq = ${seq})
    SELECT seq, symbol, interval,
      CASE WHEN brought_from IS NULL
          OR (seq = min(seq) OVER one AND min(brought_from) OVER one > change_from)
        THEN change_from ELSE brought_from END AS from_ts
    FROM owned WINDOW one AS (PARTITION BY symbol, interval)`);
}

/**
 * One `candles.updated` for each segment and interval of which it has changed what is served, by
 * the temporary table `told`; all its symbols, and the first moment from which on bars differ.
 */
export async function writeCandlesUpdated(
  connection: DuckDBConnection,
  { joined }: CandleBatch,
  nowMs: number,
): Promise<void> {
  await connection.run(
    `INSERT INTO outbox
     SELECT seq, ${eventIdSql("'candles.updated'", 'segment', 'interval')}, 'candles.updated',
       json_object('source', $1, 'interval', interval, 'from', epoch_ms(min(from_ts)),
         'symbols', list_sort(list(DISTINCT symbol))),
       ${sqlTimestamp(nowMs * 1000)}
     FROM (SELECT t.*, g.segment FROM told t JOIN segments g USING (seq))
     WHERE NOT suffix(interval, '-extended')
     GROUP BY seq, segment, interval ORDER BY seq, interval`,
    [joined.source],
  );
}
