/**
 * Runs what is due: each tick becomes a plan whose id follows from the tick, so it runs once
 * however many processes run schedules, and one that was missed while none ran is made up for.
 */

import { setTimeout as delay } from 'node:timers/promises';
import type { Settings } from '../../src/base/config/config.ts';
import { modePaths } from '../../src/base/config/data-dir.ts';
import { QueueUnavailableError, StoreBusyError } from '../../src/base/errors.ts';
import { limits } from '../../src/base/limits/limits.ts';
import { maintenanceRun, type Run } from '../contract/run.ts';
import type { Runner } from '../contract/runner.ts';
import { type BackfillRequest, backfillId, requestedRun } from '../runner/request.ts';
import { configuredSchedules, type Schedule, scheduledOptions } from './schedules.ts';
import { latestTick, nextTick } from './ticks.ts';

export interface ScheduleDeps {
  settings: Settings;
  runner: Pick<Runner, 'enqueue' | 'isUnfinished' | 'resume'>;
  clock: () => number;
  /** Maintenance of earlier ticks was not missed: there was nothing to care for. Milliseconds. */
  dataSinceMs?: number;
  /** A tick was given to the runner. */
  onDue?: (schedule: Schedule, tick: string, runId: string) => void;
  /** A tick could not be given to the runner; told once, also where it is tried again. */
  onFailure: (schedule: Schedule, error: unknown) => void;
  signal: AbortSignal;
  /** Waits so many milliseconds; default the real time. */
  wait?: (ms: number) => Promise<unknown>;
}

/** The newest tick of a schedule that this process has dealt with. */
interface Dealt {
  tickMs: number;
  /** Of the newest that was given to the runner; undefined where none could be. */
  runId: string | undefined;
  /** It is to be tried again. */
  isOpen: boolean;
}

/** Runs until the signal aborts; ends at once where schedules are off. */
export async function runSchedules(deps: ScheduleDeps): Promise<void> {
  const { settings, runner, clock, signal, wait = realTime(signal) } = deps;
  const schedules = configuredSchedules(settings);
  /** By name. */
  const dealt = new Map<string, Dealt>();
  while (!signal.aborted && schedules.length > 0) {
    // What another process was killed over goes on here.
    await runner.resume().catch(() => 0);
    for (const schedule of schedules) {
      if (signal.aborted) return;
      await dealWith(schedule, dealt, deps);
    }
    const dueMs = Math.min(...schedules.map(({ rule }) => nextTick(rule, clock())));
    // In short steps: a machine that slept must not wait its sleep again.
    const waitMs = Math.max(0, Math.min(limits.pipeline.clockCheckMs, dueMs - clock()));
    await wait(waitMs).catch(() => undefined);
  }
}

async function dealWith(
  schedule: Schedule,
  dealt: Map<string, Dealt>,
  deps: ScheduleDeps,
): Promise<void> {
  const { name, rule } = schedule;
  const tickMs = latestTick(rule, deps.clock());
  const before = dealt.get(name);
  if (before?.tickMs === tickMs && !before.isOpen) return;
  // Of the first tick alone: a clock that was ahead when the data were made must not put off others.
  if (schedule.task && !before && tickMs < (deps.dataSinceMs ?? 0)) {
    dealt.set(name, { tickMs, runId: undefined, isOpen: false });
    return;
  }
  try {
    // What has not ended yet would be asked for twice; its next tick brings all since.
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
    // Redis comes back, and whoever has the store gives it back; all else fails the same again.
    const isOpen = error instanceof QueueUnavailableError || error instanceof StoreBusyError;
    dealt.set(name, { tickMs, runId: before?.runId, isOpen });
  }
}

/** An earlier tick that has not ended, given to the runner by a process before or beside this one. */
async function openTickBefore(
  schedule: Schedule,
  newestMs: number,
  { settings, runner }: ScheduleDeps,
): Promise<Dealt | undefined> {
  // Nothing is known of older plans.
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

/** @returns the id of the tick's plan, added now or by another process before. */
async function addTick(
  schedule: Schedule,
  tickMs: number,
  { settings, runner, clock, onDue }: ScheduleDeps,
): Promise<string> {
  const tick = new Date(tickMs).toISOString();
  const plan = await runOfTick(schedule, tickMs, { settings, tick, nowMs: clock() });
  if (await runner.enqueue(plan)) onDue?.(schedule, tick, plan.id);
  return plan.id;
}

function idOfTick(schedule: Schedule, tickMs: number, settings: Settings): string {
  const { source, task } = schedule;
  const tick = new Date(tickMs).toISOString();
  if (task) return maintenanceRun({ mode: 'live', task, tick }, tickMs).id;
  const options = scheduledOptions(schedule, settings, tickMs);
  return backfillId({ mode: 'live', source, options, tick });
}

async function runOfTick(
  schedule: Schedule,
  tickMs: number,
  { settings, tick, nowMs }: { settings: Settings; tick: string; nowMs: number },
): Promise<Run> {
  const { name, source, task, priority } = schedule;
  if (task) return maintenanceRun({ mode: 'live', task, tick }, nowMs);
  const options = scheduledOptions(schedule, settings, tickMs);
  const question: BackfillRequest = { mode: 'live', source, options, tick };
  const verb = `schedule ${name}`;
  const paths = modePaths(settings.dataDir, 'live');
  return requestedRun(question, { paths, verb, priority, nowMs });
}

function realTime(signal: AbortSignal): NonNullable<ScheduleDeps['wait']> {
  return (ms) => delay(ms, undefined, { signal });
}
