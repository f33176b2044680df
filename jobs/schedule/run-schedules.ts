/**
 * Runs schedules: each tick becomes a run whose id is a hash of the tick. It runs once for any
 * number of processes, and a missed tick is made up for.
 */

import type { Settings } from '../../src/base/config/config.ts';
import { modePaths } from '../../src/base/config/data-dir.ts';
import { QueueUnavailableError, StoreBusyError } from '../../src/base/errors.ts';
import { limits } from '../../src/base/limits.ts';
import { pause } from '../../src/base/time/pause.ts';
import { maintenanceRun } from '../contract/run.ts';
import type { Runner } from '../contract/runner.ts';
import { type BackfillRequest, backfillId, requestedRun } from '../runner/request.ts';
import { scheduleLimits } from './limits.ts';
import { configuredSchedules, type Schedule, scheduledOptions } from './schedules.ts';
import { latestTick, nextTick } from './ticks.ts';

export interface ScheduleDeps {
  settings: Settings;
  runner: Pick<Runner, 'enqueue' | 'isUnfinished'>;
  clock: () => number;
  /** Creation time of the data: maintenance of earlier ticks was not missed. Ignored if ahead. */
  dataSinceMs?: number;
  onDue?: (schedule: Schedule, tick: string, runId: string) => void;
  /** Called once for a tick that could not become a run, even if it is tried again. */
  onFailure: (schedule: Schedule, error: unknown) => void;
  /** Called with the newest tick when none is left to be tried again. */
  onDealt?: (tickMs: number) => void;
  signal: AbortSignal;
  wait?: (ms: number) => Promise<unknown>;
}

/** Newest tick of a schedule that this process handled. */
interface Dealt {
  tickMs: number;
  runId: string | undefined;
  isOpen: boolean;
}

export async function runSchedules(deps: ScheduleDeps): Promise<void> {
  const { settings, clock, signal, wait = (ms) => pause(ms, signal) } = deps;
  const schedules = configuredSchedules(settings);
  const dealt = new Map<string, Dealt>();
  while (!signal.aborted && schedules.length > 0) {
    for (const schedule of schedules) {
      if (signal.aborted) return;
      await dealWith(schedule, dealt, deps);
    }
    const done = [...dealt.values()];
    if (!done.some(({ isOpen }) => isOpen)) {
      deps.onDealt?.(Math.max(...done.map(({ tickMs }) => tickMs)));
    }
    const dueMs = Math.min(...schedules.map(({ rule }) => nextTick(rule, clock())));
    // A sleep of the machine must not lengthen the wait.
    const waitMs = Math.max(0, Math.min(scheduleLimits.clockCheckMs, dueMs - clock()));
    await wait(waitMs);
  }
}

async function dealWith(
  schedule: Schedule,
  dealt: Map<string, Dealt>,
  deps: ScheduleDeps,
): Promise<void> {
  const { name, rule } = schedule;
  const nowMs = deps.clock();
  const tickMs = latestTick(rule, nowMs);
  const before = dealt.get(name);
  if (before?.tickMs === tickMs && !before.isOpen) return;
  const { dataSinceMs = 0 } = deps;
  // A clock that was ahead when the data were made must not put off maintenance.
  if (schedule.task && tickMs < dataSinceMs && dataSinceMs <= nowMs) {
    dealt.set(name, { tickMs, runId: undefined, isOpen: false });
    return;
  }
  try {
    // An unfinished tick would be fetched twice; its next tick brings all since.
    if (before?.runId) {
      if (await deps.runner.isUnfinished(before.runId)) return;
    } else {
      const open = await openTickBefore(schedule, tickMs, deps);
      if (open) {
        dealt.set(name, open);
        return;
      }
    }
    const runId = await addTick(schedule, tickMs, deps);
    dealt.set(name, { tickMs, runId, isOpen: false });
  } catch (error) {
    if (before?.tickMs !== tickMs) deps.onFailure(schedule, error);
    // Redis comes back and a busy store is released; other errors would repeat.
    const isOpen = error instanceof QueueUnavailableError || error instanceof StoreBusyError;
    dealt.set(name, { tickMs, runId: before?.runId, isOpen });
  }
}

async function openTickBefore(
  schedule: Schedule,
  newestMs: number,
  { settings, runner }: ScheduleDeps,
): Promise<Dealt | undefined> {
  const oldestMs = newestMs - 1000 * limits.redis.keptS;
  let tickMs = newestMs;
  for (let count = 0; count < limits.jobs.ticksLookedBackMax; count++) {
    tickMs = latestTick(schedule.rule, tickMs - 1);
    if (tickMs < oldestMs) return undefined;
    const runId = idOfTick(schedule, tickMs, settings);
    if (await runner.isUnfinished(runId)) return { tickMs, runId, isOpen: false };
  }
  return undefined;
}

/** Adds the run of a tick. @returns its id, whichever process added it. */
async function addTick(
  schedule: Schedule,
  tickMs: number,
  { settings, runner, clock, onDue }: ScheduleDeps,
): Promise<string> {
  const { name, task, priority } = schedule;
  const tick = tickText(tickMs);
  const nowMs = clock();
  const paths = modePaths(settings.dataDir, 'live');
  const how = { paths, verb: `schedule ${name}`, priority, nowMs };
  const run = task
    ? maintenanceRun({ mode: 'live', task, tick }, nowMs)
    : await requestedRun(requestOf(schedule, tickMs, settings), how);
  if (await runner.enqueue(run)) onDue?.(schedule, tick, run.id);
  return run.id;
}

function idOfTick(schedule: Schedule, tickMs: number, settings: Settings): string {
  const { task } = schedule;
  if (task) return maintenanceRun({ mode: 'live', task, tick: tickText(tickMs) }, tickMs).id;
  return backfillId(requestOf(schedule, tickMs, settings));
}

function requestOf(schedule: Schedule, tickMs: number, settings: Settings): BackfillRequest {
  const options = scheduledOptions(schedule, settings, tickMs);
  return { mode: 'live', source: schedule.source, options, tick: tickText(tickMs) };
}

function tickText(tickMs: number): string {
  return new Date(tickMs).toISOString();
}
