/**
 * Loads one segment of candles: rows, provenance, corporate actions, winners, changes and events
 * in one transaction. All of it is stored, or nothing; what was loaded before changes nothing.
 */

import type { DuckDBConnection } from '@duckdb/node-api';
import { barTable, storedInterval } from './bar-table.ts';
import type { CandleSegment } from './candle-segment.ts';
import { countChanges, recordChanges, rememberServed } from './changes.ts';
import { loadActions } from './corporate-actions.ts';
import { noteDeadRows, sweepDeadRows } from './dead-rows.ts';
import { type LoadGuard, requireBelievable } from './doubt-load.ts';
import { extendWinners } from './extend-winners.ts';
import { foldChanges } from './fold-changes.ts';
import { landRows } from './land-rows.ts';
import { asOfByFile, findSegment, nextIds, writeLedger } from './ledger.ts';
import { mergeRawRows } from './merge-raw.ts';
import type { MarketDb } from './open.ts';
import { writeCandlesUpdated } from './outbox.ts';
import { addHolders, symbolsOfFiles } from './resolve-tickers.ts';
import { addSeries, hasRawSeries } from './series.ts';
import { sourcePriority } from './source-priority.ts';
import { inTransaction, listTable } from './sql-rows.ts';
import { nameSymbols } from './symbols.ts';
import { recomputeWinners } from './winners.ts';

export interface LoadOptions {
  /** Stamped on ledger, directory and events. */
  nowMs: number;
  /** Undefined: the load is believed, whatever it brings. */
  guard?: LoadGuard;
}

export interface LoadResult {
  /** The segment's number in the ledger; the `changes` rows it caused carry it. */
  seq: number;
  /** The ledger had it: nothing was changed, and the counts are those of its first load. */
  alreadyLoaded: boolean;
  accepted: number;
  rejected: number;
  /** (symbol, interval) pairs that are served differently now. */
  seriesChanged: number;
}

/**
 * Loads a segment.
 *
 * @throws {DoubtfulLoadError} it is not believed.
 * @throws what the segment's statements and `examine` throw; the store is then as before.
 */
export async function loadCandles(
  { connection }: MarketDb,
  segment: CandleSegment,
  options: LoadOptions,
): Promise<LoadResult> {
  sourcePriority(segment.source);
  const known = await findSegment(connection, segment.id);
  if (known) return { ...known, alreadyLoaded: true, seriesChanged: 0 };
  await sweepDeadRows(connection);
  const result = await inTransaction(connection, () => loadNew(connection, segment, options));
  await sweepDeadRows(connection);
  await foldChanges(connection);
  return result;
}

async function loadNew(
  connection: DuckDBConnection,
  segment: CandleSegment,
  { nowMs, guard }: LoadOptions,
): Promise<LoadResult> {
  const { seq, ...ids } = await nextIds(connection);
  const interval = storedInterval(segment);
  await nameLoadingSymbols(connection, segment);
  await nameSymbols(connection, nowMs);
  const mustMerge =
    segment.basis === 'raw' &&
    (repeatsSymbols(segment) || (await hasRawSeries(connection, segment)));
  if (mustMerge) await connection.run('CREATE OR REPLACE TEMP TABLE incoming AS FROM bars LIMIT 0');
  const table = mustMerge ? 'incoming' : barTable(interval).bars;
  const { files, deadSeriesIds } = await landRows(connection, segment, table, ids);
  const asOf = asOfByFile(segment, files);
  const entry = await writeLedger(connection, segment, { seq, files, asOf, nowMs });
  const symbols = await symbolsOfFiles(connection, segment, files, { seq, nowMs });
  if (mustMerge) {
    await mergeRawRows(connection, segment, { files, asOf, symbols });
  } else {
    await addSeries(connection, segment, files, { asOf, symbols });
    await noteDeadRows(connection, deadSeriesIds);
  }
  if (mustMerge && !segment.actions?.length) await extendWinners(connection, segment, seq);
  const before = await rememberServed(connection, segment);
  await loadActions(connection, segment, seq);
  await recomputeWinners(connection, interval);
  if (guard) {
    const newFromSeriesId = mustMerge ? undefined : ids.firstSeriesId;
    await requireBelievable(connection, segment, { ...entry, files, newFromSeriesId }, guard);
  }
  await recordChanges(connection, segment, { seq, before });
  await writeCandlesUpdated(connection, segment, { seq, nowMs });
  const seriesChanged = await countChanges(connection, seq);
  return { ...entry, alreadyLoaded: false, seriesChanged };
}

/**
 * `loading_symbols`: tickers that the segment has rows or actions of, and the symbols of all
 * securities that have or had one of them.
 */
async function nameLoadingSymbols(
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

function repeatsSymbols({ files }: CandleSegment): boolean {
  return new Set(files.map(({ symbol }) => symbol)).size < files.length;
}
