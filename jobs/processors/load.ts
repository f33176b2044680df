/** Load and publish: the job after the tasks of a run, and the whole work of a local run. */

import type { Settings } from '../../src/base/config/config.ts';
import type { ModePaths } from '../../src/base/config/data-dir.ts';
import { MalformedInputError } from '../../src/base/errors.ts';
import { limits } from '../../src/base/limits.ts';
import type { Fetched } from '../../src/ingest/contract/fetch-context.ts';
import { fetchedFromStaged, type StagedSegment } from '../../src/ingest/segments/staged-segment.ts';
import { sourceNamed } from '../../src/ingest/sources/sources.ts';
import { isScreenWord } from '../../src/screens/language/names.ts';
import { readManifest } from '../../src/store/arrow/format/manifest.ts';
import { readServed } from '../../src/store/arrow/read/served-bars.ts';
import { servedDaysOf } from '../../src/store/arrow/read/served-days.ts';
import { failureFrom, retryAfterMs } from '../contract/failure.ts';
import type { Partition } from '../contract/partition.ts';
import {
  type BackfillReport,
  type FailedJob,
  noLoads,
  type RunDeps,
  type RunReport,
} from '../contract/reports.ts';
import { isRequestTick, type RunHead, taskId } from '../contract/run.ts';
import { type Patience, type Stage, withStage } from '../contract/stage.ts';
import { listObjects } from '../contract/staged-files.ts';
import { segmentFault } from '../contract/staged-segments.ts';
import { readStaged, type Staged } from '../contract/staging.ts';
import { emitIngestFailed } from '../events/ingest-failed.ts';
import { backfill } from '../load/backfill.ts';
import { unlikelyNotes } from '../load/load-notes.ts';
import { beginLoads, forgetLoads } from '../load/run-loads.ts';
import { withStored } from '../load/stored.ts';

/** Reason of a task that has staged nothing, or nothing that can be read. */
export const MISSING_RESULT = 'its staged result is missing';

export interface LoadDeps extends RunDeps {
  paths: ModePaths;
  settings: Settings;
  failures?: number;
  note?: Patience['note'];
}

/**
 * Loads the staged segments of a run in the order of its tasks, or does its maintenance task, and
 * publishes once. Emits `ingest.failed` for what has failed for good.
 *
 * @param failed Failed tasks by number. Their staged segments are loaded too.
 * @throws as `backfill`, `loadDirectory` and `fillSandbox`.
 */
export async function loadAndPublish(
  run: RunHead,
  failed: ReadonlyMap<number, FailedJob>,
  deps: LoadDeps,
): Promise<RunReport> {
  const { paths, nowMs, signal, failures = 0 } = deps;
  try {
    const before = run.task ? readServed(paths.serving) : beginLoads(paths, run);
    const done = await loaded(run, failed, { ...deps, run, ...guardOf(run) });
    const after = readServed(paths.serving);
    const { id: plan, mode, createdMs: plannedMs } = run;
    const served = { before: before?.bars ?? null, after: after?.bars ?? null };
    done.notes.push(...unlikelyNotes(before, after));
    const report = { deadJobs: [], ...done, plan, mode, plannedMs, served };
    await emitIngestFailed(paths, run, report.deadJobs, nowMs);
    return report;
  } catch (error) {
    const failure = failureFrom(error);
    const isFinal = !signal?.aborted && retryAfterMs(failure, failures + 1) === undefined;
    // A maintenance task is not a run of a source.
    if (isFinal && !run.task) {
      forgetLoads(paths, run);
      await emitIngestFailed(paths, run, [failure], nowMs);
    }
    throw error;
  }
}

function loaded(
  run: RunHead,
  failed: ReadonlyMap<number, FailedJob>,
  deps: LoadDeps,
): Promise<BackfillReport & Partial<RunReport>> | BackfillReport {
  if (run.task) return maintained(run, run.task, deps);
  if (run.local && run.isCancelled) return nothingLoaded(deps.paths);
  if (run.local) return loadSource(run.source, run.local, deps);
  return loadStaged(run, failed, deps);
}

/** Checks every load of a schedule: no person looks at its counts. */
function guardOf({ accept, tick }: RunHead): Pick<RunDeps, 'guarded' | 'accepted'> {
  if (accept === true) return { guarded: 'none' };
  const guarded = tick === undefined || isRequestTick(tick) ? 'large' : 'all';
  return accept ? { guarded, accepted: accept } : { guarded };
}

async function maintained(
  { tick }: RunHead,
  task: NonNullable<RunHead['task']>,
  deps: LoadDeps,
): Promise<BackfillReport & Partial<RunReport>> {
  const { MAINTENANCE } = await import('../maintenance/tasks.ts');
  const done = await MAINTENANCE[task]({ ...deps, isScheduled: tick !== undefined });
  return { ...nothingLoaded(deps.paths), ...done };
}

function nothingLoaded({ serving }: Pick<ModePaths, 'serving'>): BackfillReport {
  return { ...noLoads(), publishedVersion: publishedVersion(serving) };
}

