/**
 * Executes runs in this process by priority: several tasks at a time, one load at a time. The code
 * that fetches and loads is imported by the first job, as `schedule` may wait a night for it.
 */

import type { Settings } from '../../src/base/config/config.ts';
import { workPaths } from '../../src/base/config/data-dir.ts';
import { limits } from '../../src/base/limits.ts';
import { clearTimeout, setImmediate, setTimeout } from '../../src/base/world/clock.ts';
import { type Failure, failureFrom, retryAfterMs } from '../contract/failure.ts';
import type { FailedJob } from '../contract/reports.ts';
import { byPriority, type RunHead, taskFromId, taskId } from '../contract/run.ts';
import type { RunOutcome, WaitOptions } from '../contract/runner.ts';
import { removeStaged } from '../contract/staging.ts';
import type { JobLedger, StoredTask } from '../ledger/ledger.ts';

/** Pause before the next try of a run whose end could not be stored. */
const END_PAUSE_MS = 1000;

/** A run that this process executes. */
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
  /** Ends its running tasks. */
  cancel: AbortController;
  /** Callbacks of the caller that waits for the run now. */
  waiter: WaitOptions;
  outcome: PromiseWithResolvers<RunOutcome>;
}

export interface ActiveRunsDeps {
  settings: Settings;
  ledger: JobLedger;
  clock: () => number;
}

export class ActiveRuns {
  readonly #deps: ActiveRunsDeps;
  readonly #runs = new Map<string, ActiveRun>();
  readonly #stop = new AbortController();
  readonly #jobs = new Set<Promise<void>>();
  #fetching = 0;
  #wakeUp: NodeJS.Timeout | undefined;

  constructor(deps: ActiveRunsDeps) {
    this.#deps = deps;
  }

  get(id: string): ActiveRun | undefined {
    return this.#runs.get(id);
  }

