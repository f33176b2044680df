/**
 * The market store made anew from what was loaded into it: landed segments whose hash matches, and
 * files in place that still give the segments they gave. Then everything is published anew.
 *
 * The store is built beside the old one and takes its place when it is whole; a kill before that
 * changes nothing, and the same command begins again.
 */

import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Settings } from '../src/config.ts';
import type { ModePaths } from '../src/data-dir.ts';
import { StoreMissingError, TapeworksError } from '../src/errors.ts';
import type { Fetched } from '../src/ingest/fetch-context.ts';
import { fetchedFromLanded } from '../src/ingest/landed-segment.ts';
import { sources } from '../src/ingest/sources.ts';
import { step } from '../src/steps.ts';
import { openMarketForWriting } from '../src/store/market/open.ts';
import { acquireWriterLock } from '../src/store/market/writer-lock.ts';
import { syncFolder } from '../src/store/serving/durable-file.ts';
import { loadSegments, type RunDeps } from './backfill.ts';
import { hashFile } from './backup/copy-file.ts';
import { publish } from './publish.ts';
import { optionsFromSlice } from './runner/slice.ts';
import { readRecords, type SegmentRecord } from './segment-records.ts';

/** A segment that can't be had again, and why. */
export interface LostSegment {
  id: string;
  /** Where it came from. */
  origin: string;
  reason: string;
}

export interface RebuildReport {
  segments: number;
  lost: LostSegment[];
  publishedVersion: number;
}

export interface RebuildDeps extends RunDeps {
  settings: Settings;
}

const UNFINISHED_ENDING = '.rebuilt';

/** The store that was replaced, for whoever wants to look into it. */
export const REPLACED_ENDING = '.replaced';

/**
 * @param isPartial Whether the new store takes the old one's place where segments are lost too.
 * @throws {StoreMissingError} nothing is known to have been loaded.
 * @throws {TapeworksError} segments are lost; it names them, and the old store stays.
 */
export async function rebuild(
  paths: ModePaths,
  { isPartial }: { isPartial: boolean },
  deps: RebuildDeps,
): Promise<RebuildReport> {
  const records = readRecords(paths);
  if (records.length === 0) {
    throw new StoreMissingError(`Nothing in "${paths.segments}" says what was loaded`);
  }
  const unfinished = { ...paths, market: paths.market + UNFINISHED_ENDING };
  for (const ending of ['', '.wal']) rmSync(unfinished.market + ending, { force: true });
  const lost = await loadRecords(unfinished, records, deps);
  if (lost.length > 0 && !isPartial) {
    for (const ending of ['', '.wal']) rmSync(unfinished.market + ending, { force: true });
    throw new TapeworksError(lossText(lost));
  }
  await replaceStore(paths, unfinished.market, deps);
  const { version } = await publish(paths, { ...deps, isWhole: true });
  return { segments: records.length - lost.length, lost, publishedVersion: version };
}

async function loadRecords(
  paths: ModePaths,
  records: readonly SegmentRecord[],
  deps: RebuildDeps,
): Promise<LostSegment[]> {
  const lost: LostSegment[] = [];
  const lose = ({ id, origin }: SegmentRecord, reason: string) => lost.push({ id, origin, reason });
  const loaded = new Set<string>();
  for (const [i, record] of records.entries()) {
    deps.onProgress?.('rebuild', i, records.length);
    if (loaded.has(record.id)) continue;
    const fault = record.landed ? await landedFault(paths, record) : undefined;
    const isAsked = record.question !== undefined && (!record.landed || fault !== undefined);
    const wanted = new Set(isAsked ? idsLike(records, record) : [record.id]);
    try {
      if (record.landed && !fault) {
        const segment = fetchedFromLanded(record.landed, paths.segments);
        await load(paths, one(segment), record, deps);
        loaded.add(record.id);
      } else if (isAsked) {
        await load(paths, askAgain(paths, record, { wanted, loaded }, deps), record, deps);
        if (!loaded.has(record.id)) lose(record, 'its files have another content by now');
      } else lose(record, fault ?? 'it was read from files that nobody has noted');
    } catch (error) {
      deps.signal?.throwIfAborted();
      lose(record, (error as Error).message);
    }
  }
  deps.onProgress?.('rebuild', records.length, records.length);
  return lost;
}

async function load(
  paths: ModePaths,
  segments: AsyncIterable<Fetched>,
  { loadedMs }: SegmentRecord,
  deps: RebuildDeps,
): Promise<void> {
  // By the clock of its first load: that is what is stamped on its rows.
  const { verb, signal, onWaiting } = deps;
  await loadSegments(paths, segments, {
    verb,
    signal,
    onWaiting,
    nowMs: loadedMs,
    guarded: 'none',
  });
}

async function* one(segment: Fetched): AsyncGenerator<Fetched> {
  yield segment;
}

/** Why a landed segment can't be loaded. */
async function landedFault(
  { segments }: ModePaths,
  { id, landed, sha256 }: SegmentRecord,
): Promise<string | undefined> {
  if (landed?.kind === 'facts') return undefined;
  const path = join(segments, `${id}.parquet`);
  const content = await hashFile(path);
  if (!content) return `"${path}" is missing`;
  return content.sha256 === sha256 ? undefined : `"${path}" does not match its SHA-256`;
}

/** Segments of the same question at the same time: a file gives several. */
function idsLike(records: readonly SegmentRecord[], like: SegmentRecord): string[] {
  const question = JSON.stringify(like.question);
  return records
    .filter((one) => one.loadedMs === like.loadedMs && JSON.stringify(one.question) === question)
    .map(({ id }) => id);
}

/** The segments that have the ids of old: an id follows from the content of the files. */
async function* askAgain(
  paths: ModePaths,
  { question, loadedMs }: SegmentRecord,
  { wanted, loaded }: { wanted: ReadonlySet<string>; loaded: Set<string> },
  { settings, signal }: RebuildDeps,
): AsyncGenerator<Fetched> {
  const source = sources.find(({ id }) => id === question?.source);
  if (!source?.fetch || !question) return;
  const context = { paths, settings, nowMs: loadedMs, signal };
  for await (const segment of source.fetch(optionsFromSlice(question.slice), context)) {
    if (!('id' in segment) || !wanted.has(segment.id) || loaded.has(segment.id)) continue;
    yield segment;
    loaded.add(segment.id);
  }
}

async function replaceStore(paths: ModePaths, market: string, deps: RebuildDeps): Promise<void> {
  const lock = await acquireWriterLock(paths, deps);
  try {
    // Also where every segment was lost: an empty store of the newest schema.
    const opened = await openMarketForWriting({ ...paths, market }, { ...deps, lock });
    opened.close();
    for (const ending of ['', '.wal']) {
      const old = paths.market + ending;
      if (existsSync(old)) renameSync(old, old + REPLACED_ENDING);
    }
    step('rename file', 'market.duckdb');
    renameSync(market, paths.market);
    syncFolder(paths.root);
  } finally {
    lock.release();
  }
}

const LISTED_MAX = 10;

function lossText(lost: readonly LostSegment[]): string {
  const lines = lost.slice(0, LISTED_MAX).map(({ origin, reason }) => `${origin}: ${reason}`);
  const more = lost.length > LISTED_MAX ? [`and ${lost.length - LISTED_MAX} more`] : [];
  return [
    `${lost.length} loaded segments can't be had again; the store was left as it is. ` +
      'Load them anew afterwards with backfill and go on now with --partial:',
    ...lines,
    ...more,
  ].join('\n');
}
