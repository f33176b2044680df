/** What follows the children of a plan: what they landed is loaded in the plan's order, and published once. */

import type { Settings } from '../../src/config.ts';
import type { ModePaths } from '../../src/data-dir.ts';
import { assert } from '../../src/errors.ts';
import type { Fetched } from '../../src/ingest/fetch-context.ts';
import { fetchedFromLanded } from '../../src/ingest/landed-segment.ts';
import type { SourceOptions } from '../../src/ingest/source-options.ts';
import { sources } from '../../src/ingest/sources.ts';
import { type BackfillReport, backfill, type RunDeps } from '../backfill.ts';
import { tellIngestFailed } from '../events/ingest-failed.ts';
import { loadDirectory } from '../load-directory.ts';
import { type Failure, failureFrom } from '../runner/failure.ts';
import { readLanding } from '../runner/landings.ts';
import { childId, type PlanHead } from '../runner/plan.ts';
import { optionsFromSlice } from '../runner/slice.ts';
import { withStored } from '../runner/stored-options.ts';
import { fillSandbox } from '../sandbox.ts';
import { MAINTENANCE } from './maintenance.ts';

/** A job that is given up, and why. */
export interface DeadJob extends Failure {
  id: string;
  /** What it is of. */
  title: string;
}

export interface PlanReport extends BackfillReport {
  plan: string;
  /** When the plan was made, in milliseconds. */
  plannedMs: number;
  /** Children that gave nothing, or not all: what is published is partial. */
  deadJobs: DeadJob[];
  /** What a task of maintenance says of itself. */
  did?: Record<string, number>;
}

export interface LoadDeps extends RunDeps {
  paths: ModePaths;
  settings: Settings;
}

/**
 * Loads and publishes. Run again after an interruption it does what is missing. Webhooks are told
 * of what has failed.
 *
 * @param dead By number of the child. What such a child landed before it failed is loaded too.
 * @throws as `backfill`, `loadDirectory` and `fillSandbox`.
 */
export async function loadAndPublish(
  plan: PlanHead,
  dead: ReadonlyMap<number, DeadJob>,
  deps: LoadDeps,
): Promise<PlanReport> {
  const { paths, nowMs, signal } = deps;
  const guarded = guardedBy(plan);
  try {
    const report = await loadPlan(plan, dead, { ...deps, guarded });
    tellIngestFailed(paths, plan, report.deadJobs, nowMs);
    return report;
  } catch (error) {
    if (!signal?.aborted) tellIngestFailed(paths, plan, [failureFrom(error)], nowMs);
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
): Promise<PlanReport> {
  const told = { plan: plan.id, plannedMs: plan.createdMs };
  if (plan.task) {
    const did = await MAINTENANCE[plan.task](deps);
    return { ...(await backfill(deps.paths, nothing(), deps)), ...told, deadJobs: [], did };
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

/** What a task of maintenance has to load. */
async function* nothing(): AsyncGenerator<Fetched> {}

interface Children {
  plan: PlanHead;
  /** A child whose landing is gone is added. */
  dead: Map<number, DeadJob>;
  /** Receives what gave nothing. */
  skipped: BackfillReport['skipped'];
}

async function* landedSegments(
  { plan, dead, skipped }: Children,
  { paths }: LoadDeps,
): AsyncGenerator<Fetched> {
  for (let index = 0; index < plan.childCount; index++) {
    const landing = await readLanding(paths, { plan: plan.id, index });
    if (!dead.has(index) && !landing?.isComplete) {
      const gone = {
        kind: 'other',
        reason: 'it was never added, or what it landed is gone',
      } as const;
      dead.set(index, { id: childId(plan, index), title: `part ${index + 1}`, ...gone });
    }
    for (const segment of landing?.segments ?? []) {
      yield fetchedFromLanded(segment, paths.segments);
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
  const { paths, settings } = deps;
  if (id === 'sandbox') {
    return fillSandbox(paths, { stocks: options.stocks, fromDay: options.fromDay }, deps);
  }
  if (id === 'symbols') {
    const { fetchSymbolDirectory, readSymbolDirectory } = await import(
      '../../src/ingest/sources/symbols.ts'
    );
    const directory = options.paths?.length
      ? await readSymbolDirectory(options.paths)
      : await fetchSymbolDirectory(settings.contact, deps);
    return loadDirectory(paths, directory, deps);
  }
  const source = sources.find((candidate) => candidate.id === id);
  assert(source?.fetch, `the registry has the source ${id}`);
  const asked = await withStored(id, options, deps);
  return backfill(paths, source.fetch(asked, deps), { ...deps, question: { source: id, options } });
}
