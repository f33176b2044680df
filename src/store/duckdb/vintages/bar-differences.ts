/** Compares what was served before a load with what is served now, bar by bar. */

import type { DuckDBConnection } from '@duckdb/node-api';
import { barTable, type StoredInterval } from '../connection/bar-table.ts';
import { jsonTable, selectRows } from '../connection/sql-rows.ts';

/**
 * Finds the first bar at which the served series differ: the old pieces (`previous_winners`) and
 * the new ones, over the bars as they are now.
 *
 * A new vintage is often the old one with a few more bars; finding that saves publishing whole
 * series again. Hashes of bars that both sides have cancel out under XOR: first by year, then bar
 * by bar within the first year that differs. Joining the two sides costs three times as much.
 *
 * @returns microseconds by symbol; no entry if nothing differs.
 */
export async function readBarDifferences(
  connection: DuckDBConnection,
  interval: StoredInterval,
  symbols: readonly string[],
): Promise<Map<string, number>> {
  if (symbols.length === 0) return new Map();
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE both_sides AS
     SELECT key, series_id, from_ts, to_ts, factor
     FROM (FROM previous_winners UNION ALL FROM winners) w
     JOIN ${jsonTable({ key: 'INTEGER', symbol: 'VARCHAR' })} k ON k.symbol = w.symbol
     WHERE w.interval = '${interval}'`,
    [JSON.stringify(symbols.map((symbol, key) => ({ key, symbol })))],
  );
  const { bars } = barTable(interval);
  await connection.run(`
    CREATE OR REPLACE TEMP TABLE first_years AS
    SELECT p.* REPLACE (greatest(from_ts, make_date(year, 1, 1)) AS from_ts,
      least(to_ts, make_date(year + 1, 1, 1) - INTERVAL 1 MICROSECOND) AS to_ts)
    FROM both_sides p
    JOIN (${firstDifferenceSql(bars, 'both_sides', 'year(b.ts)', 'year')}) USING (key)`);
  const rows = await selectRows<{ key: number; fromUs: number }>(
    connection,
    `SELECT key, epoch_us(ts)::DOUBLE AS "fromUs"
     FROM (${firstDifferenceSql(bars, 'first_years', 'b.ts', 'ts')})`,
  );
  return new Map(rows.map(({ key, fromUs }) => [symbols[key], fromUs]));
}

/** Returns SQL of the first bucket of each key in which the two sides have different bars. */
function firstDifferenceSql(
  bars: string,
  pieces: string,
  bucketSql: string,
  bucket: string,
): string {
  return `SELECT key, min(${bucket}) AS ${bucket} FROM (
      SELECT p.key, ${bucketSql} AS ${bucket}, bit_xor(hash(b.ts, b.open * p.factor,
        b.high * p.factor, b.low * p.factor, b.close * p.factor, b.volume / p.factor)) AS residue
      FROM ${bars} b JOIN ${pieces} p
        ON b.series_id = p.series_id AND b.ts BETWEEN p.from_ts AND p.to_ts
      GROUP BY p.key, ${bucketSql})
    WHERE residue <> 0 GROUP BY key`;
}
