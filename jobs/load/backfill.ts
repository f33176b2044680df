/**
 * Loads one source, every segment as it is fetched, then publishes once. Repeated, it continues:
 * segments in the ledger are not loaded again.
 */

import { join } from 'node:path';
import type { ModePaths } from '../../src/base/config/data-dir.ts';
import { HeldLoadError, type HeldSymbol, HoldCandidatesError } from '../../src/base/errors.ts';
import { limits } from '../../src/base/limits.ts';
import { existsSync } from '../../src/base/world/files.ts';
import { process } from '../../src/base/world/process.ts';
import type { Fetched, SkippedInput } from '../../src/ingest/contract/fetch-context.ts';
import { joinReadings } from '../../src/ingest/contract/reading-of-files.ts';
import { COUNTED } from '../../src/store/duckdb/holds/load-guard.ts';
import {
  type BackfillReport,
  type LoadReport,
  noLoads,
  type RunDeps,
} from '../contract/reports.ts';
import { publish } from '../publish/publish.ts';
import { removeCopy, stageCopy, withCopyPath } from './copied-input.ts';
import { type HeldRecord, holdSegment, idOf, readHeldRecord, releaseHeld } from './held-records.ts';
import { Holds } from './holds.ts';
import { type FetchedLoad, loadFetched } from './load-fetched.ts';
import { notesOf } from './load-notes.ts';
import { loadParts, type PartsHeld } from './load-parts.ts';
import { addPart, readParts } from './loaded-parts.ts';
import { LoadedRows } from './loaded-rows.ts';
import { MendedHolds } from './mended-holds.ts';
import { OpenStore } from './open-store.ts';
import { type CountedLoad, RunLoads } from './run-loads.ts';
import { type Choice, hasParts, isStagedPart, stagePart } from './segment-part.ts';
import { SegmentRecords } from './segment-records.ts';
import { orPause, WaitingSegments } from './waiting-segments.ts';

/**
 * Loads all segments of a source and publishes.
 *
 * @throws as `loadSegments`; loaded data is published.
 */
export async function backfill(
  paths: ModePaths,
  segments: AsyncIterable<Fetched>,
  deps: RunDeps,
): Promise<BackfillReport> {
  using store = new OpenStore(paths, deps);
  const report = await loadInto(store, paths, segments, deps).catch(async (error) => {
    store.close();
    // A source may fail halfway: publish what it gave, then fail.
    if (!deps.signal?.aborted) await publish(paths, deps).catch(() => undefined);
    throw error;
  });
  const { version } = await publish(paths, { ...deps, open: store.leftOpen() });
  return { ...report, publishedVersion: version };
}

/**
 * Loads small staged segments together and the others one by one. Closes the store while the next
 * segment takes a while, so that readers get in.
 *
 * @param segments A segment is released when the next is requested, except for its staged file.
 * @throws {HeldLoadError} sanity checks held some; the others are loaded.
 */
export async function loadSegments(
  paths: ModePaths,
  segments: AsyncIterable<Fetched>,
  deps: RunDeps,
): Promise<LoadReport> {
  using store = new OpenStore(paths, deps);
  return await loadInto(store, paths, segments, deps);
}

async function loadInto(
  store: OpenStore,
  paths: ModePaths,
  segments: AsyncIterable<Fetched>,
  deps: RunDeps,
): Promise<LoadReport> {
  const report = noLoads();
  const skipped: SkippedInput[][] = [];
  const holds = new Holds(paths, deps);
  const records = new SegmentRecords(paths);
  const loaded = new LoadedRows();
  const results: FetchedLoad[] = [];
  const notes = new Set<string>();
  const mended = new MendedHolds(deps.nowMs);
  const runLoads = deps.run && new RunLoads(paths, deps.run);
  const counts = { loaded, report, results, notes, mended };
  const load = { paths, store, records, holds, ...counts, runLoads, deps };
  const waiting = new WaitingSegments(paths, (batch) => loadTogether(batch, load));
  try {
    for await (const segment of orPause(segments, limits.store.idleMs)) {
      deps.signal?.throwIfAborted();
      if (segment === undefined) await waiting.flush();
      else {
        await waiting.add(segment);
        skipped.push(segment.skipped);
      }
    }
  } catch (error) {
    // Waiting segments are not affected by the failure.
    if (!deps.signal?.aborted) await waiting.flush().catch(() => undefined);
    throw error;
  }
  await mended.release(paths, store);
  const found = notesOf(results);
  holds.throwHeld(report.segments, skipped.flat(), found);
  report.notes.push(...notes, ...found);
  // Read at the end: a source may add skipped inputs after their segment.
  report.skipped = skipped.flat();
  report.loaded = loaded.list();
  return report;
}

