/** The symbols of a segment of candles, and what is served of them after it. */

import type { DuckDBConnection } from '@duckdb/node-api';
import type { CandleBatch } from '../candles/candle-batch.ts';
import { storedInterval } from '../connection/bar-table.ts';
import type { CandleSegment } from '../connection/candle-segment.ts';
import { listTable } from '../connection/sql-rows.ts';
import { doubtOfShrinking } from '../holds/shrinking.ts';
import { doubtsOfJoints, type SeriesDoubt } from '../holds/splices.ts';
import { addHolders } from '../securities/resolve-tickers.ts';
import { recordChanges, rememberServed } from '../vintages/record-changes.ts';
import { recomputeWinners } from '../vintages/winners.ts';
import { loadActions } from './corporate-actions.ts';

/**
 * Makes `loading_symbols`: tickers that the segment has rows or actions of, and the symbols of all
 * securities that have or had one of them.
 */
export async function nameLoadingSymbols(
  connection: DuckDBConnection,
  segment: CandleSegment,
): Promise<void> {
  const symbols = new Set([
    ...segment.files.filter(({ dataLines }) => dataLines > 0).map(({ symbol }) => symbol),
    ...(segment.actions ?? []).map(({ symbol }) => symbol),
  ]);
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE loading_symbols AS
     SELECT symbol FROM ${listTable({ symbol: 'VARCHAR' })}`,
    [JSON.stringify([...symbols])],
  );
  await addHolders(connection);
}

interface ServeOptions {
  /** True for series that the load brings. */
  isNew?: (seriesId: number) => boolean;
  /** Whether the batch's splits and dividends are not stored yet; default true. */
  hasNewActions?: boolean;
}

/**
 * Works out what is served of the symbols in `loading_symbols` and records how it differs from
 * before.
 *
 * @returns reasons not to believe what is served then.
 */
export async function serveAnew(
  connection: DuckDBConnection,
  batch: CandleBatch,
  { isNew = () => false, hasNewActions = true }: ServeOptions = {},
): Promise<SeriesDoubt[]> {
  const { joined, seq } = batch;
  const interval = storedInterval(joined);
  const before = await rememberServed(connection, joined);
  if (hasNewActions) await loadActions(connection, batch);
  const joints = await recomputeWinners(connection, interval);
  const after = await recordChanges(connection, joined, { seq, before });
  const shrinking = await doubtOfShrinking(connection, before.series, after.series);
  const symbolCount = after.series.size;
  return [
    ...(await doubtsOfJoints(connection, joints, { interval, symbolCount, isNew })),
    ...(shrinking ? [shrinking] : []),
  ];
}
