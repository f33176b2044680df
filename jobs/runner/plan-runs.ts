/**
 * Runs plans in this process: children several at a time, then their load and publish one at a
 * time, what has priority first. The ledger is told of everything that is done or fails. What fetches
 * and loads is loaded by the first job: `schedule` may wait for a night without one.
 */

import type { Settings } from '../../src/base/config/config.ts';
import { workPaths } from '../../src/base/config/data-dir.ts';
import { limits } from '../../src/base/limits/limits.ts';
import type { DeadJob } from '../processors/load-and-publish.ts';
import { type Failure, failureFrom, retryAfterMs } from './failure.ts';
import type { JobLedger, StoredChild } from './job-ledger.ts';
import { removeLandings } from './landings.ts';
import { childFromId } from './plan.ts';
import {
  byPriority,
  deadJob,
  isFetched,
  nextTryMs,
  type RunningPlan,
  runningPlan,
  takeChild,
} from './running-plan.ts';

export interface PlanRunsDeps {
  settings: Settings;
  ledger: JobLedger;
  clock: () => number;
}

export class PlanRuns {
  readonly #deps: PlanRunsDeps;
  readonly #plans = new Map<string, RunningPlan>();
  readonly #stop = new AbortController();
  readonly #jobs = new Set<Promise<void>>();
  #fetching = 0;
  #wakeUp: NodeJS.Timeout | undefined;

  constructor(deps: PlanRunsDeps) {
    this.#deps = deps;
  }

  get(id: string): RunningPlan | undefined {
    return this.#plans.get(id);
  }

