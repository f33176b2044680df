/** Interface of both runners. */

import type { Mode } from '../../src/base/config/data-dir.ts';
import type { Failure, FailureKind } from './failure.ts';
import type { RunReport } from './reports.ts';
import type { Accept, Run } from './run.ts';

export const JOB_STATES = ['waiting', 'active', 'delayed', 'done', 'dead'] as const;

export type JobState = (typeof JOB_STATES)[number];

/** A job as `jobs list` prints it. */
export interface JobRecord {
  /** `taskId` of a task, the run's id of a load, `<event>/<webhook>` of a delivery. */
  id: string;
  queue: 'fetch' | 'load' | 'webhooks' | 'maintenance';
  state: JobState;
  /** Null for jobs of both modes. */
  mode: Mode | null;
  verb: string;
  title: string;
  failures: number;
  reason: string | null;
  kind: FailureKind | null;
}

export interface WaitOptions {
  /** Progress of the tasks (`fetch`), then of the load and publish. */
  onProgress?: (step: string, done: number, total: number) => void;
  /** Called with what the run waits for: another process, a missing worker. */
  onWaiting?: (whom: string) => void;
  /** Ends the wait and the work of this process; the run can be resumed. */
  signal?: AbortSignal;
}

/** End of a run. `cause` is the error, if this process threw it. */
export type RunOutcome = { report: RunReport } | { failure: Failure; cause?: unknown };

export interface Runner extends AsyncDisposable {
  /** Adds a run unless it is unfinished, or ended and has a tick. @returns true if it was added. */
  enqueue(run: Run): Promise<boolean>;
  /** Returns true if the run exists and is neither done nor failed. */
  isUnfinished(runId: string): Promise<boolean>;
  /** Waits until the run is published, or its load has failed. */
  finished(runId: string, options: WaitOptions): Promise<RunOutcome>;
  /**
   * Runs failed jobs again. Failed tasks of a run that is done become a run of their own.
   *
   * @param ids Failed loads or tasks; a run that is done stands for all its failed tasks.
   * @param options.accept Loads without sanity checks, or without those of some symbols.
   * @returns ids of the runs to wait for.
   */
  retry(ids: readonly string[] | 'all', options?: { accept?: Accept }): Promise<string[]>;
  /**
   * Cancels an unfinished run: no further task begins, and what is fetched is loaded. A load that
   * has begun goes on to its end, and so do running tasks of workers. Without Redis, a run of
   * another process is not cancelled.
   */
  cancel(runId: string): Promise<void>;
  /** Resumes runs of processes that have died. @returns the number of these runs. */
  resume(): Promise<number>;
  close(): Promise<void>;
}
