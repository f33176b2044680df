/** A run that this process executes: the tasks that are left, and the caller that waits. */

import type { FailedJob } from '../contract/reports.ts';
import { PRIORITIES, type RunHead, taskId } from '../contract/run.ts';
import type { RunOutcome, WaitOptions } from '../contract/runner.ts';
import type { JobLedger, StoredTask } from '../ledger/ledger.ts';

export interface ActiveRun {
  head: RunHead;
  /** Tasks to fetch, in reverse order. */
  waiting: StoredTask[];
  /** Tasks that failed, with the time of their next try. */
  delayed: { task: StoredTask; atMs: number }[];
  /** Number of tasks that are fetching. */
  running: number;
  settled: number;
  failed: Map<number, FailedJob>;
  loadFailures: number;
  loadNotBeforeMs: number;
  isLoading: boolean;
  /** Callbacks of the caller that waits for the run now. */
  waiter: WaitOptions;
  outcome: PromiseWithResolvers<RunOutcome>;
}

export function activeRun(ledger: JobLedger, id: string): ActiveRun {
  const stored = ledger.run(id);
  if (!stored) throw new Error(`no run ${id} in the ledger`);
  const tasks = ledger.tasks(id);
  const failed = tasks.filter(({ state }) => state === 'dead');
  const outcome = Promise.withResolvers<RunOutcome>();
  // There may be no caller that waits.
  outcome.promise.catch(() => undefined);
  const waiting = tasks.filter(({ state }) => state === 'waiting');
  return {
    head: stored.head,
    waiting: waiting.reverse(),
    delayed: [],
    running: 0,
    settled: tasks.length - waiting.length,
    failed: new Map(failed.map((task) => [task.index, failedJob(stored.head, task)])),
    loadFailures: stored.failures,
    loadNotBeforeMs: 0,
    isLoading: false,
    waiter: {},
    outcome,
  };
}

export function failedJob(
  run: RunHead,
  { index, title, kind, reason }: Pick<StoredTask, 'index' | 'title' | 'kind' | 'reason'>,
): FailedJob {
  return { id: taskId(run, index), title, kind: kind ?? 'other', reason: reason ?? '' };
}

export function takeTask({ waiting, delayed }: ActiveRun, nowMs: number): StoredTask | undefined {
  const due = delayed.findIndex(({ atMs }) => atMs <= nowMs);
  return due < 0 ? waiting.pop() : delayed.splice(due, 1)[0].task;
}

export function byPriority(a: ActiveRun, b: ActiveRun): number {
  return (
    PRIORITIES[a.head.priority] - PRIORITIES[b.head.priority] || a.head.createdMs - b.head.createdMs
  );
}

export function isFetched({ waiting, delayed, running }: ActiveRun): boolean {
  return waiting.length + delayed.length + running === 0;
}

/** Returns the time of the next try; infinite if none is delayed. */
export function nextTryMs(run: ActiveRun): number {
  if (isFetched(run)) return run.isLoading ? Infinity : run.loadNotBeforeMs;
  return Math.min(...run.delayed.map(({ atMs }) => atMs));
}
