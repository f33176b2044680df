/**
 * Loads segments of candles: rows, provenance, corporate actions, winners, changes and events in
 * one transaction. All of it is stored, or nothing; what was loaded before changes nothing.
 */

import type { DuckDBConnection } from '@duckdb/node-api';
import { barTable, storedInterval } from './bar-table.ts';
import { type CandleBatch, joinSegments } from './candle-batch.ts';
import { tellChanges, writeCandlesUpdated } from './candle-events.ts';
import type { CandleSegment } from './candle-segment.ts';
import { recordChanges, rememberServed } from './changes.ts';
import { loadActions } from './corporate-actions.ts';
import { noteDeadRows, sweepDeadRows } from './dead-rows.ts';
import { type LoadedBatch, requireNoSuspects } from './doubt-batch.ts';
import { doubtsOfJoints, type SeriesDoubt } from './doubt-joints.ts';
import { type LoadGuard, requireBelievable } from './doubt-load.ts';
import { doubtOfShrinking } from './doubt-shrinking.ts';
import { extendWinners } from './extend-winners.ts';
import { setThreadsFor } from './few-rows.ts';
import { foldChanges } from './fold-changes.ts';
import { landRows } from './land-rows.ts';
import { asOfByFile, filesOfPart, findSegments, nextIds, writeLedger } from './ledger.ts';
import { extentOfCandles, type LoadExtent } from './load-extent.ts';
import { mergeRawRows } from './merge-raw.ts';
import type { MarketDb } from './open.ts';
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
  /** The segment's number in the ledger. */
  seq: number;
  /** The ledger had it: nothing was changed, and the counts are those of its first load. */
  alreadyLoaded: boolean;
  accepted: number;
  rejected: number;
  /** (symbol, interval) pairs that are served differently now. */
  seriesChanged: number;
  /** Undefined where the ledger had it. */
  extent?: LoadExtent;
}

/** A segment, and what it is compared with; undefined: it is believed. */
export interface Guarded<Segment> {
  segment: Segment;
  guard?: LoadGuard;
}

/**
 * Loads a segment.
 *
 * @throws {DoubtfulLoadError} it is not believed.
 * @throws what the segment's statements and `examine` throw; the store is then as before.
 */
export async function loadCandles(
  market: MarketDb,
  segment: CandleSegment,
  { nowMs, guard }: LoadOptions,
): Promise<LoadResult> {
  return (await loadCandleBatch(market, [{ segment, guard }], nowMs))[0];
}

/**
 * Loads segments in one transaction. What is stored is what loading one after the other stores,
 * but for numbers that are given by arrival; `changes` are those from before all to after all.
 *
 * @param inputs Segments with the same `batchKey`, or a single one of any kind.
 * @returns what became of each, in the same order.
 * @throws {SuspectLoadError} of several segments some must be loaded alone.
 * @throws as `loadCandles`.
 */
export async function loadCandleBatch(
  { connection }: MarketDb,
  inputs: readonly Guarded<CandleSegment>[],
  nowMs: number,
): Promise<LoadResult[]> {
  for (const { segment } of inputs) sourcePriority(segment.source);
  const ids = inputs.map(({ segment }) => segment.id);
  const known = await findSegments(connection, ids);
  const fresh = inputs.filter(({ segment: { id } }, i) => !known.has(id) && ids.indexOf(id) === i);
  const loaded = new Map<string, LoadResult>();
  if (fresh.length > 0) {
    await sweepDeadRows(connection);
    const files = fresh.flatMap(({ segment }) => segment.files);
    const rowCount = files.reduce((sum, { dataLines }) => sum + dataLines, 0);
    await setThreadsFor(connection, rowCount);
    const { results, hasDeadRows } = await inTransaction(connection, () =>
      loadNew(connection, fresh, nowMs),
    );
    if (hasDeadRows) await sweepDeadRows(connection);
    await foldChanges(connection);
    for (const [i, { segment }] of fresh.entries()) loaded.set(segment.id, results[i]);
  }
  return ids.map((id, i) => {
    const result = known.get(id) ?? loaded.get(id)!;
    const isNew = loaded.has(id) && ids.indexOf(id) === i;
    if (isNew) return loaded.get(id)!;
    return { ...result, alreadyLoaded: true, seriesChanged: 0, extent: undefined };
  });
}

