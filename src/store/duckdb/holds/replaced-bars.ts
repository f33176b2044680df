/** Reads the bars that a load replaces, as they were served and as they would be. */

import type { DuckDBConnection } from '@duckdb/node-api';
import { limits } from '../../../base/limits.ts';
import type { StoredInterval } from '../../../base/time/intervals.ts';
import { barTable } from '../connection/bar-table.ts';
import { chunksOf, columnOfChunk } from '../connection/chunk-columns.ts';
import { rowBatches } from '../connection/row-batches.ts';
import { jsonTable, selectRows } from '../connection/sql-rows.ts';
import type { ComparedBars, Comparison } from '../vintages/agreement.ts';
import { roundingUnit } from '../vintages/factor.ts';

/** A symbol with replaced bars whose ratios are not all alike. */
export interface ReplacedSeries {
  symbol: string;
  kind: Comparison['kind'];
}

export interface NewRows {
  interval: StoredInterval;
  /** First ids that the load gave out. */
  firstSeriesId: number;
  firstFileId: number;
  /** True if its rows were merged one by one: `conflicts` has the rows that it replaced. */
  isMerged: boolean;
}

/**
 * Finds the symbols of the load whose replaced bars may contradict the new ones: all but those whose
 * prices have one ratio, as after a load of the same history or one on a newer basis.
 */
export async function findReplaced(
  connection: DuckDBConnection,
  rows: NewRows,
): Promise<ReplacedSeries[]> {
  const { interval, firstSeriesId, isMerged } = rows;
  await connection.run(`
    CREATE OR REPLACE TEMP TABLE replacing AS
    SELECT w.symbol, w.series_id, w.from_ts, w.to_ts, w.factor, s.source, s.basis, s.row_count
    FROM winners w SEMI JOIN loading_symbols USING (symbol) JOIN series s USING (series_id)
    WHERE w.interval = '${interval}' AND w.series_id >= ${firstSeriesId}
      AND EXISTS (FROM previous_winners p WHERE p.symbol = w.symbol)`);
  const own = await selectRows<{ symbol: string; rowCount: number }>(
    connection,
    `SELECT symbol, sum(row_count)::DOUBLE AS "rowCount" FROM replacing GROUP BY symbol ORDER BY 1`,
  );
  const found: ReplacedSeries[] = [];
  for (const symbols of rowBatches(own, limits.store.winnerClosesMax)) {
    found.push(
      ...(await selectRows<ReplacedSeries>(connection, uneven(ownPairs(interval)), [
        JSON.stringify(symbols.map(({ symbol }) => ({ symbol }))),
      ])),
    );
  }
  if (isMerged) {
    found.push(...(await selectRows<ReplacedSeries>(connection, uneven(mergedPairs(rows)))));
  }
  return found;
}

export const VALUES = ['open', 'high', 'low', 'close'] as const;

/** Returns SQL of the symbols whose pairs of bars do not all have one ratio. */
function uneven(pairsSql: string): string {
  const ratios = VALUES.map((price) => `n_${price} / o_${price}`).join(', ');
  const { noise, sameNoise } = limits.sanity.agreement;
  return `
    SELECT symbol, kind FROM (
      SELECT symbol, kind, min(least(${ratios})) AS low, max(greatest(${ratios})) AS high
      FROM (${pairsSql}) GROUP BY ALL)
    WHERE NOT (high <= low * ${1 + 2 * noise}
      AND CASE kind WHEN 'same' THEN high <= ${1 + sameNoise} AND low >= ${1 - sameNoise}
        ELSE high < 9 AND low > 0.11 END)`;
}

/** Returns SQL of bars of new series beside the bars of other series that were served. */
function ownPairs(interval: StoredInterval): string {
  const { bars } = barTable(interval);
  const scaled = (side: string) =>
    VALUES.map((price) => `b.${price} * p.factor AS ${side}_${price}`).join(', ');
  return `
    WITH asked AS (FROM ${jsonTable({ symbol: 'VARCHAR' })}),
    spans AS (
      SELECT symbol, min(from_ts) AS from_ts, max(to_ts) AS to_ts,
        any_value(source) AS source, any_value(basis) AS basis
      FROM replacing SEMI JOIN asked USING (symbol) GROUP BY symbol),
    newer AS (
      SELECT p.symbol, b.ts, ${scaled('n')}
      FROM ${bars} b JOIN (FROM replacing SEMI JOIN asked USING (symbol)) p
        ON b.series_id = p.series_id AND b.ts BETWEEN p.from_ts AND p.to_ts),
    pieces AS (
      SELECT p.symbol, p.series_id, p.factor, greatest(p.from_ts, s.from_ts) AS from_ts,
        least(p.to_ts, s.to_ts) AS to_ts,
        CASE WHEN o.source <> s.source OR o.basis <> s.basis THEN 'other'
          WHEN o.basis = 'raw' THEN 'same' ELSE 'scaled' END AS kind
      FROM previous_winners p JOIN spans s USING (symbol) JOIN series o USING (series_id)),
    older AS (
      SELECT p.symbol, b.ts, p.kind, ${scaled('o')}
      FROM ${bars} b JOIN pieces p
        ON b.series_id = p.series_id AND b.ts BETWEEN p.from_ts AND p.to_ts)
    SELECT * FROM newer JOIN older USING (symbol, ts)`;
}

