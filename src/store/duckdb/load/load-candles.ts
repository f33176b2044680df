/**
 * Loads segments of candles: rows, provenance, corporate actions, winners, changes and events in
 * one transaction. A known segment changes nothing, unless its files were modified since.
 */

import type { DuckDBConnection } from '@duckdb/node-api';
import { FILE_SOURCES } from '../../../base/sources.ts';
import { ownAsOfByFile, writeLedger } from '../candles/batch-ledger.ts';
import { type CandleBatch, filesOfPart, joinSegments } from '../candles/candle-batch.ts';
import { copyRows, insertRows } from '../candles/insert-rows.ts';
import { mergeRawRows } from '../candles/merge-raw.ts';
import { addSeries, hasRawSeries } from '../candles/series.ts';
import { barTable, storedInterval } from '../connection/bar-table.ts';
import type { CandleSegment } from '../connection/candle-segment.ts';
import { compactChanges, NEW_TOUCHED } from '../connection/changes.ts';
import { setThreadsFor } from '../connection/few-rows.ts';
import { type BeforeCommit, findSegments, nextIds } from '../connection/ledger.ts';
import { inLittleMemory } from '../connection/little-memory.ts';
import type { MarketDb } from '../connection/open.ts';
import { deleteOrphanRows, noteOrphanRows } from '../connection/orphan-rows.ts';
import { sourcePriority } from '../connection/source-priority.ts';
import { inTransaction, selectRows } from '../connection/sql-rows.ts';
import { type LoadedBatch, requireNoHolds } from '../holds/batch.ts';
import { checkFiles, type LoadLines } from '../holds/file-checks.ts';
import { requireNotHeld } from '../holds/load.ts';
import { extentOfCandles, type LoadExtent } from '../holds/load-extent.ts';
import type { Guarded } from '../holds/load-guard.ts';
import { daySpanOf } from '../holds/split-contradictions.ts';
import { placeFiles } from '../securities/place-loads.ts';
import { datedTickers } from '../securities/resolve-tickers.ts';
import { partReused, readDays } from '../securities/reused-tickers.ts';
import { nameSymbols } from '../securities/symbols.ts';
import { extendWinners } from '../vintages/extend-winners.ts';
import {
  loadedVintages,
  movedFiles,
  moveVintages,
  readSamePlaces,
  settledAsOf,
} from '../vintages/file-vintages.ts';
import { findLosing, type Losing } from '../vintages/losing-bars.ts';
import { findUnserved, type Unserved } from '../vintages/unserved.ts';
import { attributeChanges, writeCandlesUpdated } from './candle-events.ts';
import { findMissingDividends, type MissingDividends } from './missing-dividends.ts';
import { nameSegmentSymbols, recomputeServed } from './recompute-served.ts';
import { type Renewal, renewSegment } from './renew-segment.ts';
import { settleUpgraded, settleWithLoad } from './settle-load.ts';

export interface LoadResult extends LoadLines {
  seq: number;
  /** The ledger had it, and the counts are those of its first load. */
  alreadyLoaded: boolean;
  accepted: number;
  rejected: number;
  /** (symbol, interval) pairs that are served differently now. */
  seriesChanged: number;
  /** Undefined if the ledger had it. */
  extent?: LoadExtent;
  /** Rows by file of the copy that was written; undefined: no copy. */
  copiedByFile?: readonly number[];
  losing?: Losing;
  unserved?: Unserved;
  missingDividends?: readonly MissingDividends[];
  /** Time of its first load, if the ledger had it. */
  loadedMs?: number;
}

/**
 * Loads segments in one transaction. The result is that of loading one after the other, except for
 * numbers in order of arrival.
 *
 * @param inputs Segments with the same `batchKey`, or a single one of any kind.
 * @throws {HeldLoadError} a sanity check holds a single one.
 * @throws {HoldCandidatesError} some of several segments must be loaded alone.
 * @throws what the segments' statements and `examine` throw; the store is then as before.
 */