async function loadNew(
  connection: DuckDBConnection,
  inputs: readonly Guarded<CandleSegment>[],
  nowMs: number,
): Promise<{ results: LoadResult[]; hasDeadRows: boolean }> {
  const { seq: firstSeq, ...ids } = await nextIds(connection);
  const segments = inputs.map(({ segment }) => segment);
  const batch = joinSegments(segments, firstSeq);
  const { joined, seq } = batch;
  const interval = storedInterval(joined);
  await nameLoadingSymbols(connection, joined);
  await nameSymbols(connection, nowMs);
  const mustMerge =
    joined.basis === 'raw' && (repeatsSymbols(joined) || (await hasRawSeries(connection, joined)));
  if (mustMerge) await connection.run('CREATE OR REPLACE TEMP TABLE incoming AS FROM bars LIMIT 0');
  const table = mustMerge ? 'incoming' : barTable(interval).bars;
  const { files, deadSeriesIds } = await landRows(connection, joined, table, ids);
  const asOf = asOfByFile(batch, files);
  const entries = await writeLedger(connection, batch, { files, asOf, nowMs });
  const symbols = await symbolsOfFiles(connection, joined, files, { seq, nowMs });
  if (mustMerge) {
    await mergeRawRows(connection, joined, { files, asOf, symbols, deadSeriesIds });
  } else {
    await addSeries(connection, joined, files, { asOf, symbols });
    await noteDeadRows(connection, deadSeriesIds);
  }
  const isExtended =
    mustMerge && !joined.actions?.length && (await extendWinners(connection, joined, seq));
  const newFromSeriesId = mustMerge ? undefined : ids.firstSeriesId;
  const isNew = (seriesId: number) => seriesId >= (newFromSeriesId ?? Number.POSITIVE_INFINITY);
  const doubts = isExtended ? [] : await serveAnew(connection, batch, isNew);
  const rows = { files, symbols, entries, newFromSeriesId };
  await requireBelieved(connection, batch, { ...rows, doubts }, inputs);
  const told = await tellChanges(connection, batch, files);
  await writeCandlesUpdated(connection, batch, told, nowMs);
  await connection.run('DROP TABLE touched');
  const changedBySeq = Map.groupBy(told, ({ seq }) => seq);
  const results = entries.map((entry, i) => {
    const part = batch.parts[i];
    const seriesChanged = changedBySeq.get(entry.seq)?.length ?? 0;
    const extent = extentOfCandles(part.segment, filesOfPart(part, files));
    return { ...entry, alreadyLoaded: false, seriesChanged, extent };
  });
  return { results, hasDeadRows: deadSeriesIds.length > 0 };
}

/**
 * Works out what is served of the symbols in `loading_symbols` and records how it changes.
 *
 * @returns reasons not to believe what is served then.
 */
async function serveAnew(
  connection: DuckDBConnection,
  batch: CandleBatch,
  isNew: (seriesId: number) => boolean,
): Promise<SeriesDoubt[]> {
  const { joined, seq } = batch;
  const interval = storedInterval(joined);
  const before = await rememberServed(connection, joined);
  await loadActions(connection, batch);
  const joints = await recomputeWinners(connection, interval);
  const after = await recordChanges(connection, joined, { seq, before });
  const shrinking = await doubtOfShrinking(connection, before.series, after.series);
  const symbolCount = after.series.size;
  return [
    ...(await doubtsOfJoints(connection, joints, { interval, symbolCount, isNew })),
    ...(shrinking ? [shrinking] : []),
  ];
}

/** One segment is looked at as it is; of several, those that might not be believed are named. */
async function requireBelieved(
  connection: DuckDBConnection,
  batch: CandleBatch,
  rows: LoadedBatch,
  inputs: readonly Guarded<CandleSegment>[],
): Promise<void> {
  if (inputs.length > 1) return requireNoSuspects(connection, batch, rows, inputs);
  const [{ segment, guard }] = inputs;
  const { entries, ...loaded } = rows;
  if (guard) await requireBelievable(connection, segment, { ...entries[0], ...loaded }, guard);
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