  /** Runs a plan of the ledger that this process owns. */
  start(id: string): void {
    this.#plans.set(id, runningPlan(this.#deps.ledger, id));
    // Whoever asked for it gets to say first where progress goes.
    setImmediate(() => this.#pump());
  }

  /** Ends what runs and waits until it has ended; the plans stay as the ledger has them. */
  async stop(): Promise<void> {
    this.#stop.abort();
    clearTimeout(this.#wakeUp);
    await Promise.all(this.#jobs);
  }

  #paths({ head }: RunningPlan) {
    return workPaths(this.#deps.settings, head.mode);
  }

  /** Starts whatever may run now, and comes back when the next wait is over. */
  #pump(): void {
    if (this.#stop.signal.aborted) return;
    const nowMs = this.#deps.clock();
    const plans = [...this.#plans.values()].sort(byPriority);
    for (const plan of plans) {
      // One place is kept for what is awaited now: a vendor's pace may hold a backfill for an hour.
      const kept = plan.head.priority === 'backfill' ? 1 : 0;
      while (this.#fetching < limits.jobs.fetchConcurrency - kept) {
        const child = takeChild(plan, nowMs);
        if (!child) break;
        this.#start(() => this.#fetch(plan, child));
      }
    }
    const isFree = !plans.some(({ isLoading }) => isLoading);
    const next = plans.find((plan) => isFetched(plan) && plan.loadNotBeforeMs <= nowMs);
    if (isFree && next) this.#start(() => this.#load(next));
    const nextMs = Math.min(...plans.map(nextTryMs).filter((ms) => ms > nowMs));
    clearTimeout(this.#wakeUp);
    if (Number.isFinite(nextMs)) this.#wakeUp = setTimeout(() => this.#pump(), nextMs - nowMs);
  }

  #start(job: () => Promise<void>): void {
    const running = job()
      .catch((error) => {
        // Only what the ledger or the folder of landings throws gets here: nothing can go on.
        for (const { outcome } of this.#plans.values()) outcome.reject(error);
      })
      .finally(() => {
        this.#jobs.delete(running);
        this.#pump();
      });
    this.#jobs.add(running);
  }

  async #fetch(plan: RunningPlan, child: StoredChild): Promise<void> {
    const { head, told } = plan;
    const { index, slice } = child;
    const isOnlyOne = head.childCount === 1;
    this.#fetching++;
    plan.running++;
    try {
      const { fetchSlice } = await import('../processors/fetch.ts');
      await fetchSlice(
        { plan: head.id, index, source: head.source, slice },
        {
          paths: this.#paths(plan),
          settings: this.#deps.settings,
          nowMs: this.#deps.clock(),
          signal: this.#stop.signal,
          // Of many, each child is a step.
          onProgress: isOnlyOne ? told.onProgress : undefined,
        },
      );
      this.#deps.ledger.childDone(head.id, index);
      plan.settled++;
    } catch (error) {
      if (!this.#stop.signal.aborted) this.#fetchFailed(plan, child, failureFrom(error));
    } finally {
      this.#fetching--;
      plan.running--;
      if (!isOnlyOne) plan.told.onProgress?.('fetch', plan.settled, head.childCount);
    }
  }

  #fetchFailed(plan: RunningPlan, child: StoredChild, failure: Failure): void {
    const { index } = child;
    child.failures++;
    const waitMs = retryAfterMs(failure, child.failures);
    this.#deps.ledger.childFailed(plan.head.id, index, failure, waitMs === undefined);
    if (waitMs === undefined) {
      plan.dead.set(index, deadJob(plan.head, { ...child, ...failure }));
      plan.settled++;
    } else {
      plan.delayed.push({ child, atMs: this.#deps.clock() + waitMs });
      const seconds = Math.ceil(waitMs / 1000);
      plan.told.onWaiting?.(
        `another try of ${child.title} in ${seconds} s, because ${failure.reason}`,
      );
    }
  }

  async #load(plan: RunningPlan): Promise<void> {
    const { head, dead } = plan;
    const { id, verb } = head;
    plan.isLoading = true;
    try {
      const { loadAndPublish } = await import('../processors/load-and-publish.ts');
      const loaded = await loadAndPublish(head, dead, {
        paths: this.#paths(plan),
        settings: this.#deps.settings,
        verb,
        nowMs: this.#deps.clock(),
        failures: plan.loadFailures,
        signal: this.#stop.signal,
        onProgress: (step, done, total) => plan.told.onProgress?.(step, done, total),
        onWaiting: (holder) => plan.told.onWaiting?.(holder),
      });
      const report = { ...loaded, deadJobs: this.#withLost(plan, loaded.deadJobs) };
      this.#deps.ledger.planDone(id, report, this.#deps.clock());
      this.#plans.delete(id);
      // A retry of dead children needs what they share.
      if (report.deadJobs.length === 0) await removeLandings(this.#paths(plan), id);
      plan.outcome.resolve({ report });
    } catch (error) {
      if (this.#stop.signal.aborted) return;
      const failure = failureFrom(error);
      const waitMs = retryAfterMs(failure, ++plan.loadFailures);
      this.#deps.ledger.planFailed(id, failure, waitMs === undefined, this.#deps.clock());
      plan.loadNotBeforeMs = this.#deps.clock() + (waitMs ?? 0);
      if (waitMs !== undefined) return;
      this.#plans.delete(id);
      plan.outcome.resolve({ failure, cause: error });
    } finally {
      plan.isLoading = false;
    }
  }
  /** Children that were done and whose landing is gone are dead like others, to be run again. */
  #withLost({ head, dead }: RunningPlan, deadJobs: readonly DeadJob[]): DeadJob[] {
    const isLost = ({ id }: DeadJob) => !dead.has(childFromId(id).index);
    if (!deadJobs.some(isLost)) return [...deadJobs];
    const { ledger } = this.#deps;
    const titles = ledger.children(head.id).map(({ title }) => title);
    return deadJobs.map((job) => {
      if (!isLost(job)) return job;
      const { index } = childFromId(job.id);
      ledger.childFailed(head.id, index, job, true);
      return { ...job, title: titles[index] };
    });
  }
}