export async function loadCandleBatch(
  { connection }: MarketDb,
  inputs: readonly Guarded<CandleSegment>[],
  nowMs: number,
  beforeCommit?: BeforeCommit<LoadResult>,
): Promise<LoadResult[]> {
  for (const { segment } of inputs) sourcePriority(segment.source);
  const ids = inputs.map(({ segment }) => segment.id);
  const known = await findSegments(connection, ids);
  const fresh = inputs.filter(({ segment: { id } }, i) => !known.has(id) && ids.indexOf(id) === i);
  const loaded = new Map<string, LoadResult>();
  const renewed = new Map<string, Renewal>();
  for (const { segment } of inputs) {
    const entry = known.get(segment.id);
    const renewal = entry && (await renewSegment(connection, segment, entry.seq, nowMs));
    if (renewal) renewed.set(segment.id, renewal);
    if (entry && entry.rejected > 0) await examineRefused(connection, segment, entry.seq);
  }
  if (fresh.length > 0) {
    await deleteOrphanRows(connection);
    const files = fresh.flatMap(({ segment }) => segment.files);
    const rowCount = files.reduce((sum, { dataLines }) => sum + dataLines, 0);
    await setThreadsFor(connection, rowCount);
    const hasOrphanRows = await inLittleMemory(connection, rowCount, (raise) =>
      inTransaction(connection, async () => {
        const { results, ...done } = await loadNew(connection, fresh, nowMs);
        for (const [i, { segment }] of fresh.entries()) loaded.set(segment.id, results[i]);
        beforeCommit?.(loaded);
        await raise();
        return done.hasOrphanRows;
      }),
    );
    if (hasOrphanRows) await deleteOrphanRows(connection);
    await compactChanges(connection);
  }
  return ids.map((id, i) => {
    const result = known.get(id) ?? loaded.get(id)!;
    const isNew = loaded.has(id) && ids.indexOf(id) === i;
    if (isNew) return loaded.get(id)!;
    const unchanged = { alreadyLoaded: true, seriesChanged: 0, extent: undefined };
    return { ...result, ...unchanged, ...renewed.get(id) };
  });
}

/** Reads files again that gave no row when their segment was loaded, so that it states why once more. */
async function examineRefused(
  connection: DuckDBConnection,
  { files, groups, examine }: CandleSegment,
  seq: number,
): Promise<void> {
  const refused = await selectRows<{ path: string }>(
    connection,
    `SELECT path FROM segment_files WHERE segment_seq = ${seq} AND accepted = 0 AND rejected > 0`,
  );
  const paths = new Set(refused.map(({ path }) => path));
  const texts = groups.filter(({ isText }) => isText).flatMap(({ fileIndexes }) => fileIndexes);
  const indexes = texts.filter((index) => paths.has(files[index].path));
  if (indexes.length > 0) await examine(indexes);
}

