/**
 * Bars of a user's files that only the hash of the files decides. The load reports them, so that
 * the user can choose.
 */

import type { DuckDBConnection } from '@duckdb/node-api';
import { limits } from '../../../base/limits.ts';
import { barTable, storedInterval } from '../connection/bar-table.ts';
import type { CandleSegment } from '../connection/candle-segment.ts';
import { selectRows, selectValue } from '../connection/sql-rows.ts';

export interface Undecided {
  count: number;
  shown: string[];
}

const VALUES = ['close', 'open', 'high', 'low', 'volume'] as const;

/** Two stored bars of one moment; the first one is served. */
const PAIR_COLUMNS = `ts, ${VALUES.map((v) => `a.${v} AS a_${v}, b.${v} AS b_${v}`).join(', ')}`;
const DIFFER = `(${VALUES.map((v) => `a.${v} IS DISTINCT FROM b.${v}`).join(' OR ')})`;
const ALIKE = 'a.as_of = b.as_of AND a.modified = b.modified AND a.modified > make_timestamp(0)';

/**
 * @param newFromSeriesId First of its new series; undefined: its rows were merged, and `conflicts`
 *   has the bars that several files claim.
 * @returns undefined if everything is decided, and for vendors' segments.
 */
export async function findUndecided(
  connection: DuckDBConnection,
  segment: CandleSegment,
  { seq, newFromSeriesId }: { seq: number; newFromSeriesId: number | undefined },
): Promise<Undecided | undefined> {
  if (segment.files.every(({ modifiedUs }) => modifiedUs === undefined)) return undefined;
  const pairs =
    newFromSeriesId === undefined ? mergedSql(seq) : ownSeriesSql(segment, newFromSeriesId);
  await connection.run(`CREATE OR REPLACE TEMP TABLE undecided AS ${pairs}`);
  const count = await selectValue<number>(connection, 'SELECT count(*)::DOUBLE FROM undecided');
  if (count === 0) return undefined;
  const rows = await selectRows<Record<string, string | number>>(
    connection,
    `SELECT * REPLACE (strftime(ts, '%Y-%m-%d %H:%M') AS ts) FROM undecided
     ORDER BY symbol, undecided.ts LIMIT ${limits.store.undecidedShownMax}`,
  );
  return { count, shown: rows.map(textOf) };
}

/** Returns SQL for raw rows: the served row of each moment and the next best one. */
function mergedSql(seq: number): string {
  return `
    SELECT s.symbol, x.path AS a_path, y.path AS b_path, ${PAIR_COLUMNS}
    FROM (SELECT c.*, f.as_of, f.modified FROM conflicts c JOIN segment_files f USING (file_id)
          WHERE place = 1) a
    JOIN (SELECT c.*, f.as_of, f.modified FROM conflicts c JOIN segment_files f USING (file_id)
          WHERE place = 2) b USING (series_id, ts)
    JOIN segment_files x ON x.file_id = a.file_id JOIN segment_files y ON y.file_id = b.file_id
    JOIN series s USING (series_id)
    WHERE ${ALIKE} AND ${seq} IN (x.segment_seq, y.segment_seq) AND ${DIFFER}`;
}

/** Returns SQL for adjusted series: pairs with one series of the load. */
function ownSeriesSql(segment: CandleSegment, newFromSeriesId: number): string {
  const { bars } = barTable(segment.interval);
  return `
    WITH pairs AS (
      SELECT a.symbol, a.series_id AS a_id, b.series_id AS b_id, x.path AS a_path, y.path AS b_path
      FROM (FROM series SEMI JOIN loading_symbols USING (symbol)) a
      JOIN series b ON b.symbol = a.symbol AND b.interval = a.interval AND b.source = a.source
        AND b.basis = a.basis AND a.sha256 > b.sha256
      JOIN (SELECT sha256, min(path) AS path FROM segment_files GROUP BY sha256) x
        ON x.sha256 = a.sha256
      JOIN (SELECT sha256, min(path) AS path FROM segment_files GROUP BY sha256) y
        ON y.sha256 = b.sha256
      WHERE a.interval = '${storedInterval(segment)}' AND a.basis <> 'raw' AND ${ALIKE}
        AND greatest(a.series_id, b.series_id) >= ${newFromSeriesId})
    SELECT p.symbol, p.a_path, p.b_path, ${PAIR_COLUMNS}
    FROM pairs p JOIN ${bars} a ON a.series_id = p.a_id
    JOIN ${bars} b USING (ts) WHERE b.series_id = p.b_id AND ${DIFFER}`;
}

function textOf(row: Record<string, string | number>): string {
  const value = VALUES.find((name) => row[`a_${name}`] !== row[`b_${name}`])!;
  const when = String(row.ts).replace(' 00:00', '');
  return (
    `${row.symbol} ${when}: ${value} ${row[`a_${value}`]} of "${row.a_path}" is served, ` +
    `${row[`b_${value}`]} of "${row.b_path}" is not`
  );
}