  start(id: string): void {
    this.#runs.set(id, activeRun(this.#deps.ledger, id));
    // Later: the caller first sets its callbacks.
    setImmediate(() => this.#pump());
  }

  /** Cancels a run that is not loading. */
  cancel(id: string): void {
    const run = this.#runs.get(id);
    if (!run || run.isLoading || run.head.isCancelled) return;
    this.#deps.ledger.cancel(id);
    run.head = { ...run.head, isCancelled: true };
    run.waiting = [];
    run.delayed = [];
    run.cancel.abort();
    this.#pump();
  }

  /** Stops all jobs; the runs stay as the ledger has them. */
  async stop(): Promise<void> {
    this.#stop.abort();
    clearTimeout(this.#wakeUp);
    await Promise.all(this.#jobs);
  }

  #paths({ head }: ActiveRun) {
    return workPaths(this.#deps.settings, head.mode);
  }

  /** Starts every job that is due, and sets a timer for the next one. */
  #pump(): void {
    if (this.#stop.signal.aborted) return;
    const nowMs = this.#deps.clock();
    const runs = [...this.#runs.values()].sort((a, b) => byPriority(a.head, b.head));
    for (const run of runs) {
      // Backfills leave one place free: the pace of a vendor may hold a task for an hour.
      const kept = run.head.priority === 'backfill' ? 1 : 0;
      while (this.#fetching < limits.jobs.fetchConcurrency - kept) {
        const task = takeTask(run, nowMs);
        if (!task) break;
        this.#start(() => this.#fetch(run, task));
      }
    }
    const isFree = !runs.some(({ isLoading }) => isLoading);
    const next = runs.find((run) => isFetched(run) && run.loadNotBeforeMs <= nowMs);
    if (isFree && next) this.#start(() => this.#load(next));
    const nextMs = Math.min(...runs.map(nextTryMs).filter((ms) => ms > nowMs));
    clearTimeout(this.#wakeUp);
    if (Number.isFinite(nextMs)) this.#wakeUp = setTimeout(() => this.#pump(), nextMs - nowMs);
  }

  #start(job: () => Promise<void>): void {
    const running = job()
      .catch((error) => {
        // Only the ledger and the staging folder throw here: no run can continue.
        for (const { outcome } of this.#runs.values()) outcome.reject(error);
      })
      .finally(() => {
        this.#jobs.delete(running);
        this.#pump();
      });
    this.#jobs.add(running);
  }

  async #fetch(run: ActiveRun, task: StoredTask): Promise<void> {
    const { head, waiter } = run;
    const { index, slice } = task;
    const isOnlyOne = head.childCount === 1;
    const signal = AbortSignal.any([this.#stop.signal, run.cancel.signal]);
    this.#fetching++;
    run.running++;
    try {
      const { fetchTask } = await import('../processors/fetch.ts');
      await fetchTask(
        { plan: head.id, createdMs: head.createdMs, index, source: head.source, slice },
        {
          paths: this.#paths(run),
          settings: this.#deps.settings,
          nowMs: this.#deps.clock(),
          signal,
          // With several tasks, each task is one step.
          onProgress: isOnlyOne ? waiter.onProgress : undefined,
        },
      );
      this.#deps.ledger.taskDone(head.id, index);
      run.settled++;
    } catch (error) {
      if (!signal.aborted) this.#fetchFailed(run, task, failureFrom(error));
    } finally {
      this.#fetching--;
      run.running--;
      if (!isOnlyOne) run.waiter.onProgress?.('fetch', run.settled, head.childCount);
    }
  }

  #fetchFailed(run: ActiveRun, task: StoredTask, failure: Failure): void {
    const { index } = task;
    task.failures++;
    const waitMs = retryAfterMs(failure, task.failures);
    if (waitMs === undefined) {
      run.failed.set(index, failedJob(run.head, { ...task, ...failure }));
      run.settled++;
    } else {
      run.delayed.push({ task, atMs: this.#deps.clock() + waitMs });
      const seconds = Math.ceil(waitMs / 1000);
      run.waiter.onWaiting?.(`the next try of ${task.title} in ${seconds} s: ${failure.reason}`);
    }
    // Last: the disk may be full, and the run would be loaded without the task.
    this.#deps.ledger.taskFailed(run.head.id, index, failure, waitMs === undefined);
  }

  async #load(run: ActiveRun): Promise<void> {
    const { head, failed } = run;
    const { id, verb } = head;
    run.isLoading = true;
    try {
      const { loadAndPublish } = await import('../processors/load.ts');
      const loaded = await loadAndPublish(head, failed, {
        paths: this.#paths(run),
        settings: this.#deps.settings,
        verb,
        nowMs: this.#deps.clock(),
        clock: this.#deps.clock,
        failures: run.loadFailures,
        signal: this.#stop.signal,
        onProgress: (step, done, total) => run.waiter.onProgress?.(step, done, total),
        onWaiting: (holder) => run.waiter.onWaiting?.(holder),
      });
      const report = { ...loaded, deadJobs: this.#withLost(run, loaded.deadJobs) };
      this.#deps.ledger.runDone(id, report, this.#deps.clock());
      this.#runs.delete(id);
      // A retry of failed tasks needs the shared context.
      if (report.deadJobs.length === 0) await removeStaged(this.#paths(run), head);
      run.outcome.resolve({ report });
    } catch (error) {
      if (this.#stop.signal.aborted) return;
      const failure = failureFrom(error);
      const waitMs = retryAfterMs(failure, ++run.loadFailures);
      // The ledger may refuse the end of the run, on a full disk: it is tried again then.
      run.loadNotBeforeMs = this.#deps.clock() + (waitMs ?? END_PAUSE_MS);
      this.#deps.ledger.runFailed(id, failure, waitMs === undefined, this.#deps.clock());
      if (waitMs !== undefined) return;
      this.#runs.delete(id);
      run.outcome.resolve({ failure, cause: error });
    } finally {
      run.isLoading = false;
    }
  }

  /** Marks done tasks without a staged result as failed, so that they can be retried. */
  #withLost({ head, failed }: ActiveRun, failedJobs: readonly FailedJob[]): FailedJob[] {
    const isLost = ({ id }: FailedJob) => !failed.has(taskFromId(id).index);
    if (!failedJobs.some(isLost)) return [...failedJobs];
    const { ledger } = this.#deps;
    const titles = ledger.tasks(head.id).map(({ title }) => title);
    return failedJobs.map((job) => {
      if (!isLost(job)) return job;
      const { index } = taskFromId(job.id);
      ledger.taskFailed(head.id, index, job, true);
      return { ...job, title: titles[index] };
    });
  }
}

function activeRun(ledger: JobLedger, id: string): ActiveRun {
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
    cancel: new AbortController(),
    waiter: {},
    outcome,
  };
}

function failedJob(
  run: RunHead,
  { index, title, kind, reason }: Pick<StoredTask, 'index' | 'title' | 'kind' | 'reason'>,
): FailedJob {
  return { id: taskId(run, index), title, kind: kind ?? 'other', reason: reason ?? '' };
}

function takeTask({ waiting, delayed }: ActiveRun, nowMs: number): StoredTask | undefined {
  const due = delayed.findIndex(({ atMs }) => atMs <= nowMs);
  return due < 0 ? waiting.pop() : delayed.splice(due, 1)[0].task;
}

function isFetched({ waiting, delayed, running }: ActiveRun): boolean {
  return waiting.length + delayed.length + running === 0;
}

/** Returns the time of the next try; infinite if none is delayed. */
function nextTryMs(run: ActiveRun): number {
  if (isFetched(run)) return run.isLoading ? Infinity : run.loadNotBeforeMs;
  return Math.min(...run.delayed.map(({ atMs }) => atMs));
}