/** Returns 0 where nothing is published or it cannot be read: a task need not fail for that. */
function publishedVersion(serving: string): number {
  try {
    return readManifest(serving)?.version ?? 0;
  } catch {
    return 0;
  }
}

async function loadStaged(
  run: RunHead,
  failed: ReadonlyMap<number, FailedJob>,
  deps: LoadDeps,
): Promise<BackfillReport & Partial<RunReport>> {
  const tasks: Tasks = { run, failed: new Map(failed), skipped: [], sourced: [] };
  const { paths, settings } = deps;
  const load = (stage: Stage) => backfill(paths, stagedSegments(tasks, stage, deps), deps);
  const report = await withStage(paths, settings, load, deps);
  return {
    ...report,
    skipped: [...report.skipped, ...tasks.skipped],
    ...(tasks.sourced.length > 0 && { sourced: tasks.sourced }),
    deadJobs: [...tasks.failed.values()],
  };
}

interface Tasks {
  run: RunHead;
  failed: Map<number, FailedJob>;
  skipped: BackfillReport['skipped'];
  sourced: NonNullable<RunReport['sourced']>;
}

interface StagedTask {
  staged: Staged | undefined;
  /** Faults of its segments. */
  faults: (string | undefined)[];
}

/** Reads tasks in their order, some ahead where they are in object storage. */
async function* stagedTasks(
  run: RunHead,
  stage: Stage,
  signal: AbortSignal | undefined,
): AsyncGenerator<StagedTask> {
  const { id, createdMs, childCount } = run;
  const shared = await listObjects(stage, id);
  // Tasks may have the same segment, which must not be downloaded twice at once.
  const known = new Map<string, Promise<string | undefined>>();
  const faultOf = (segment: StagedSegment) => {
    if (segment.kind === 'facts') return undefined;
    const key = `${segment.id} ${segment.parquetSha256}`;
    const fault = known.get(key) ?? segmentFault(stage, run, segment, shared, signal);
    known.set(key, fault);
    return fault;
  };
  const read = async (index: number): Promise<StagedTask> => {
    const staged = await readStaged(stage, { plan: id, createdMs, index });
    const faults: StagedTask['faults'] = [];
    for (const segment of staged?.segments ?? []) faults.push(await faultOf(segment));
    return { staged, faults };
  };
  const atOnce = stage.objects ? limits.jobs.stagedAtOnce : 1;
  const reading: Promise<StagedTask>[] = [];
  for (let index = 0; index < childCount; index++) {
    while (reading.length < Math.min(atOnce, childCount - index)) {
      const ahead = read(index + reading.length);
      // It is thrown in its turn.
      ahead.catch(() => undefined);
      reading.push(ahead);
    }
    yield (await reading.shift()) as StagedTask;
  }
}

async function* stagedSegments(
  { run, failed, skipped, sourced }: Tasks,
  stage: Stage,
  { paths, signal }: LoadDeps,
): AsyncGenerator<Fetched> {
  const fail = (index: number, reason: string) => {
    const title = `part ${index + 1}`;
    if (!failed.has(index))
      failed.set(index, { id: taskId(run, index), title, kind: 'store', reason });
  };
  let index = 0;
  for await (const { staged, faults } of stagedTasks(run, stage, signal)) {
    if (!staged?.isComplete && !run.isCancelled) fail(index, MISSING_RESULT);
    for (const [i, segment] of (staged?.segments ?? []).entries()) {
      const reason = faults[i];
      if (reason === undefined) yield fetchedFromStaged(segment, paths.segments);
      else fail(index, reason);
    }
    skipped.push(...(staged?.skipped ?? []));
    sourced.push(...(staged?.sourced ?? []));
    index++;
  }
}

async function loadSource(id: string, options: Partition, deps: LoadDeps): Promise<BackfillReport> {
  const { paths } = deps;
  if (id === 'sandbox') {
    const { fillSandbox } = await import('../load/sandbox.ts');
    return fillSandbox(paths, { stocks: options.stocks, fromDay: options.fromDay }, deps);
  }
  if (id === 'symbols') {
    const [{ fetchSymbolDirectory, readSymbolDirectory }, { loadDirectory }] = await Promise.all([
      import('../../src/ingest/vendors/symbols/source.ts'),
      import('../load/load-directory.ts'),
    ]);
    const directory = options.paths?.length
      ? await readSymbolDirectory(options.paths)
      : await fetchSymbolDirectory(await withStored(id, options, deps), deps);
    return loadDirectory(paths, directory, deps);
  }
  const source = await sourceNamed(id)?.load();
  if (!source?.fetch) throw new MalformedInputError(`"${id}" is not a source of this version`);
  const stored = await withStored(id, options, deps);
  const servedDays = servedDaysOf(deps.paths.serving);
  const fetched = source.fetch(stored, { ...deps, isTaken: isScreenWord, servedDays });
  return backfill(paths, fetched, { ...deps, request: { source: id, slice: options } });
}
