/**
 * Removes a segment of candles as if it had never been loaded; rows that it superseded are served
 * again.
 *
 * A stored bar names one file, even if several gave the same values. So this is exact only if every
 * row of every other raw file of the source is stored as that file's own.
 */

import type { DuckDBConnection } from '@duckdb/node-api';
import type { Basis } from '../../../base/bars.ts';
import { FILE_SOURCES } from '../../../base/sources.ts';
import type { StoredInterval } from '../../../base/time/intervals.ts';
import { mergeIncoming } from '../candles/merge-raw.ts';
import { type BarTable, barTable } from '../connection/bar-table.ts';
import { NEW_TOUCHED } from '../connection/changes.ts';
import { nextIds, writeCommand } from '../connection/ledger.ts';
import type { MarketDb } from '../connection/open.ts';
import { deleteOrphanRows } from '../connection/orphan-rows.ts';
import { exists, inTransaction, selectColumn } from '../connection/sql-rows.ts';
import { settleRecords } from '../load/settle-load.ts';
import { recordMoves, rememberPlaces } from '../securities/moved-series.ts';
import { datedTickers } from '../securities/resolve-tickers.ts';
import { partAgain } from '../securities/reused-tickers.ts';
import {
  movedFiles,
  moveVintages,
  readPlacesOfSegment,
  settledAsOf,
} from '../vintages/file-vintages.ts';
import { recomputeWinners } from '../vintages/winners.ts';
import { isLoadNumber, type LoadedSegment } from './list.ts';

/** Returns true if a segment can be dropped exactly without a rebuild of the store. */
export async function canDropInPlace(
  { connection }: MarketDb,
  { seq, dataset, basis, interval }: LoadedSegment,
): Promise<boolean> {
  if (dataset !== 'candles' || interval === null) return false;
  if (basis !== 'raw') return true;
  const { bars, superseded } = barTable(interval as StoredInterval);
  return !(await exists(
    connection,
    `WITH meant AS (FROM segments WHERE seq = ${seq}),
       others AS (
         SELECT f.file_id, f.accepted FROM segment_files f JOIN segments g ON g.seq = f.segment_seq
         JOIN meant m ON m.source = g.source AND m.interval = g.interval AND m.basis = g.basis
         WHERE g.seq <> ${seq}),
       held AS (
         SELECT file_id, count(*) AS rows FROM (FROM ${bars} UNION ALL FROM ${superseded})
         SEMI JOIN others USING (file_id) GROUP BY file_id)
     FROM others o LEFT JOIN held h USING (file_id) WHERE coalesce(h.rows, 0) <> o.accepted`,
  ));
}

export async function dropInPlace(
  { connection }: MarketDb,
  segment: LoadedSegment,
  nowMs: number,
): Promise<void> {
  await deleteOrphanRows(connection);
  await inTransaction(connection, () => drop(connection, segment, nowMs));
}

