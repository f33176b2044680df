import type { DuckDBConnection } from '@duckdb/node-api';
import type { StoredInterval } from '../../../base/time/intervals.ts';
import type { Piece } from '../candles/series.ts';
import { barTable, storedInterval } from '../connection/bar-table.ts';
import type { CandleSegment } from '../connection/candle-segment.ts';
import type { Change } from '../connection/changes.ts';
import { recordSplitChanges } from '../connection/row-changes.ts';
import {
  exists,
  jsonTable,
  listsOf,
  listTable,
  runOne,
  selectRows,
} from '../connection/sql-rows.ts';
import { rangeOf, readServedState, type ServedSeries, type ServedState } from './served-state.ts';

const CHANGE_COLUMNS = {
  symbol: 'VARCHAR',
  interval: 'VARCHAR',
  kind: 'VARCHAR',
  fromUs: 'BIGINT',
} as const;

/** State of symbols that are loaded for the first time. */
const NOTHING_SERVED: ServedState = { series: new Map(), actions: new Map() };

/** Reads the served state before winners change, and keeps the old winners in a temporary table. */
export async function rememberServed(
  connection: DuckDBConnection,
  segment: CandleSegment,
): Promise<ServedState> {
  await connection.run(`
    CREATE OR REPLACE TEMP TABLE previous_winners AS
    FROM winners SEMI JOIN loading_symbols USING (symbol)
    WHERE interval = '${storedInterval(segment)}'`);
  const isNew = !segment.actions && !(await exists(connection, 'FROM previous_winners'));
  return isNew ? NOTHING_SERVED : readServedState(connection, segment);
}

/**
 * Writes a row of `changes` for each series that is served differently than before the load.
 * `touched` has the rows that the load added to older series or changed there.
 *
 * @returns the state after the load.
 */
export async function recordChanges(
  connection: DuckDBConnection,
  segment: CandleSegment,
  { seq, before }: { seq: number; before: ServedState },
): Promise<ServedState> {
  const loaded = storedInterval(segment);
  const after = await readServedState(connection, segment);
  const touchedFrom = before.series.size > 0 ? await readTouched(connection) : new Map();
  const replaced = [...after.series.keys()].filter((key) =>
    isReplaced(before.series.get(key), after.series.get(key)!),
  );
  const differsFrom = await readBarDifferences(
    connection,
    loaded,
    replaced.map((key) => after.series.get(key)!.symbol),
  );
  const changes: Change[] = [];
  for (const [key, now] of after.series) {
    const { symbol, interval } = now;
    const bars = interval === loaded ? [touchedFrom.get(symbol), differsFrom.get(symbol)] : [];
    const change = changeOf(before.series.get(key), now, {
      isRescaled: before.actions.get(symbol) !== after.actions.get(symbol),
      firstOtherUs: Math.min(...bars.filter((us) => us !== undefined)),
    });
    if (change) changes.push(change);
  }
  await insertChanges(connection, changes, seq);
  await recordSplitChanges(connection, before.actions, after.actions, seq);
  return after;
}

function changeOf(
  old: ServedSeries | undefined,
  now: ServedSeries,
  { isRescaled, firstOtherUs }: { isRescaled: boolean; firstOtherUs: number },
): Change | undefined {
  const { symbol, interval } = now;
  const { firstUs } = rangeOf(now.pieces);
  if (!old) return { symbol, interval, kind: 'rewrite', fromUs: firstUs };
  // Splits scale all of the past of days; so does the turn from unadjusted to adjusted publishing.
  const isOther =
    (isRescaled && interval === '1d') ||
    old.isAdjustable !== now.isAdjustable ||
    old.source !== now.source ||
    old.basis !== now.basis;
  if (isOther) {
    const fromUs = Math.min(firstUs, rangeOf(old.pieces).firstUs);
    return { symbol, interval, kind: 'rewrite', fromUs };
  }
  const { lastUs } = rangeOf(old.pieces);
  // Minutes are published as they are stored, so the last one is enough to tell of the split.
  const fromUs = isRescaled ? Math.min(firstOtherUs, lastUs) : firstOtherUs;
  if (fromUs === Number.POSITIVE_INFINITY) return undefined;
  return { symbol, interval, kind: fromUs > lastUs ? 'append' : 'rewrite', fromUs };
}

function volumeFactorOf({ factor, splitFactor }: Piece): number {
  return splitFactor ?? factor;
}

/** Returns true if pieces differ in more than the outer bounds of the outermost ones. */
function isReplaced(old: ServedSeries | undefined, now: ServedSeries): boolean {
  if (!old) return false;
  const last = now.pieces.length - 1;
  const isSame = (a: Piece, b: Piece, index: number) =>
    a.seriesId === b.seriesId &&
    a.factor === b.factor &&
    volumeFactorOf(a) === volumeFactorOf(b) &&
    (index === 0 || a.fromUs === b.fromUs) &&
    (index === last || a.toUs === b.toUs);
  return (
    old.pieces.length !== now.pieces.length ||
    !now.pieces.every((piece, index) => isSame(old.pieces[index], piece, index))
  );
}

/** Returns the first touched bar of the loaded interval that is or was served, by symbol. */
async function readTouched(connection: DuckDBConnection): Promise<Map<string, number>> {
  const rows = await selectRows<{ symbol: string; fromUs: number }>(
    connection,
    `SELECT w.symbol, epoch_us(min(t.ts))::DOUBLE AS "fromUs"
     FROM touched t JOIN (FROM winners UNION ALL FROM previous_winners) w
       ON w.series_id = t.series_id AND t.ts BETWEEN w.from_ts AND w.to_ts
     GROUP BY w.symbol`,
  );
  return new Map(rows.map(({ symbol, fromUs }) => [symbol, fromUs]));
}

async function insertChanges(
  connection: DuckDBConnection,
  changes: readonly Change[],
  seq: number,
): Promise<void> {
  if (changes.length === 0) return;
  await runOne(
    connection,
    `INSERT INTO changes SELECT ${seq}, symbol, interval, kind, make_timestamp("fromUs")
     FROM ${listTable(CHANGE_COLUMNS)}`,
    listsOf(changes, CHANGE_COLUMNS),
  );
}

/**
 * Finds the first bar at which the served series differ, in microseconds by symbol: the old pieces
 * (`previous_winners`) and the new ones, over the bars as they are now.
 *
 * A new vintage is often the old one with a few more bars. Hashes of bars that both sides have
 * cancel out under XOR: first by year, then bar by bar within the first year that differs. Joining
 * the two sides costs three times as much.
 */
async function readBarDifferences(
  connection: DuckDBConnection,
  interval: StoredInterval,
  symbols: readonly string[],
): Promise<Map<string, number>> {
  if (symbols.length === 0) return new Map();
  await runOne(
    connection,
    `CREATE OR REPLACE TEMP TABLE both_sides AS
     SELECT key, series_id, from_ts, to_ts, factor,
       coalesce(split_factor, factor) AS split_factor
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
        b.high * p.factor, b.low * p.factor, b.close * p.factor, b.volume / p.split_factor)) AS residue
      FROM ${bars} b JOIN ${pieces} p
        ON b.series_id = p.series_id AND b.ts BETWEEN p.from_ts AND p.to_ts
      GROUP BY p.key, ${bucketSql})
    WHERE residue <> 0 GROUP BY key`;
}
