/** Loads of a store for the command line, newest first. */

import type { MarketDb } from '../connection/open.ts';
import { selectRow, selectRows } from '../connection/sql-rows.ts';

export interface LoadedSegment {
  seq: number;
  id: string;
  dataset: string;
  source: string;
  /** Interval in the store; null for records, like the basis. */
  interval: string | null;
  basis: string | null;
  origin: string;
  loadedMs: number;
  accepted: number;
  rejected: number;
  /** Number of symbols with stored rows; null for records. */
  symbols: number | null;
  /** First and last day of stored rows, ISO dates; null without rows. */
  firstDay: string | null;
  lastDay: string | null;
}

export async function listSegments(
  { connection }: MarketDb,
  limit: number,
): Promise<LoadedSegment[]> {
  return selectRows(connection, listSql('true', limit));
}

/** Returns true for a load's number; longer numbers are the start of an id. */
export function isLoadNumber(which: string): boolean {
  return /^\d{1,9}$/.test(which);
}

/** Finds the load with a number, an id, or the start of an id: two loads if that is ambiguous. */
export async function findLoaded(
  { connection }: MarketDb,
  which: string,
): Promise<LoadedSegment[]> {
  const isNumber = isLoadNumber(which);
  const found = await selectRows<LoadedSegment>(
    connection,
    listSql(isNumber ? `seq = ${which}` : 'starts_with(segment, $1)', 2),
    isNumber ? undefined : [which],
  );
  return found;
}

function listSql(condition: string, limit: number): string {
  return `
    WITH meant AS (
      FROM segments WHERE kind <> 'command' AND ${condition} ORDER BY seq DESC LIMIT ${limit}),
    files AS (
      SELECT segment_seq, file_id FROM segment_files WHERE segment_seq IN (SELECT seq FROM meant)),
    rows AS (
      SELECT f.segment_seq AS seq, count(DISTINCT r.series_id) AS symbols, min(r.ts) AS first_ts,
        max(r.ts) AS last_ts
      FROM (SELECT series_id, file_id, ts FROM bars UNION ALL
            SELECT series_id, file_id, ts FROM rival_bars UNION ALL
            SELECT series_id, file_id, ts FROM intraday_bars UNION ALL
            SELECT series_id, file_id, ts FROM intraday_rival_bars) r
      JOIN files f USING (file_id) GROUP BY ALL)
    SELECT m.seq::INTEGER AS seq, segment AS id, dataset, source, interval, basis, origin,
      epoch_ms(loaded_at)::DOUBLE AS "loadedMs", accepted::DOUBLE AS accepted,
      rejected::DOUBLE AS rejected, symbols::DOUBLE AS symbols,
      strftime(first_ts, '%Y-%m-%d') AS "firstDay", strftime(last_ts, '%Y-%m-%d') AS "lastDay"
    FROM meant m LEFT JOIN rows USING (seq) ORDER BY m.seq DESC`;
}

/** Number of served bars of all base intervals, and of symbols with any. */
export interface ServedCounts {
  bars: number;
  symbols: number;
}

export function countServed({ connection }: MarketDb): Promise<ServedCounts> {
  return selectRow(
    connection,
    'SELECT count(*)::DOUBLE AS bars, count(DISTINCT symbol)::DOUBLE AS symbols FROM candles',
  );
}
