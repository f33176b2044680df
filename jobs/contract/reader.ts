/** Lists and figures of all jobs, the same from both engines. Reading changes nothing. */

import { isInputFault } from '../../src/base/operator/input-fault.ts';
import type { RunReport } from '../../src/base/operator/report.ts';
import type { FailureKind } from './failure.ts';
import type { RunHead } from './run.ts';
import type { JobRecord, JobState } from './runner.ts';

/** State of a job; `input` instead of `dead` if its input is at fault. */
export type FigureState = JobState | 'input';

export interface JobFigures {
  jobs: { queue: JobRecord['queue']; state: FigureState; count: number }[];
  /** Time in milliseconds at which the next waiting job of each queue was added. */
  next: { queue: JobRecord['queue']; addedMs: number }[];
  /** The newest run of each source that ended. */
  ended: RunReport[];
}

export interface JobReader extends AsyncDisposable {
  /** Lists the newest `limits.jobs.listedMax` jobs. */
  jobs(state?: JobState): Promise<JobRecord[]>;
  /** Lists unfinished and failed runs, then the newest others, with their progress. */
  runs(): Promise<RunReport[]>;
  figures(): Promise<JobFigures>;
}

/** A run as an engine stores it. */
export interface RunState extends Pick<RunReport, 'state' | 'tasks' | 'failures' | 'failedTasks'> {
  head: RunHead;
  endedMs: number | null;
  step?: RunReport['step'];
  figures?: { accepted: number | null; rejected: number | null; version: number | null };
  kind: FailureKind | null;
  reason: string | null;
}

export function runReport({ head, state, endedMs, tasks, step, ...run }: RunState): RunReport {
  const { id, mode, source, verb, createdMs } = head;
  const { figures, failures, kind, reason, failedTasks } = run;
  const isOver = state === 'done' || state === 'failed';
  return {
    ...{ id, mode, source, verb, state },
    createdAt: new Date(createdMs).toISOString(),
    endedAt: isOver && endedMs ? new Date(endedMs).toISOString() : null,
    ...{ tasks, step: step ?? null },
    accepted: figures?.accepted ?? null,
    refused: figures?.rejected ?? null,
    version: figures?.version ?? null,
    ...{ failures, kind, reason },
    isInputFault: state === 'failed' && isInputFault(source, kind),
    failedTasks,
  };
}