interface Load {
  paths: ModePaths;
  store: OpenStore;
  records: SegmentRecords;
  holds: Holds;
  loaded: LoadedRows;
  report: LoadReport;
  /** Receives the results of all segments. */
  results: FetchedLoad[];
  notes: Set<string>;
  mended: MendedHolds;
  runLoads: RunLoads | undefined;
  deps: RunDeps;
  /** True if a sanity check held a batch with the segment. */
  isChecked?: boolean;
}

/** Loads a batch; if it fails, in parts, so that good segments do not wait for bad ones. */
async function loadTogether(batch: readonly Fetched[], load: Load): Promise<void> {
  const { deps } = load;
  if (batch.length === 1) return loadAlone(batch[0], load);
  // A segment with loaded parts goes alone, since only its other symbols are loaded.
  const apart = [...batch.keys()].filter((place) => partsOf(batch[place], load).length > 0);
  if (apart.length > 0) {
    for (const part of partsAround(apart, batch)) await loadTogether(part, load);
    return;
  }
  const failure = await loadOnce(batch, load).then(
    () => undefined,
    (error: Error) => error,
  );
  if (!failure) return;
  deps.signal?.throwIfAborted();
  const isChecked = failure instanceof HoldCandidatesError && failure.isTogether;
  for (const part of partsAfter(failure, batch)) await loadTogether(part, { ...load, isChecked });
  if (failure instanceof HoldCandidatesError) return;
  // No single segment failed, so this is a defect of the program, and slow.
  process.emitWarning(`${batch.length} segments were loaded one by one: ${failure.message}`);
}

function partsOf(segment: Fetched, { paths }: Pick<Load, 'paths'>): Choice[] {
  return hasParts(segment) ? readParts(paths, segment.id) : [];
}

/** Loads a segment. If checks hold some of its symbols, loads the others. */
async function loadAlone(segment: Fetched, load: Load): Promise<void> {
  const { paths, holds, deps } = load;
  const { nowMs: heldMs, run } = deps;
  try {
    if (!hasParts(segment)) return await loadOnce([segment], load);
    const parts = readParts(paths, segment.id);
    const before = readHeldRecord(paths, segment.id);
    // The rest of a large input may be small.
    const isChecked = parts.length > 0 && wasCounted(before);
    const held = await loadParts(segment, {
      parts,
      load: (part) => loadOnce([part], isChecked ? { ...load, isChecked } : load),
      loaded: (choice) => addPart(paths, segment.id, choice),
    });
    if (!held) return releaseHeld(paths, segment);
    // These checks know less than those of the whole input.
    const stated = parts.length > 0 ? heldAsBefore(held, before) : held;
    const { reason, symbols, awaited } = stated;
    await holdSegment(paths, segment, { heldMs, reason, symbols, awaited, run: run?.id });
    holds.addSymbols(segment, stated);
  } catch (error) {
    if (!(error instanceof HeldLoadError)) throw error;
    const { message: reason, awaited } = error;
    await holdSegment(paths, segment, { heldMs, reason, awaited: [...awaited], run: run?.id });
    holds.add(error.message);
  }
}

/** Returns true if checks of large loads may have held symbols of an input. */
function wasCounted(before: HeldRecord | undefined): boolean {
  const isCounted = ({ reason }: HeldSymbol) => COUNTED.some((check) => reason.startsWith(check));
  return before?.symbols?.some(isCounted) ?? true;
}

