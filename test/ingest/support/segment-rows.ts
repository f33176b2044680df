/** Reads a segment as the store reads it. */

import { join } from 'node:path';
import type { FetchContext, FetchedSegment } from '../../../src/ingest/contract/fetch-context.ts';
import type {
  CandleSegment,
  ExaminedFile,
} from '../../../src/store/duckdb/connection/candle-segment.ts';
import { closedRowsSql } from '../../../src/store/duckdb/connection/closed-rows.ts';
import { filePattern } from '../../../src/store/duckdb/connection/sql-rows.ts';
import { inMemory } from './in-memory.ts';

/** A context over a temporary folder, with the clock at `now`. */
export function testContext(root: string, now: string): FetchContext {
  return {
    paths: {
      segments: join(root, 'segments'),
      quarantine: join(root, 'quarantine'),
      scratch: join(root, 'scratch'),
      feeds: join(root, 'feeds.sqlite'),
    },
    nowMs: Date.parse(now),
    settings: {
      dataDir: root,
      contact: undefined,
      vendorUrls: {},
      vendorKeys: {},
      vendorLimits: {},
    },
  };
}

export interface Row {
  symbol: string;
  /** Date of a daily bar; for a bar of minutes, its start in UTC. */
  date: string;
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
}

export interface Loaded {
  rows: Row[];
  /** Files that had to be read the exact way. */
  examined: ExaminedFile[];
  accepted: number;
  rejected: number;
}

/**
 * Selects the rows of every group, examines files whose rows are not what was promised or not
 * rising, and asserts that each file's accepted and rejected rows are its lines.
 *
 * @param where Which rows are given, by `symbol` and the columns; all are counted.
 */
export function loadSegment(segment: CandleSegment, where = 'true'): Promise<Loaded> {
  return inMemory(async (connection) => {
    const select = async (sql: string) => (await connection.runAndReadAll(sql)).getRowObjectsJS();
    await connection.run(`CREATE TEMP TABLE loaded (file_index INTEGER, ts TIMESTAMP,
      open DOUBLE, high DOUBLE, low DOUBLE, close DOUBLE, volume DOUBLE)`);
    for (const { selectSql, fileIndexes } of segment.groups) {
      await connection.run(`INSERT INTO loaded SELECT ([${fileIndexes}])[file_index + 1], ts,
        open, high, low, close, volume FROM (${selectSql})`);
    }
    const counts = await select(`SELECT file_index AS file, count(*)::INTEGER AS rows,
      coalesce(bool_and(rising), true) AS rising
      FROM (SELECT file_index, ts > lag(ts) OVER (PARTITION BY file_index ORDER BY rowid) AS rising
            FROM loaded) GROUP BY ALL`);
    const byFile = new Map(counts.map((row) => [row.file, row]));
    const dates = await select(`SELECT file_index AS file, (epoch(ts) / 86400)::INTEGER AS day
      FROM loaded ORDER BY rowid`);
    const daysByFile = Map.groupBy(dates, ({ file }) => file);
    const filledRows = await select(`SELECT series AS file, list(day) AS days
      FROM (${closedRowsSql(`SELECT file_index AS series, 0 AS line,
        (epoch(ts) / 86400)::INTEGER AS day, open, high, low, close, volume,
        NULL::VARCHAR AS reason FROM loaded`)}) WHERE is_filled GROUP BY 1`);
    const filled = new Map(filledRows.map(({ file, days }) => [file, days as number[]]));
    const offenders = segment.files.flatMap(({ dataLines }, index) => {
      const { rows, rising } = byFile.get(index) ?? { rows: 0, rising: true };
      if (rows !== dataLines || !rising) return [index];
      const days = (daysByFile.get(index) ?? []).map(({ day }) => Number(day));
      return segment.areFalseDays?.(index, days, filled.get(index) ?? []) ? [index] : [];
    });
    const examined = offenders.length > 0 ? await segment.examine(offenders) : [];
    for (const { fileIndex, parquetPath, accepted, rejected } of examined) {
      if (accepted + rejected !== segment.files[fileIndex].dataLines) {
        throw new Error(`rows of ${segment.files[fileIndex].path} do not add up`);
      }
      await connection.run(`DELETE FROM loaded WHERE file_index = ${fileIndex}`);
      await connection.run(`INSERT INTO loaded SELECT file_index, ts, open, high, low, close, volume
        FROM read_parquet('${filePattern(parquetPath)}') WHERE file_index = ${fileIndex}`);
    }
    const symbols = segment.files.map(({ symbol }) => `'${symbol}'`);
    const rows = await select(`SELECT ([${symbols}])[file_index + 1] AS symbol,
      ${segment.interval === '1d' ? 'ts::DATE::VARCHAR' : "strftime(ts, '%Y-%m-%dT%H:%M:%SZ')"} AS date,
      open, high, low, close, volume
      FROM loaded WHERE ${where} ORDER BY symbol, ts`);
    const [{ accepted }] = await select('SELECT count(*)::INTEGER AS accepted FROM loaded');
    const lazily = examined.reduce((sum, { rejected }) => sum + rejected, 0);
    return {
      rows: rows as unknown as Row[],
      examined,
      accepted: Number(accepted),
      rejected: lazily + (segment.rejectedLines ?? 0),
    };
  });
}

/** Returns the rows of `loadSegment` alone. */
export async function readSegment(segment: CandleSegment): Promise<Row[]> {
  return (await loadSegment(segment)).rows;
}

export interface Fetched extends Loaded {
  segment: FetchedSegment;
  reasons: Record<string, number>;
}

/** Loads every segment of a source while its files are there. */
export async function fetchAll(
  segments: AsyncIterable<FetchedSegment>,
  where?: string,
): Promise<Fetched[]> {
  const all: Fetched[] = [];
  for await (const segment of segments) {
    const loaded = await loadSegment(segment, where);
    all.push({ ...loaded, segment, reasons: Object.fromEntries(segment.rejectedByReason) });
  }
  return all;
}

/** The only segment of a source. */
export async function fetchOne(
  segments: AsyncIterable<FetchedSegment>,
  where?: string,
): Promise<Fetched> {
  const [only, ...others] = await fetchAll(segments, where);
  if (others.length > 0) throw new Error(`expected one segment, got ${others.length + 1}`);
  return only;
}
