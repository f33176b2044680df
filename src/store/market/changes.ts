/** What publishing must do after a load: which served series changed, how, and from which bar. */

import type { DuckDBConnection } from '@duckdb/node-api';
import type { Interval } from '../../intervals.ts';
import { readBarDifferences } from './bar-differences.ts';
import type { CandleSegment } from './candle-segment.ts';
import type { MarketDb } from './open.ts';
import { rangeOf, readServedState, type ServedSeries, type ServedState } from './served-state.ts';
import { jsonTable, selectRow, selectRows } from './sql-rows.ts';
import type { Piece } from './winner-pieces.ts';

export interface Change {
  symbol: string;
  interval: Interval;
  /** `append`: every bar from `fromUs` on is later than any served before. */
  kind: 'append' | 'rewrite';
  /** Microseconds of the first bar that is new, gone or differs; earlier bars are as they were. */
  fromUs: number;
}

export interface PendingChanges {
  /** One per series, all its changes folded into one. */
  changes: Change[];
  /** The newest change; what a publish of these has reached. */
  seq: number;
}

/** Reads the state before a load, and keeps in temporary tables what comparing will need. */
export async function rememberServed(
  connection: DuckDBConnection,
  segment: CandleSegment,
): Promise<ServedState> {
  await connection.run('CREATE OR REPLACE TEMP TABLE touched (series_id INTEGER, ts TIMESTAMP)');
  await connection.run(`
    CREATE OR REPLACE TEMP TABLE previous_winners AS
    FROM winners SEMI JOIN loading_symbols USING (symbol)`);
  return readServedState(connection, segment);
}

/**
 * Writes one `changes` row per series that is served differently than before the load.
 *
 * The temporary table `touched` names the rows that the load added to or changed in older series.
 */
export async function recordChanges(
  connection: DuckDBConnection,
  segment: CandleSegment,
  { seq, before }: { seq: number; before: ServedState },
): Promise<Change[]> {
  const after = await readServedState(connection, segment);
  const touchedFrom = await readTouched(connection);
  const replaced = [...after.series.keys()].filter((key) =>
    isReplaced(before.series.get(key), after.series.get(key)!),
  );
  const differences = await readBarDifferences(
    connection,
    replaced.map((key) => after.series.get(key)!),
  );
  const differsFrom = new Map(replaced.map((key, index) => [key, differences.get(index)]));
  const changes: Change[] = [];
  for (const [key, now] of after.series) {
    const change = changeOf(before.series.get(key), now, {
      isRescaled: before.actions.get(now.symbol) !== after.actions.get(now.symbol),
      firstOtherUs: Math.min(
        touchedFrom.get(key) ?? Number.POSITIVE_INFINITY,
        differsFrom.get(key) ?? Number.POSITIVE_INFINITY,
      ),
    });
    if (change) changes.push(change);
  }
  await insertChanges(connection, changes, seq);
  return changes;
}

function changeOf(
  old: ServedSeries | undefined,
  now: ServedSeries,
  { isRescaled, firstOtherUs }: { isRescaled: boolean; firstOtherUs: number },
): Change | undefined {
  const { symbol, interval } = now;
  const { firstUs } = rangeOf(now.pieces);
  if (!old) return { symbol, interval, kind: 'rewrite', fromUs: firstUs };
  // Splits scale all of the past; so does the turn from unadjusted to adjusted publishing.
  const isOther =
    isRescaled ||
    old.isAdjustable !== now.isAdjustable ||
    old.source !== now.source ||
    old.basis !== now.basis;
  if (isOther) {
    const fromUs = Math.min(firstUs, rangeOf(old.pieces).firstUs);
    return { symbol, interval, kind: 'rewrite', fromUs };
  }
  if (firstOtherUs === Number.POSITIVE_INFINITY) return undefined;
  const kind = firstOtherUs > rangeOf(old.pieces).lastUs ? 'append' : 'rewrite';
  return { symbol, interval, kind, fromUs: firstOtherUs };
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

/** First touched bar that is or was served, by symbol and interval. */
async function readTouched(connection: DuckDBConnection): Promise<Map<string, number>> {
  const rows = await selectRows<{ key: string; fromUs: number }>(
    connection,
    `SELECT w.symbol || ' ' || w.interval AS key, epoch_us(min(t.ts))::DOUBLE AS "fromUs"
     FROM touched t JOIN (FROM winners UNION ALL FROM previous_winners) w
       ON w.series_id = t.series_id AND t.ts BETWEEN w.from_ts AND w.to_ts
     GROUP BY ALL`,
  );
  return new Map(rows.map(({ key, fromUs }) => [key, fromUs]));
}

async function insertChanges(
  connection: DuckDBConnection,
  changes: readonly Change[],
  seq: number,
): Promise<void> {
  await connection.run(
    `INSERT INTO changes SELECT ${seq}, symbol, interval, kind, make_timestamp("fromUs")
     FROM ${jsonTable({
       symbol: 'VARCHAR',
       interval: 'VARCHAR',
       kind: 'VARCHAR',
       fromUs: 'BIGINT',
     })}`,
    [JSON.stringify(changes)],
  );
}

/** Changes that a publish which reached `afterSeq` has not seen. */
export async function readPendingChanges(
  { connection }: MarketDb,
  afterSeq: number,
): Promise<PendingChanges> {
  const changes = await selectRows<Change>(
    connection,
    // An append after a rewrite, or before one, is part of it.
    `SELECT symbol, interval, max(kind) AS kind, epoch_us(min(from_ts))::DOUBLE AS "fromUs"
     FROM changes WHERE seq > $1 GROUP BY symbol, interval ORDER BY interval, symbol`,
    [BigInt(afterSeq)],
  );
  const { seq } = await selectRow<{ seq: number }>(
    connection,
    'SELECT greatest(coalesce(max(seq), 0), $1)::DOUBLE AS seq FROM changes',
    [BigInt(afterSeq)],
  );
  return { changes, seq };
}
