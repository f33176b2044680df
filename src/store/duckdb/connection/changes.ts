/** Served series that loads have changed, and from which bar, for the next publish. */

import type { DuckDBConnection } from '@duckdb/node-api';
import { limits } from '../../../base/limits.ts';
import type { StoredInterval } from '../../../base/time/intervals.ts';
import type { MarketDb } from './open.ts';
import { inTransaction, selectRow, selectRows, selectValue } from './sql-rows.ts';

export interface Change {
  symbol: string;
  interval: StoredInterval;
  /**
   * `append`: every bar from `fromUs` on is later than any served before. `remove`: no bar of the
   * series is served any more, as after a rename.
   */
  kind: 'append' | 'rewrite' | 'remove';
  /** Microseconds of the first bar that is new, gone or differs; earlier bars are as they were. */
  fromUs: number;
}

/**
 * SQL of the temporary table of rows that a load or command has added to series or changed there.
 * Each begins with an empty one.
 */
export const NEW_TOUCHED =
  'CREATE OR REPLACE TEMP TABLE touched (series_id INTEGER, ts TIMESTAMP, file_id INTEGER)';

export interface PendingChanges {
  changes: Change[];
  seq: number;
}

function order(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** Reads changes after `afterSeq`, which a publish has reached. */
export async function readPendingChanges(
  { connection }: MarketDb,
  afterSeq: number,
): Promise<PendingChanges> {
  // Most symbols change alike: a row for all of those costs a tenth of a row for each.
  const alike = await selectRows<Omit<Change, 'symbol'> & { symbols: string; seq: number }>(
    connection,
    `SELECT interval, kind, "fromUs", string_agg(symbol, ' ' ORDER BY symbol) AS symbols,
       max(seq)::DOUBLE AS seq
     FROM (SELECT symbol, interval, ${COMPACTED_KIND} AS kind,
             epoch_us(min(from_ts))::DOUBLE AS "fromUs", max(changes.seq) AS seq
           FROM changes WHERE seq > ${afterSeq} GROUP BY symbol, interval)
     GROUP BY interval, kind, "fromUs"`,
  );
  const changes = alike
    .flatMap(({ symbols, seq, ...change }) =>
      symbols.split(' ').map((symbol): Change => ({ symbol, ...change })),
    )
    .sort((a, b) =>
      a.interval === b.interval ? order(a.symbol, b.symbol) : order(a.interval, b.interval),
    );
  return { changes, seq: alike.reduce((most, { seq }) => Math.max(most, seq), afterSeq) };
}

export interface PendingCounts {
  series: number;
  lists: number;
}

/** Counts what is loaded and not published. @param published Positions in the manifest, or 0. */
export async function countPending(
  { connection }: MarketDb,
  published: { seq: number; listsSeq: number },
): Promise<PendingCounts> {
  return selectRow<PendingCounts>(
    connection,
    `SELECT
       (SELECT count(DISTINCT (symbol, interval))::INTEGER FROM changes WHERE seq > $1) AS series,
       (SELECT count(DISTINCT (dataset, list_key))::INTEGER FROM row_changes WHERE seq > $2)
         AS lists`,
    [BigInt(published.seq), BigInt(published.listsSeq)],
  );
}

const NEWEST = (kinds: string) => `coalesce(max(seq) FILTER (kind ${kinds}), 0)`;

/**
 * SQL of one kind for all changes of a series. A change after a removal, or in the same load, is a
 * rewrite of the whole series.
 */
export const COMPACTED_KIND = `CASE WHEN max(kind) = 'append' THEN 'append'
  WHEN ${NEWEST("= 'remove'")} > ${NEWEST("<> 'remove'")} THEN 'remove' ELSE 'rewrite' END`;

/**
 * Compacts the rows before the newest `rowsMax` once there are twice as many, else loads of every
 * minute would add rows without bound. A publisher that is so far behind rewrites more than it
 * must. Runs in its own transaction, since DuckDB would otherwise write all rows through the WAL.
 */
export async function compactChanges(
  connection: DuckDBConnection,
  rowsMax: number = limits.store.changesMax,
): Promise<void> {
  const count = await selectValue<number>(connection, 'SELECT count(*)::DOUBLE FROM changes');
  if (count <= 2 * rowsMax) return;
  const seq = await selectValue<number | null>(
    connection,
    `SELECT max(seq)::DOUBLE FROM (
       SELECT seq, sum(count(*)) OVER (ORDER BY seq DESC) AS newer FROM changes GROUP BY seq)
     WHERE newer > ${rowsMax}`,
  );
  await inTransaction(connection, async () => {
    await connection.run(`
      CREATE OR REPLACE TEMP TABLE merged_changes AS
      SELECT max(seq) AS seq, symbol, interval, ${COMPACTED_KIND} AS kind, min(from_ts) AS from_ts
      FROM changes WHERE seq <= ${seq} GROUP BY symbol, interval`);
    await connection.run(`DELETE FROM changes WHERE seq <= ${seq}`);
    await connection.run('INSERT INTO changes FROM merged_changes ORDER BY seq, interval, symbol');
  });
}