async function drop(
  connection: DuckDBConnection,
  segment: LoadedSegment,
  nowMs: number,
): Promise<void> {
  const stored = segment.interval as StoredInterval;
  const { bars, superseded } = barTable(stored);
  const { seq } = await nextIds(connection);
  const isRaw = segment.basis === 'raw';
  const all = await readPlacesOfSegment(connection, segment.seq);
  await connection.run(`
    CREATE OR REPLACE TEMP TABLE dropped_files AS
    SELECT file_id FROM segment_files WHERE segment_seq = ${segment.seq}`);
  await connection.run(`
    CREATE OR REPLACE TEMP TABLE dropped_keys AS
    SELECT series_id, ts FROM (FROM ${bars} UNION ALL FROM ${superseded})
    SEMI JOIN dropped_files USING (file_id)`);
  await connection.run(`
    CREATE OR REPLACE TEMP TABLE loading_symbols AS
    SELECT symbol FROM series SEMI JOIN dropped_keys USING (series_id)
    UNION SELECT symbol FROM action_coverage WHERE segment_seq = ${segment.seq}`);
  const tickers = await selectColumn<string>(
    connection,
    `SELECT DISTINCT ticker FROM series SEMI JOIN dropped_keys USING (series_id)
     UNION SELECT symbol FROM loading_symbols`,
  );
  await connection.run(NEW_TOUCHED);
  await connection.run('CREATE OR REPLACE TEMP TABLE incoming AS FROM bars LIMIT 0');
  await rememberPlaces(connection);
  for (const table of [bars, superseded]) {
    await connection.run(`DELETE FROM ${table} WHERE file_id IN (FROM dropped_files)`);
  }
  await connection.run(`
    DELETE FROM stated_actions WHERE statement_id IN (
      SELECT statement_id FROM action_coverage WHERE segment_seq = ${segment.seq})`);
  await connection.run(`DELETE FROM action_coverage WHERE segment_seq = ${segment.seq}`);
  await connection.run(`DELETE FROM segment_files WHERE segment_seq = ${segment.seq}`);
  // Its number and time stay, since a published version may refer to them.
  await connection.run(`
    UPDATE segments SET dataset = 'drop', kind = 'command', source = NULL, interval = NULL,
      basis = NULL WHERE seq = ${segment.seq}`);
  await restateSeries(connection, { bars, superseded }, isRaw);
  const left = all.filter(({ isOther }) => isOther);
  const moved = movedFiles(left, settledAsOf(left));
  await moveVintages(connection, { bars, superseded }, moved, isRaw);
  if (isRaw) {
    await connection.run(`
      INSERT INTO incoming FROM ${superseded} r SEMI JOIN dropped_keys USING (series_id, ts)
      WHERE NOT EXISTS (FROM ${bars} b WHERE b.series_id = r.series_id AND b.ts = r.ts)`);
    await connection.run(`
      DELETE FROM ${superseded} WHERE (series_id, ts) IN (SELECT series_id, ts FROM incoming)
        AND NOT EXISTS (FROM ${bars} b WHERE b.series_id = ${superseded}.series_id
          AND b.ts = ${superseded}.ts)`);
    await mergeIncoming(connection, { bars, superseded });
  }
  await connection.run('DELETE FROM series WHERE row_count = 0');
  await recomputeWinners(connection, stored);
  await recordMoves(connection, seq);
  await recordRows(connection, stored, seq);
  const feed = { source: segment.source, basis: segment.basis as Basis };
  const mayPart = stored === '1d' && FILE_SOURCES.includes(feed.source);
  const parted = mayPart ? await partAgain(connection, { tickers, feed }, nowMs) : [];
  const unsettled = new Set([...(await datedTickers(connection, tickers)), ...parted]);
  await settleRecords(connection, { unsettled, seq, nowMs });
  await noteDrop(connection, segment, seq, nowMs);
}

/** Records the drop in the ledger, so that a repeated command is recognized. */
export async function noteDrop(
  connection: DuckDBConnection,
  { seq: number, id, origin }: LoadedSegment,
  seq: number,
  nowMs: number,
): Promise<void> {
  const what = `segment ${number} ${id}: ${origin}`;
  await writeCommand(connection, { seq, dataset: 'drop', what, nowMs });
}

/** Returns true if a segment with this number, or with this beginning of its id, was dropped. */
export async function wasDropped({ connection }: MarketDb, which: string): Promise<boolean> {
  const condition = isLoadNumber(which)
    ? "$1 = split_part(origin, ' ', 2)"
    : "starts_with(split_part(origin, ' ', 3), $1)";
  return exists(connection, `FROM segments WHERE dataset = 'drop' AND ${condition}`, [which]);
}

/** Restates bounds, counts and vintages of the series that have lost rows. */
async function restateSeries(
  connection: DuckDBConnection,
  { bars, superseded }: BarTable,
  isRaw: boolean,
): Promise<void> {
  await connection.run(`
    UPDATE series SET row_count = coalesce(n.row_count, 0), first_ts = n.first_ts, last_ts = n.last_ts
    FROM (SELECT k.series_id, count(b.ts) AS row_count, min(b.ts) AS first_ts, max(b.ts) AS last_ts
          FROM (SELECT DISTINCT series_id FROM dropped_keys) k
          LEFT JOIN ${bars} b ON b.series_id = k.series_id GROUP BY k.series_id) n
    WHERE series.series_id = n.series_id`);
  if (!isRaw) return;
  await connection.run(`
    UPDATE series SET as_of = n.as_of, modified = coalesce(n.modified, make_timestamp(0))
    FROM (SELECT r.series_id, max(coalesce(f.newest, f.as_of)) AS as_of, max(f.modified) AS modified
          FROM (SELECT DISTINCT series_id, file_id FROM (FROM ${bars} UNION ALL FROM ${superseded})
                WHERE series_id IN (SELECT series_id FROM dropped_keys)) r
          JOIN segment_files f USING (file_id) GROUP BY r.series_id) n
    WHERE series.series_id = n.series_id`);
}

/** Records removed and changed rows within series that stay served. */
async function recordRows(
  connection: DuckDBConnection,
  stored: StoredInterval,
  seq: number,
): Promise<void> {
  await connection.run(`
    INSERT INTO changes
    SELECT ${seq}, w.symbol, w.interval, 'rewrite', min(k.ts)
    FROM (FROM dropped_keys UNION SELECT series_id, ts FROM touched) k
    JOIN winners w USING (series_id)
    WHERE w.interval = '${stored}' GROUP BY w.symbol, w.interval`);
}
