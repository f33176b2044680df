/** What both runners do: the one in this process, and the one on Redis. Types only. */

import type { Mode } from '../../src/base/config/data-dir.ts';
import type { PlanReport } from '../processors/load-and-publish.ts';
import type { Failure, FailureKind } from './failure.ts';
import type { Plan } from './plan.ts';

export const JOB_STATES = ['waiting', 'active', 'delayed', 'done', 'dead'] as const;

export type JobState = (typeof JOB_STATES)[number];

/** A job as people see it. */
export interface JobRecord {
  /** Of a child `<plan>-<number>`, of a load its plan's, of a delivery `<event>/<webhook>`. */
  id: string;
  queue: 'fetch' | 'load' | 'webhooks' | 'maintenance';
  state: JobState;
  /** Null: what it does is of both. */
  mode: Mode | null;
  /** What is running, as the user would say it: `backfill yahoo`. */
  verb: string;
  /** What of it. */
  title: string;
  /** Tries that failed. */
  failures: number;
  /** Why the last of them failed. */
  reason: string | null;
  kind: FailureKind | null;
}

export interface WaitOptions {
  /** Steps of the plan: its children as `fetch`, then the steps of load and publish. */
  onProgress?: (step: string, done: number, total: number) => void;
  /** Something else is in the way: another process, a missing worker. */
  onWaiting?: (whom: string) => void;
  /** Ends the wait, and what this process does of the plan; the plan stays to be resumed. */
  signal?: AbortSignal;
}

/** How a plan ended: published, or with a load that is dead; `cause` where it was thrown here. */
export type PlanOutcome = { report: PlanReport } | { failure: Failure; cause?: unknown };

export interface Runner {
  /**
   * Adds a plan. One that is there and not done is not added again; one that is done or given up starts
   * anew, unless it is of a tick.
   *
   * @returns whether it was added.
   */
  enqueue(plan: Plan): Promise<boolean>;
  /** Whether a plan is there and neither done nor given up. */
  isUnfinished(planId: string): Promise<boolean>;
  /** Waits until the plan is published, or its load is dead. */
  finished(planId: string, options: WaitOptions): Promise<PlanOutcome>;
  /** Newest first, at most `limits.jobs.listedMax`. */
  list(state?: JobState): Promise<JobRecord[]>;
  /**
   * Runs dead jobs again: those with these ids, or all. Dead children of a plan that is done
   * become a plan of their own.
   *
   * @param options.accept Doubtful loads of them are believed now.
   * @returns the plans that are to be waited for.
   */
  retry(ids: readonly string[] | 'all', options?: { accept?: boolean }): Promise<string[]>;
  /** Goes on with what processes that are gone have left. @returns how many plans these are. */
  resume(): Promise<number>;
  close(): Promise<void>;
}
