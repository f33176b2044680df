import type { DuckDBConnection } from '@duckdb/node-api';
import type { CandleBatch } from '../candles/candle-batch.ts';
import type { LoadedFile } from '../candles/insert-rows.ts';
import { storedInterval } from '../connection/bar-table.ts';
import { eventIdOf } from '../connection/outbox.ts';
import { listsOf, listTable, runOne, selectRows, sqlTimestamp } from '../connection/sql-rows.ts';

/** A change of the batch, attributed to one of its segments. */
export interface SegmentChange {
  seq: number;
  symbol: string;
  interval: string;
  /** The first moment from which on bars differ, milliseconds. */
  fromMs: number;
}

/**
 * Attributes each of the batch's `changes` to the segments with newly served rows, from the first
 * of these rows on. The first segment also gets a change that begins before all of them. A change
 * without such rows belongs to the last segment that states actions of the symbol, else to the last
 * of all.
 */
export async function attributeChanges(
  connection: DuckDBConnection,
  batch: CandleBatch,
  files: readonly LoadedFile[],
): Promise<SegmentChange[]> {
  const isOne = batch.parts.length === 1;
  if (!isOne) await nameLoadedFiles(connection, batch, files);
  return selectRows(
    connection,
    `SELECT seq::INTEGER AS seq, symbol, interval, epoch_ms(from_ts)::DOUBLE AS "fromMs"
     FROM (${isOne ? `FROM changes WHERE seq = ${batch.seq}` : ownedSql(batch)})`,
  );
}

const FILE_COLUMNS = { seq: 'INTEGER', fileId: 'INTEGER', seriesId: 'INTEGER' } as const;

async function nameLoadedFiles(
  connection: DuckDBConnection,
  { parts }: CandleBatch,
  files: readonly LoadedFile[],
): Promise<void> {
  const rows = parts.flatMap(({ segment, firstFile, seq }) =>
    files
      .slice(firstFile, firstFile + segment.files.length)
      .map(({ fileId, seriesId }) => ({ seq, fileId, seriesId })),
  );
  await runOne(
    connection,
    `CREATE OR REPLACE TEMP TABLE loaded_files AS
     SELECT seq, "fileId" AS file_id, "seriesId" AS series_id FROM ${listTable(FILE_COLUMNS)}`,
    listsOf(rows, FILE_COLUMNS),
  );
}

/** Returns SQL of attributed changes. Merged rows are in `touched`; other series are of one file. */
function ownedSql({ joined, parts, seq }: CandleBatch): string {
  const interval = storedInterval(joined);
  return `
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
    FROM owned WINDOW one AS (PARTITION BY symbol, interval)`;
}

const EVENT_COLUMNS = { seq: 'INTEGER', eventId: 'VARCHAR', payload: 'VARCHAR' } as const;

/** Writes a `candles.updated` event for each segment and interval that it has changed. */
export async function writeCandlesUpdated(
  connection: DuckDBConnection,
  { joined, parts }: CandleBatch,
  changes: readonly SegmentChange[],
  nowMs: number,
): Promise<void> {
  const served = changes.filter(({ interval }) => !interval.endsWith('-extended')).sort(bySegment);
  const groups = Map.groupBy(served, ({ seq, interval }) => `${seq} ${interval}`);
  const events = [...groups.values()].map((group) => {
    const [{ seq, interval }] = group;
    const { segment } = parts.find((part) => part.seq === seq)!;
    const from = group.reduce((least, { fromMs }) => Math.min(least, fromMs), Infinity);
    const symbols = [...new Set(group.map(({ symbol }) => symbol))].sort();
    const eventId = eventIdOf('candles.updated', segment.id, interval);
    const payload = JSON.stringify({ source: joined.source, interval, from, symbols });
    return { seq, eventId, payload };
  });
  if (events.length === 0) return;
  await runOne(
    connection,
    `INSERT INTO outbox
     SELECT seq, "eventId", 'candles.updated', payload, ${sqlTimestamp(nowMs * 1000)}
     FROM ${listTable(EVENT_COLUMNS)}`,
    listsOf(events, EVENT_COLUMNS),
  );
}

function bySegment(a: SegmentChange, b: SegmentChange): number {
  return a.seq - b.seq || (a.interval < b.interval ? -1 : 1);
}
