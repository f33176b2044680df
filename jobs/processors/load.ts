/** Load and publish: the job after the tasks of a run, and the whole work of a local load. */

import type { Settings } from '../../src/base/config/config.ts';
import type { ModePaths } from '../../src/base/config/data-dir.ts';
import { MalformedInputError } from '../../src/base/errors.ts';
import type { Fetched } from '../../src/ingest/contract/fetch-context.ts';
import type { SourceOptions } from '../../src/ingest/contract/source-options.ts';
import { fetchedFromLanded, landedFault } from '../../src/ingest/segments/landed-segment.ts';
import { sourceNamed } from '../../src/ingest/sources/sources.ts';
import { readManifest } from '../../src/store/arrow/format/manifest.ts';
import { readServedBars } from '../../src/store/arrow/read/served-bars.ts';
import { failureFrom, retryAfterMs } from '../contract/failure.ts';
import { optionsFromPartition } from '../contract/partition.ts';
import {
  type BackfillReport,
  type FailedJob,
  noLoads,
  type RunDeps,
  type RunReport,
} from '../contract/reports.ts';
import { isRequestTick, type RunHead, taskId } from '../contract/run.ts';
import { readStaged } from '../contract/staging.ts';
import { emitIngestFailed } from '../events/ingest-failed.ts';
import { backfill } from '../load/backfill.ts';
import { withStored } from '../load/stored.ts';

export interface LoadDeps extends RunDeps {
  paths: ModePaths;
  settings: Settings;
  failures?: number;
}

/**
 * Loads the staged segments of a run in the order of its tasks, or does its maintenance task, and
 * publishes once. Emits `ingest.failed` for what has failed for good.
 *
 * @param failed Failed tasks by number. Their staged segments are loaded too.
 * @throws as `backfill`, `loadDirectory` and `fillSandbox`.
 */
export function loadAndPublish(
  run: RunHead,
  failed: ReadonlyMap<number, FailedJob>,
  deps: LoadDeps,
): Promise<RunReport> {
  return reported(run, deps, async (guardedDeps) => {
    if (run.task) return maintained(run, run.task, guardedDeps);
    if (run.local && run.isCancelled) return nothingLoaded(deps.paths);
    if (run.local) return loadSource(run.source, optionsFromPartition(run.local), guardedDeps);
    return loadStaged(run, failed, guardedDeps);
  });
}

/** Loads a local request and publishes. */
export function loadLocal(
  run: RunHead,
  options: SourceOptions,
  deps: LoadDeps,
): Promise<RunReport> {
  return reported(run, deps, (guardedDeps) => loadSource(run.source, options, guardedDeps));
}

async function reported(
  run: RunHead,
  deps: LoadDeps,
  work: (deps: LoadDeps) => Promise<BackfillReport & Partial<RunReport>>,
): Promise<RunReport> {
  const { paths, nowMs, signal, failures = 0 } = deps;
  try {
    const before = readServedBars(paths.serving);
    const done = await work({ ...deps, run: run.id, guarded: guardedBy(run) });
    const after = readServedBars(paths.serving);
    const { id: plan, mode, createdMs: plannedMs } = run;
    const report = { deadJobs: [], ...done, plan, mode, plannedMs, served: { before, after } };
    await emitIngestFailed(paths, run, report.deadJobs, nowMs);
    return report;
  } catch (error) {
    const failure = failureFrom(error);
    const isFinal = !signal?.aborted && retryAfterMs(failure, failures + 1) === undefined;
    // A maintenance task is not a run of a source.
    if (isFinal && !run.task) await emitIngestFailed(paths, run, [failure], nowMs);
    throw error;
  }
}

/** Checks every load of a schedule: no person looks at its counts. */
function guardedBy({ accept, tick }: RunHead): RunDeps['guarded'] {
  if (accept) return 'none';
  return tick === undefined || isRequestTick(tick) ? 'large' : 'all';
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
  const report = await backfill(deps.paths, stagedSegments(tasks, deps), deps);
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

async function* stagedSegments(
  { run, failed, skipped, sourced }: Tasks,
  { paths }: LoadDeps,
): AsyncGenerator<Fetched> {
  const fail = (index: number, reason: string) => {
    const title = `part ${index + 1}`;
    if (!failed.has(index))
      failed.set(index, { id: taskId(run, index), title, kind: 'store', reason });
  };
  for (let index = 0; index < run.childCount; index++) {
    const staged = await readStaged(paths, { plan: run.id, index });
    if (!staged?.isComplete && !run.isCancelled)
      fail(index, 'it was never added, or its staged result is missing');
    for (const segment of staged?.segments ?? []) {
      const reason = await landedFault(segment, paths.segments);
      if (reason === undefined) yield fetchedFromLanded(segment, paths.segments);
      else fail(index, reason);
    }
    skipped.push(...(staged?.skipped ?? []));
    sourced.push(...(staged?.sourced ?? []));
  }
}

async function loadSource(
  id: string,
  options: SourceOptions,
  deps: LoadDeps,
): Promise<BackfillReport> {
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
      : await fetchSymbolDirectory(deps);
    return loadDirectory(paths, directory, deps);
  }
  const source = await sourceNamed(id)?.load();
  if (!source?.fetch) throw new MalformedInputError(`"${id}" is not a source of this version`);
  const stored = await withStored(id, options, deps);
  return backfill(paths, source.fetch(stored, deps), { ...deps, request: { source: id, options } });
}