/** Returns SQL of rows that took the place of other files' rows, in series that were served. */
function mergedPairs({ interval, firstFileId }: NewRows): string {
  const of = (side: string) =>
    VALUES.map((price) => `${side}.${price} AS ${side}_${price}`).join(', ');
  return `
    SELECT w.symbol, n.ts, 'same' AS kind, ${of('n')}, ${of('o')}
    FROM conflicts n JOIN (${REPLACED_SQL}) o USING (series_id, ts)
    JOIN previous_winners w ON w.series_id = n.series_id AND n.ts BETWEEN w.from_ts AND w.to_ts
    WHERE n.place = 1 AND n.file_id >= ${firstFileId} AND w.interval = '${interval}'`;
}

/** Rows that were served and are not any more. Files that never were served are no measure. */
export const REPLACED_SQL = 'FROM conflicts WHERE was_served AND place > 1';

/** Bars read beside the replaced ones, so that a jump at their edge shows, and bars of a month. */
const BESIDE_DAYS = 32;

/**
 * Reads one symbol's bars that are served before and after the load, around the replaced ones.
 *
 * @returns undefined if it has none in common.
 */
export async function readReplaced(
  connection: DuckDBConnection,
  symbol: string,
  rows: NewRows,
): Promise<ComparedBars | undefined> {
  const { interval, firstFileId, firstSeriesId, isMerged } = rows;
  const { bars } = barTable(interval);
  const values = VALUES.map((price) => `b.${price}`).join(', ');
  const replaced = isMerged ? `(${REPLACED_SQL})` : `(FROM ${bars} LIMIT 0)`;
  const older = VALUES.map((price) => `coalesce(r.${price}, b.${price}) AS ${price}`).join(', ');
  const changed = isMerged
    ? `UNION ALL SELECT ts FROM conflicts JOIN previous_winners USING (series_id)
       WHERE symbol = $1 AND place = 1 AND file_id >= ${firstFileId}`
    : '';
  const sql = `
    WITH own AS (FROM winners WHERE symbol = $1 AND interval = '${interval}'),
    past AS (FROM previous_winners WHERE symbol = $1),
    changed AS (
      SELECT unnest([from_ts, to_ts]) AS ts FROM own WHERE series_id >= ${firstSeriesId} ${changed}),
    span AS (
      SELECT min(ts) - INTERVAL ${BESIDE_DAYS} DAY AS from_ts,
        max(ts) + INTERVAL ${BESIDE_DAYS} DAY AS to_ts FROM changed),
    older AS (
      SELECT b.ts, ${older}, p.factor
      FROM ${bars} b JOIN past p ON b.series_id = p.series_id AND b.ts BETWEEN p.from_ts AND p.to_ts
      JOIN span s ON b.ts BETWEEN s.from_ts AND s.to_ts
      LEFT JOIN ${replaced} r ON r.series_id = b.series_id AND r.ts = b.ts),
    newer AS (
      SELECT b.ts, ${values}, p.factor
      FROM ${bars} b JOIN own p ON b.series_id = p.series_id AND b.ts BETWEEN p.from_ts AND p.to_ts
      JOIN span s ON b.ts BETWEEN s.from_ts AND s.to_ts)
    SELECT epoch_us(ts)::DOUBLE, ${VALUES.map((price) => `o.${price}`).join(', ')}, o.factor,
      ${VALUES.map((price) => `n.${price}`).join(', ')}, n.factor
    FROM older o JOIN newer n USING (ts) WHERE o.close > 0 AND n.close > 0 ORDER BY ts`;
  const columns = await readColumns(connection, sql, symbol);
  return columns[0].length === 0 ? undefined : comparedBars(columns);
}

const COLUMN_COUNT = 11;

/** Reads times, and open, high, low, close and factor of two sides. */
export async function readColumns(connection: DuckDBConnection, sql: string, symbol: string) {
  const columns: number[][] = Array.from({ length: COLUMN_COUNT }, () => []);
  for await (const chunk of chunksOf(await connection.stream(sql, [symbol]))) {
    for (const [i, column] of columns.entries()) {
      for (const value of columnOfChunk<Float64Array>(chunk, i).subarray(0, chunk.rowCount)) {
        column.push(value);
      }
    }
  }
  return columns.map((column) => Float64Array.from(column));
}

type Four = [Float64Array, Float64Array, Float64Array, Float64Array];

export function comparedBars(columns: readonly Float64Array[]): ComparedBars {
  const [timestampUs] = columns;
  const [olderRaw, newerRaw] = [columns.slice(1, 5) as Four, columns.slice(6, 10) as Four];
  const [olderFactor, newerFactor] = [columns[5], columns[10]];
  const scaled = (prices: Four, factor: Float64Array) =>
    prices.map((column) => column.map((price, row) => price * factor[row])) as Four;
  const [olderUnit, newerUnit] = [olderRaw, newerRaw].map((prices) =>
    roundingUnit({ timestampUs, prices }),
  );
  const slack = timestampUs.map(
    (_, row) => olderUnit / 2 / olderRaw[3][row] + newerUnit / 2 / newerRaw[3][row],
  );
  return {
    timestampUs,
    older: scaled(olderRaw, olderFactor),
    newer: scaled(newerRaw, newerFactor),
    slack,
  };
}
