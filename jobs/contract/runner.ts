/** The interface of both runners: the one in this process, and the one on Redis. Types only. */

import type { Mode } from '../../src/base/config/data-dir.ts';
import type { Failure, FailureKind } from './failure.ts';
import type { RunReport } from './reports.ts';
import type { Run } from './run.ts';

export const JOB_STATES = ['waiting', 'active', 'delayed', 'done', 'dead'] as const;

/** State of a job; `dead` is one that failed in all its tries. */
export type JobState = (typeof JOB_STATES)[number];

/** A job as `jobs list` prints it. */
export interface JobRecord {
  /** `taskId` of a task, the run's id of a load, `<event>/<webhook>` of a delivery. */
  id: string;
  queue: 'fetch' | 'load' | 'webhooks' | 'maintenance';
  state: JobState;
  /** Null for jobs of both modes. */
  mode: Mode | null;
  /** Name of the command, such as `backfill yahoo`. */
  verb: string;
  /** Part of the work in words. */
  title: string;
  /** Tries that failed. */
  failures: number;
  /** Reason of the last failure. */
  reason: string | null;
  kind: FailureKind | null;
}

export interface WaitOptions {
  /** Progress of the run: its tasks as `fetch`, then the steps of load and publish. */
  onProgress?: (step: string, done: number, total: number) => void;
  /** Called with what the run waits for: another process, a missing worker. */
  onWaiting?: (whom: string) => void;
  /** Ends the wait, and the work of this process on the run; the run can be resumed. */
  signal?: AbortSignal;
}

/** End of a run: published, or failed; `cause` where the error was thrown in this process. */
export type RunOutcome = { report: RunReport } | { failure: Failure; cause?: unknown };

export interface Runner {
  /**
   * Adds a run, unless it is unfinished. One that is done or failed starts again, unless it has a
   * tick.
   *
   * @returns true if the run was added.
   */
  enqueue(run: Run): Promise<boolean>;
  /** Returns true if the run exists and is neither done nor failed. */
  isUnfinished(runId: string): Promise<boolean>;
  /** Waits until the run is published, or its load has failed. */
  finished(runId: string, options: WaitOptions): Promise<RunOutcome>;
  /** Lists jobs, newest first, at most `limits.jobs.listedMax`. */
  list(state?: JobState): Promise<JobRecord[]>;
  /**
   * Runs failed jobs again: those with these ids, or all. Failed tasks of a run that is done become
   * a run of their own.
   *
   * @param options.accept Loads without sanity checks.
   * @returns ids of the runs to wait for.
   */
  retry(ids: readonly string[] | 'all', options?: { accept?: boolean }): Promise<string[]>;
  /** Resumes runs of processes that have died. @returns the number of these runs. */
  resume(): Promise<number>;
  close(): Promise<void>;
}
