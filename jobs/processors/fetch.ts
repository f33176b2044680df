/** One task of a run: fetches a partition from a source and stages the result. */

import { join } from 'node:path';
import type { VendorSettings } from '../../src/base/config/config.ts';
import type { ModePaths } from '../../src/base/config/data-dir.ts';
import { scratchName } from '../../src/base/config/scratch-names.ts';
import { makeFolders } from '../../src/base/data-folder.ts';
import { MalformedInputError, SourceEmptyError } from '../../src/base/errors.ts';
import { mkdtemp, rm } from '../../src/base/world/file-promises.ts';
import type { Fetched, SourcedSymbol } from '../../src/ingest/contract/fetch-context.ts';
import { type StagedSegment, stagedFrom } from '../../src/ingest/segments/staged-segment.ts';
import { sourceNamed } from '../../src/ingest/sources/sources.ts';
import { isScreenWord } from '../../src/screens/language/names.ts';
import { servedDaysOf } from '../../src/store/arrow/read/served-days.ts';
import type { Partition } from '../contract/partition.ts';
import { type Patience, type Stage, type StageSettings, withStage } from '../contract/stage.ts';
import { shareSegment } from '../contract/staged-segments.ts';
import { readShared, readStaged, type Staged, writeStaged } from '../contract/staging.ts';

/** Payload of a fetch job. It has no vendor keys: each worker has its own. */
export interface FetchJob {
  plan: string;
  createdMs: number;
  index: number;
  source: string;
  slice: Partition;
}

export interface FetchDeps extends Patience {
  paths: ModePaths;
  settings: VendorSettings & StageSettings;
  nowMs: number;
  onProgress?: (step: string, done: number, total: number) => void;
}

/**
 * Fetches, and stages the segments and then their list. A task that is done is not fetched again.
 * Segments of an interrupted try are kept, as a feed does not repeat its news.
 *
 * @returns an empty result if the vendor has no data.
 * @throws as the source.
 */
export async function fetchTask(job: FetchJob, deps: FetchDeps): Promise<Staged> {
  const { paths, settings } = deps;
  const work = async (stage: Stage) => {
    if (!stage.objects) return fetchInto(stage, job, deps);
    // The segments are on their way: this machine may have no store.
    makeFolders(paths.scratch);
    const segments = await mkdtemp(join(paths.scratch, `${scratchName('segment')}-`));
    try {
      return await fetchInto(stage, job, { ...deps, paths: { ...paths, segments } });
    } finally {
      await rm(segments, { recursive: true, force: true });
    }
  };
  return withStage(paths, settings, work, deps);
}

async function fetchInto(stage: Stage, job: FetchJob, deps: FetchDeps): Promise<Staged> {
  const { paths, settings, nowMs, onProgress, signal } = deps;
  const run = { id: job.plan, createdMs: job.createdMs };
  const known = await readStaged(stage, job);
  if (known?.isComplete) {
    // The try that wrote it may have been killed before its folder was synced.
    if (!stage.objects) await writeStaged(stage, job, known);
    return known;
  }
  const source = await sourceNamed(job.source)?.load();
  if (!source?.fetch)
    throw new MalformedInputError(`"${job.source}" is not a source of this version`);
  const options = { ...job.slice, ...(await readShared(stage, job.plan)) };
  const fetched: Fetched[] = [];
  const sourced: SourcedSymbol[] = [];
  const shared = new Set<string>();
  const write = async (isComplete: boolean, skipped: Staged['skipped'] = []) => {
    const now = fetched.map(stagedFrom);
    for (const segment of now) {
      if (shared.has(idOf(segment))) continue;
      await shareSegment(stage, run, segment, paths.segments);
      shared.add(idOf(segment));
    }
    // Another try may have staged results since: a feed gave each of them other news.
    const staged = await readStaged(stage, job);
    const segments = joined(staged?.segments ?? [], now);
    const staging = { isComplete, segments, skipped, ...(sourced.length > 0 && { sourced }) };
    await writeStaged(stage, job, staging);
    return staging;
  };
  try {
    const onSourced = (symbol: SourcedSymbol) => void sourced.push(symbol);
    const isTaken = isScreenWord;
    const servedDays = servedDaysOf(paths.serving);
    const context = {
      ...{ paths, settings, nowMs, onProgress, onSourced, signal, isTaken, servedDays },
    };
    for await (const segment of source.fetch(options, context)) {
      signal?.throwIfAborted();
      fetched.push(segment);
      // Before the source records its position; at 1, 2, 4, … segments, to bound the writes.
      if (Number.isInteger(Math.log2(fetched.length))) await write(false);
    }
  } catch (error) {
    if (error instanceof SourceEmptyError) {
      return write(true, [{ name: job.source, reason: error.message }]);
    }
    if (fetched.length > 0) await write(false);
    throw error;
  }
  return write(true, unsourced(sourced));
}

/** Outcomes after which another run may succeed. */
const PASSING = ['rate limited', 'refused', 'unavailable', 'malformed'];

/** Lists the symbols that no source gave. Where another run may succeed, they fail the command. */
function unsourced(sourced: readonly SourcedSymbol[]): Staged['skipped'] {
  return sourced
    .filter(({ source }) => source === null)
    .map(({ symbol, tried }) => ({
      name: symbol,
      reason: 'no source gave bars of it',
      isRefused: tried.some(({ outcome }) => PASSING.includes(outcome)),
    }));
}

function joined(earlier: readonly StagedSegment[], now: readonly StagedSegment[]): StagedSegment[] {
  const ids = new Set(now.map(idOf));
  return [...earlier.filter((segment) => !ids.has(idOf(segment))), ...now];
}

function idOf(segment: StagedSegment): string {
  return segment.kind === 'facts' ? JSON.stringify(segment.facts) : segment.id;
}
