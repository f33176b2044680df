/** What publishing must do after a load: which served series changed, how, and from which bar. */

import type { DuckDBConnection } from '@duckdb/node-api';
import { FOLDED_KIND } from '../candles/fold-changes.ts';
import { readBarDifferences } from '../vintages/bar-differences.ts';
import {
  rangeOf,
  readServedState,
  type ServedSeries,
  type ServedState,
} from '../vintages/served-state.ts';
import type { Piece } from '../vintages/winner-pieces.ts';
import { type BaseInterval, storedInterval } from './bar-table.ts';
import type { CandleSegment } from './candle-segment.ts';
import type { MarketDb } from './open.ts';
import { recordSplitChanges } from './row-changes.ts';
import { listsOf, listTable, selectRow, selectRows } from './sql-rows.ts';

export interface Change {
  symbol: string;
  interval: BaseInterval;
  /**
   * `append`: every bar from `fromUs` on is later than any served before. `remove`: no bar of the
   * series is served any more, as when its symbol was renamed; a load never takes a series away.
   */
  kind: 'append' | 'rewrite' | 'remove';
  /** Microseconds of the first bar that is new, gone or differs; earlier bars are as they were. */
  fromUs: number;
}

const CHANGE_COLUMNS = {
  symbol: 'VARCHAR',
  interval: 'VARCHAR',
  kind: 'VARCHAR',
  fromUs: 'BIGINT',
} as const;

/** Rows that were added to or changed in series that are served, filled as they are merged. */
export const NEW_TOUCHED =
  'CREATE TEMP TABLE IF NOT EXISTS touched (series_id INTEGER, ts TIMESTAMP, file_id INTEGER)';

export interface PendingChanges {
  /** One per series, all its changes folded into one. */
  changes: Change[];
  /** The newest change; what a publish of these has reached. */
  seq: number;
}

/**
 * Reads the state before winners change, and keeps in temporary tables what comparing will need.
 * Rows that have been added or changed by then don't show in it.
 */
export async function rememberServed(
  connection: DuckDBConnection,
  segment: CandleSegment,
): Promise<ServedState> {
  await connection.run(NEW_TOUCHED);
  await connection.run(`
    CREATE OR REPLACE TEMP TABLE previous_winners AS
    FROM winners SEMI JOIN loading_symbols USING (symbol)
    WHERE interval = '${storedInterval(segment)}'`);
  return readServedState(connection, segment);
}

/**
 * Writes one `changes` row per series that is served differently than before the load.
 *
 * The temporary table `touched` names the rows that the load added to or changed in older series.
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
  const touchedFrom = await readTouched(connection);
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

/** Whether pieces differ in more than how far the outermost ones reach. */
function isReplaced(old: ServedSeries | undefined, now: ServedSeries): boolean {
  if (!old) return false;
  const last = now.pieces.length - 1;
  const isSame = (a: Piece, b: Piece, index: number) =>
    a.seriesId === b.seriesId &&
    a.factor === b.factor &&
    (index === 0 || a.fromUs === b.fromUs) &&
    (index === last || a.toUs === b.toUs);
  return (
    old.pieces.length !== now.pieces.length ||
    !now.pieces.every((piece, index) => isSame(old.pieces[index], piece, index))
  );
}

/** First touched bar of the loaded interval that is or was served, by symbol. */
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
  await connection.run(
    `INSERT INTO changes SELECT ${seq}, symbol, interval, kind, make_timestamp("fromUs")
     FROM ${listTable(CHANGE_COLUMNS)}`,
    listsOf(changes, CHANGE_COLUMNS),
  );
}

function order(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** Changes that a publish which reached `afterSeq` has not seen. */
export async function readPendingChanges(
  { connection }: MarketDb,
  afterSeq: number,
): Promise<PendingChanges> {
  // Most symbols change alike: a row for all of those costs a tenth of a row for each.
  const alike = await selectRows<Omit<Change, 'symbol'> & { symbols: string }>(
    connection,
    `SELECT interval, kind, "fromUs", string_agg(symbol, ' ' ORDER BY symbol) AS symbols
     FROM (SELECT symbol, interval, ${FOLDED_KIND} AS kind,
             epoch_us(min(from_ts))::DOUBLE AS "fromUs"
           FROM changes WHERE seq > $1 GROUP BY symbol, interval)
     GROUP BY interval, kind, "fromUs"`,
    [BigInt(afterSeq)],
  );
  const changes = alike
    .flatMap(({ symbols, ...change }) =>
      symbols.split(' ').map((symbol): Change => ({ symbol, ...change })),
    )
    .sort((a, b) =>
      a.interval === b.interval ? order(a.symbol, b.symbol) : order(a.interval, b.interval),
    );
  const { seq } = await selectRow<{ seq: number }>(
    connection,
    'SELECT greatest(coalesce(max(seq), 0), $1)::DOUBLE AS seq FROM changes',
    [BigInt(afterSeq)],
  );
  return { changes, seq };
}