async function loadNew(
  connection: DuckDBConnection,
  inputs: readonly Guarded<CandleSegment>[],
  nowMs: number,
): Promise<{ results: LoadResult[]; hasOrphanRows: boolean }> {
  const { seq: firstSeq, ...ids } = await nextIds(connection);
  const segments = inputs.map(({ segment }) => segment);
  const batch = joinSegments(segments, firstSeq);
  const { joined, seq } = batch;
  const interval = storedInterval(joined);
  await connection.run(NEW_TOUCHED);
  await settleUpgraded(connection, { seq, nowMs });
  await nameSegmentSymbols(connection, joined);
  await nameSymbols(connection, nowMs);
  const dated = await datedTickers(
    connection,
    [...joined.files, ...(joined.actions ?? [])].map(({ symbol }) => symbol),
  );
  const samePlaces = await readSamePlaces(connection, joined);
  const mustMerge =
    joined.basis === 'raw' &&
    (samePlaces.length > 0 || repeatsSymbols(joined) || (await hasRawSeries(connection, joined)));
  const isStaged = mustMerge || dated.size > 0;
  if (isStaged) await connection.run('CREATE OR REPLACE TEMP TABLE incoming AS FROM bars LIMIT 0');
  const table = isStaged ? 'incoming' : barTable(interval).bars;
  const inserted = await insertRows(connection, joined, table, ids);
  const { files, orphanSeriesIds } = inserted;
  const { copyPath } = joined;
  if (copyPath !== undefined) await copyRows(connection, table, inserted, copyPath);
  const copiedByFile = copyPath === undefined ? undefined : files.map((file) => file.accepted);
  const ownAsOf = ownAsOfByFile(batch, files);
  const settled = settledAsOf([...samePlaces, ...loadedVintages(batch, files, ownAsOf)]);
  const asOf = Float64Array.from(files, ({ fileId }) => settled.get(fileId) ?? Number.NaN);
  const entries = await writeLedger(connection, batch, { files, asOf, ownAsOf, nowMs });
  const moved = movedFiles(samePlaces, settled);
  await moveVintages(connection, barTable(interval), moved, joined.basis === 'raw');
  const freeSeriesId = ids.firstSeriesId + 2 * files.length;
  const placed = await placeFiles(connection, joined, files, { dated, freeSeriesId });
  const { parts, unsettled } = placed;
  const mayReuse = interval === '1d' && FILE_SOURCES.includes(joined.source);
  const days = mayReuse ? await readDays(connection, joined, files) : undefined;
  if (mustMerge) {
    await mergeRawRows(connection, joined, { parts, ownAsOf, orphanSeriesIds });
  } else {
    if (isStaged) await insertStaged(connection, barTable(interval).bars, orphanSeriesIds);
    else await noteOrphanRows(connection, orphanSeriesIds);
    await addSeries(connection, joined, parts, asOf);
  }
  const reused = days && (await partReused(connection, { ...days, ...ids }, nowMs));
  for (const ticker of reused?.tickers ?? []) unsettled.add(ticker);
  const settling = { unsettled, seq, nowMs, files, isMerged: mustMerge };
  const newSymbols = await settleWithLoad(connection, batch, settling);
  const symbols = newSymbols ?? placed.symbols;
  const mayExtend = mustMerge && !newSymbols && moved.length === 0 && !joined.actions?.length;
  const isExtended = mayExtend && (await extendWinners(connection, joined, seq));
  const newFromSeriesId = mustMerge ? undefined : ids.firstSeriesId;
  // Without checks, as in a rebuild, nothing is compared.
  const isGuarded = inputs.some(({ guard }) => guard !== undefined);
  const newRows = isGuarded ? { ...ids, isMerged: mustMerge } : undefined;
  const recomputed = isExtended
    ? undefined
    : await recomputeServed(connection, batch, {
        ...{ newRows, span: daySpanOf(files), hasNewActions: !newSymbols },
      });
  const holds = recomputed?.holds ?? [];
  let lines: LoadLines = {};
  if (isGuarded && FILE_SOURCES.includes(joined.source)) {
    const published = inputs.find(({ guard }) => guard)?.guard?.published;
    const newFiles = { interval, ...ids, isMerged: mustMerge };
    const checked = await checkFiles(
      connection,
      { rows: newFiles, files, symbols, published },
      holds,
    );
    holds.push(...checked.holds);
    lines = checked.lines;
  }
  const rows = { files, symbols, entries, newFromSeriesId };
  await requireNoHold(connection, batch, { ...rows, holds }, inputs);
  const losing = await findLosing(connection, joined, { firstSeq, seq, newFromSeriesId });
  const unserved = recomputed && findUnserved(joined, lastUsOf(symbols, files), recomputed.served);
  const missingDividends = joined.actions?.length
    ? await findMissingDividends(connection, 'loading_symbols')
    : [];
  const changes = await attributeChanges(connection, batch, files);
  await writeCandlesUpdated(connection, batch, changes, nowMs);
  const changedBySeq = Map.groupBy(changes, ({ seq }) => seq);
  const { jumps, withdrawn } = recomputed ?? {};
  // Told once for the batch.
  const told = withoutEmpty({
    ...lines,
    jumps,
    withdrawn,
    reused: reused?.lines,
    missingDividends,
  });
  const results = entries.map((entry, i) => {
    const part = batch.parts[i];
    const seriesChanged = changedBySeq.get(entry.seq)?.length ?? 0;
    const extent = extentOfCandles(part.segment, filesOfPart(part, files));
    const added = { extent, copiedByFile, ...(losing && { losing }) };
    const first = i === 0 && { ...told, ...(unserved && { unserved }) };
    return { ...entry, alreadyLoaded: false, seriesChanged, ...added, ...first };
  });
  return { results, hasOrphanRows: !isStaged && orphanSeriesIds.length > 0 };
}

function withoutEmpty<T extends Record<string, readonly unknown[] | undefined>>(
  lists: T,
): Partial<T> {
  return Object.fromEntries(Object.entries(lists).filter(([, list]) => list?.length)) as Partial<T>;
}

/** Returns the time of the last row that a load has of each symbol. */
function lastUsOf(
  symbols: readonly string[],
  files: readonly { accepted: number; lastUs: number }[],
): Map<string, number> {
  const last = new Map<string, number>();
  for (const [i, { accepted, lastUs }] of files.entries()) {
    if (accepted === 0) continue;
    last.set(symbols[i], Math.max(lastUs, last.get(symbols[i]) ?? lastUs));
  }
  return last;
}

/** Inserts the rows of `incoming`, without those that were read again. */
async function insertStaged(
  connection: DuckDBConnection,
  bars: string,
  orphanSeriesIds: readonly number[],
): Promise<void> {
  const orphans = orphanSeriesIds.length > 0 ? `WHERE series_id NOT IN (${orphanSeriesIds})` : '';
  await connection.run(`INSERT INTO ${bars} FROM incoming ${orphans}`);
}

/** Checks a single segment; of several segments, names those that might be held. */
async function requireNoHold(
  connection: DuckDBConnection,
  batch: CandleBatch,
  rows: LoadedBatch,
  inputs: readonly Guarded<CandleSegment>[],
): Promise<void> {
  if (inputs.length > 1) return requireNoHolds(connection, batch, rows, inputs);
  const [{ segment, guard }] = inputs;
  const { entries, ...loaded } = rows;
  if (guard) await requireNotHeld(connection, segment, { ...entries[0], ...loaded }, guard);
}

function repeatsSymbols({ files }: CandleSegment): boolean {
  return new Set(files.map(({ symbol }) => symbol)).size < files.length;
}
