import type { DuckDBConnection } from '@duckdb/node-api';
import type { CandleBatch } from '../candles/candle-batch.ts';
import { storedInterval } from '../connection/bar-table.ts';
import type { CandleSegment } from '../connection/candle-segment.ts';
import { listTable } from '../connection/sql-rows.ts';
import { holdForShrinking } from '../holds/shrinking.ts';
import { holdsForSplices, type SeriesHold } from '../holds/splices.ts';
import { addHolders } from '../securities/resolve-tickers.ts';
import { recordChanges, rememberServed } from '../vintages/record-changes.ts';
import { recomputeWinners } from '../vintages/winners.ts';
import { loadActions } from './corporate-actions.ts';

/**
 * Creates `loading_symbols`: tickers with rows or actions in the segment, and the symbols of all
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
  /** True (the default) if the batch's splits and dividends are still to be stored. */
  hasNewActions?: boolean;
}

/**
 * Recomputes the served series of `loading_symbols`, and records the changes.
 *
 * @returns reasons to hold the load.
 */
export async function recomputeServed(
  connection: DuckDBConnection,
  batch: CandleBatch,
  { isNew = () => false, hasNewActions = true }: ServeOptions = {},
): Promise<SeriesHold[]> {
  const { joined, seq } = batch;
  const interval = storedInterval(joined);
  const before = await rememberServed(connection, joined);
  if (hasNewActions) await loadActions(connection, batch);
  const splices = await recomputeWinners(connection, interval);
  const after = await recordChanges(connection, joined, { seq, before });
  const shrinking = await holdForShrinking(connection, before.series, after.series);
  const symbolCount = after.series.size;
  return [
    ...(await holdsForSplices(connection, splices, { interval, symbolCount, isNew })),
    ...(shrinking ? [shrinking] : []),
  ];
}