/** Gives a hold the reasons of its earlier record if it is of the same symbols. */
function heldAsBefore(held: PartsHeld, before: HeldRecord | undefined): PartsHeld {
  const { symbols = [], reason } = before ?? {};
  const names = (all: readonly HeldSymbol[]) =>
    all
      .map(({ symbol }) => symbol)
      .sort()
      .join();
  const isSame = reason !== undefined && names(symbols) === names(held.symbols);
  return isSame ? { ...held, symbols, reason } : held;
}

/**
 * Splits a failed batch: held segments alone, those between them together; after another failure
 * each alone.
 */
function partsAfter(failure: Error, batch: readonly Fetched[]): Fetched[][] {
  if (!(failure instanceof HoldCandidatesError)) return batch.map((segment) => [segment]);
  return partsAround(failure.places, batch);
}

function partsAround(places: readonly number[], batch: readonly Fetched[]): Fetched[][] {
  const parts: Fetched[][] = [];
  let from = 0;
  for (const place of [...places, batch.length]) {
    if (place > from) parts.push(batch.slice(from, place));
    if (place < batch.length) parts.push([batch[place]]);
    from = place + 1;
  }
  return parts;
}

async function loadOnce(fetched: readonly Fetched[], load: Load): Promise<void> {
  const { paths, store, records, holds, report, runLoads, deps, isChecked = false } = load;
  const { request, onProgress } = deps;
  const batch = fetched.map((segment) => withCopyPath(paths, segment));
  const use = store.use(async (market) => {
    // Other processes may have published while this one waited for the store.
    const nowMs = deps.clock?.() ?? deps.nowMs;
    onProgress?.('load', report.segments, report.segments + batch.length);
    const [first] = batch;
    if (isStagedPart(first)) batch[0] = await stagePart(market, paths, first);
    const guard = (segment: Fetched) => holds.guard(segment, isChecked);
    const beforeCommit = (segment: Fetched, result: FetchedLoad) =>
      runLoads?.add(idOf(segment), nowMs, countedLoad(segment, result));
    const results = await loadFetched(market, batch, { nowMs, guard, beforeCommit });
    // After the load: a rebuild must not bring back a held load.
    const firstOrder = report.segments + 1;
    // A segment with a copy is a batch of its own.
    const copy = await stageCopy(paths, batch[0], results[0].copiedByFile);
    await records.add(batch, { loadedMs: nowMs, firstOrder, request, copy });
    for (const [i, segment] of batch.entries()) countLoaded(segment, results[i], load);
    onProgress?.('load', report.segments, report.segments);
  });
  await use.finally(() => batch.forEach(removeCopy));
}

function countLoaded(segment: Fetched, result: FetchedLoad, load: Load): void {
  const { paths, report, loaded, results, notes, mended, runLoads } = load;
  // A process of this run that was killed may have loaded it.
  const known = result.alreadyLoaded && runLoads?.take(idOf(segment), result.loadedMs);
  const counted = known || countedLoad(segment, result);
  const { accepted, rejected, seriesChanged, rowsChanged, extent } = counted.result;
  for (const note of counted.notes) notes.add(note);
  results.push(counted.result);
  mended.add(segment, counted.result);
  report.segments++;
  // A known file with a newer modification time wins again.
  report.seriesChanged += seriesChanged;
  if (counted.result.alreadyLoaded) {
    // An input without a good row was refused before, and is again.
    if (accepted > 0 || rejected === 0) report.alreadyLoaded++;
    return;
  }
  report.accepted += accepted;
  report.rejected += rejected;
  report.rowsChanged += rowsChanged;
  if (extent) loaded.add(segment, extent);
  report.readings = joinReadings([...report.readings, ...counted.readings]);
  for (const [reason, count] of counted.rejectedByReason) {
    report.rejectedByReason[reason] = (report.rejectedByReason[reason] ?? 0) + count;
  }
  const kept = rejected > 0 && 'id' in segment && `${segment.id}.csv`;
  if (!kept || !existsSync(join(paths.quarantine, kept))) return;
  report.quarantine = report.quarantine ? paths.quarantine : join(paths.quarantine, kept);
}

function countedLoad(segment: Fetched, result: FetchedLoad): CountedLoad {
  const { rejectedByReason, readings = [], notes = [] } = segment;
  return { result, rejectedByReason: [...rejectedByReason], readings, notes };
}
