/** What follows the children of a plan: what they landed is loaded in the plan's order, and published once. */

import type { Settings } from '../../src/base/config/config.ts';
import type { Mode, ModePaths } from '../../src/base/config/data-dir.ts';
import { MalformedInputError } from '../../src/base/errors.ts';
import type { Fetched } from '../../src/ingest/contract/fetch-context.ts';
import type { SourceOptions } from '../../src/ingest/contract/source-options.ts';
import { fetchedFromLanded, landedFault } from '../../src/ingest/segments/landed-segment.ts';
import { sources } from '../../src/ingest/sources/sources.ts';
import { readManifest } from '../../src/store/arrow/format/manifest.ts';
import { readServedBars, type ServedBars } from '../../src/store/arrow/read/served-bars.ts';
import { tellIngestFailed } from '../events/ingest-failed.ts';
import { type BackfillReport, backfill, noLoads, type RunDeps } from '../load/backfill.ts';
import { type Failure, failureFrom, retryAfterMs } from '../runner/failure.ts';
import { readLanding } from '../runner/landings.ts';
import { childId, type PlanHead } from '../runner/plan.ts';
import { optionsFromSlice } from '../runner/slice.ts';
import { withStored } from '../runner/stored-options.ts';
import type { TaskReport } from './maintenance.ts';

/** A job that is given up, and why. */
export interface DeadJob extends Failure {
  id: string;
  /** What it is of. */
  title: string;
}

export interface PlanReport extends BackfillReport {
  /** Bars that were served before the run, and are now; null where that can't be told. */
  served: { before: ServedBars[] | null; after: ServedBars[] | null };
  plan: string;
  mode: Mode;
  /** When the plan was made, in milliseconds. */
  plannedMs: number;
  /** Children that gave nothing, or not all: what is published is partial. */
  deadJobs: DeadJob[];
  /** What a task of maintenance did, by name; only of plans that are one, as `faults`. */
  did?: TaskReport['did'];
  faults?: TaskReport['faults'];
}

export interface LoadDeps extends RunDeps {
  paths: ModePaths;
  settings: Settings;
  /** How often the load has failed before; default never. */
  failures?: number;
}

/**
 * Loads and publishes. Run again after an interruption it does what is missing. Webhooks are told
 * of what has failed for good.
 *
 * @param dead By number of the child. What such a child landed before it failed is loaded too.
 * @throws as `backfill`, `loadDirectory` and `fillSandbox`.
 */
export async function loadAndPublish(
  plan: PlanHead,
  dead: ReadonlyMap<number, DeadJob>,
  deps: LoadDeps,
): Promise<PlanReport> {
  const { paths, nowMs, signal, failures = 0 } = deps;
  const guarded = guardedBy(plan);
  try {
    const before = readServedBars(paths.serving);
    const done = await loadPlan(plan, dead, { ...deps, guarded });
    const after = readServedBars(paths.serving);
    const report = { ...done, served: { before, after } };
    tellIngestFailed(paths, plan, report.deadJobs, nowMs);
    return report;
  } catch (error) {
    const failure = failureFrom(error);
    const isDead = !signal?.aborted && retryAfterMs(failure, failures + 1) === undefined;
    // Maintenance is no run of a source.
    if (isDead && !plan.task) tellIngestFailed(paths, plan, [failure], nowMs);
    throw error;
  }
}

/** Nobody looks at the counts of what a schedule has asked for. */
function guardedBy({ accept, tick }: PlanHead): RunDeps['guarded'] {
  if (accept) return 'none';
  return tick === undefined ? 'large' : 'all';
}

async function loadPlan(
  plan: PlanHead,
  dead: ReadonlyMap<number, DeadJob>,
  deps: LoadDeps,
): Promise<Omit<PlanReport, 'served'>> {
  const told = { plan: plan.id, mode: plan.mode, plannedMs: plan.createdMs };
  if (plan.task) {
    const { MAINTENANCE } = await import('./maintenance.ts');
    const done = await MAINTENANCE[plan.task]({ ...deps, isScheduled: plan.tick !== undefined });
    return { ...nothingLoaded(deps.paths), ...told, deadJobs: [], ...done };
  }
  if (plan.local) {
    const report = await loadLocal(plan.source, optionsFromSlice(plan.local), deps);
    return { ...report, ...told, deadJobs: [] };
  }
  const children = { plan, dead: new Map(dead), skipped: [] };
  const report = await backfill(deps.paths, landedSegments(children, deps), deps);
  return {
    ...report,
    skipped: [...report.skipped, ...children.skipped],
    ...told,
    deadJobs: [...children.dead.values()],
  };
}

/** What a task of maintenance has loaded. */
function nothingLoaded({ serving }: ModePaths): BackfillReport {
  return { ...noLoads(), publishedVersion: publishedVersion(serving) };
}

/** 0 where nothing is published, or what is can't be read: that is not what a task is for. */
function publishedVersion(serving: string): number {
  try {
    return readManifest(serving)?.version ?? 0;
  } catch {
    return 0;
  }
}

interface Children {
  plan: PlanHead;
  /** A child whose landing, or a file of it, is gone or damaged is added. */
  dead: Map<number, DeadJob>;
  /** Receives what gave nothing. */
  skipped: BackfillReport['skipped'];
}

async function* landedSegments(
  { plan, dead, skipped }: Children,
  { paths }: LoadDeps,
): AsyncGenerator<Fetched> {
  const lose = (index: number, reason: string) => {
    const title = `part ${index + 1}`;
    if (!dead.has(index))
      dead.set(index, { id: childId(plan, index), title, kind: 'store', reason });
  };
  for (let index = 0; index < plan.childCount; index++) {
    const landing = await readLanding(paths, { plan: plan.id, index });
    if (!landing?.isComplete) lose(index, 'it was never added, or what it landed is gone');
    for (const segment of landing?.segments ?? []) {
      const reason = await landedFault(segment, paths.segments);
      if (reason === undefined) yield fetchedFromLanded(segment, paths.segments);
      else lose(index, reason);
    }
    skipped.push(...(landing?.skipped ?? []));
  }
}

/** Sources that the load asks itself. */
async function loadLocal(
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
      import('../../src/ingest/directory/symbols.ts'),
      import('../load/load-directory.ts'),
    ]);
    const directory = options.paths?.length
      ? await readSymbolDirectory(options.paths)
      : await fetchSymbolDirectory(deps);
    return loadDirectory(paths, directory, deps);
  }
  const source = sources.find((candidate) => candidate.id === id);
  if (!source?.fetch) throw new MalformedInputError(`"${id}" is no source of this Tapeworks`);
  const asked = await withStored(id, options, deps);
  return backfill(paths, source.fetch(asked, deps), { ...deps, question: { source: id, options } });
}
