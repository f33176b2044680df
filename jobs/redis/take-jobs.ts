/** A BullMQ worker, which decides which failed jobs are tried again. */

import { DelayedError, type Job, UnrecoverableError, Worker } from 'bullmq';
import type { Settings } from '../../src/base/config/config.ts';
import type { Mode } from '../../src/base/config/data-dir.ts';
import { TapeworksError } from '../../src/base/errors.ts';
import { limits } from '../../src/base/limits.ts';
import { monotonicMs, wallMs } from '../../src/base/world/clock.ts';
import { failureFrom, retryAfterMs } from '../contract/failure.ts';
import type { Priority } from '../contract/run.ts';
import { connectionOptions, isOfDriver, KEY_PREFIX, unreachable } from './connection.ts';
import { failureText, type QueueName, type Retried } from './queues.ts';
import { ReadableJob } from './readable-job.ts';

export interface WorkerLog {
  job(line: JobLine): void;
  unforeseen(job: string, error: unknown): void;
  note(text: string): void;
}

export interface LoadWorkerOptions {
  settings: Settings;
  url: string;
  log: WorkerLog;
  signal: AbortSignal;
}

export interface JobLine {
  queue: QueueName;
  job: string;
  outcome: 'done' | 'retry' | 'dead' | 'given back';
  durationMs: number;
  reason?: string;
  plan?: string;
  source?: string;
  mode?: Mode;
  rows?: number;
  rejected?: number;
  /** Counts of a job that loads nothing. */
  did?: Record<string, number>;
  faults?: string[];
}

export interface TakenQueue<Data, Result> {
  url: string;
  queue: QueueName;
  concurrency: number;
  /** Priorities whose jobs get an extra place if all places are taken by others. */
  overtakers?: readonly Priority[];
  /** Throws if the payload is not known: the job fails and stays as it is. */
  check?: (job: Job<Data, Result>) => void;
  process: (job: Job<Data, Result>, signal: AbortSignal) => Promise<Result>;
  /** Returns fields of the log line; of the result too once the job is done. */
  about?: (job: Job<Data, Result>, result?: Result) => Partial<JobLine>;
  /** Cleans up once Redis has the job as done; a cleanup that is missed does no harm. */
  afterwards?: (data: Data, result: Result) => Promise<void>;
  log: WorkerLog;
}

/** Jobs of all workers of a queue in this process. */
export interface Activity {
  running: number;
  /** Number of jobs started since the process started. */
  started: number;
}

const { redis } = limits;

class ReadingWorker<Data, Result> extends Worker<Data, Result> {
  protected override get Job() {
    return ReadableJob;
  }
}

/** Starts a worker. Aborting the signal requeues its active jobs. */
export function takeJobs<Data extends Retried, Result>(
  taken: TakenQueue<Data, Result>,
  activity: Activity,
  signal: AbortSignal,
): Worker<Data, Result> {
  const { url, queue, concurrency, log, afterwards } = taken;
  const { keptS, doneKept, failedKept } = redis;
  const worker = new ReadingWorker<Data, Result>(
    queue,
    async (job, token) => {
      activity.running++;
      activity.started++;
      try {
        return await processJob(taken, job, token, signal);
      } finally {
        activity.running--;
      }
    },
    {
      connection: connectionOptions(url, 'worker'),
      prefix: KEY_PREFIX,
      concurrency,
      lockDuration: redis.lockMs,
      stalledInterval: redis.stalledMs,
      maxStalledCount: redis.stalledMax,
      removeOnComplete: { age: keptS, ...(!isOfPlans(queue) && { count: doneKept }) },
      removeOnFail: { age: keptS, count: failedKept },
    },
  );
  worker.on('completed', ({ data }, result) => {
    afterwards?.(data, result).catch((error) => log.note(`${queue}: ${error.message}`));
  });
  // While Redis is away the worker waits; the log says so from time to time.
  let saidMs = Number.NEGATIVE_INFINITY;
  worker.on('error', (error) => {
    if (monotonicMs() - saidMs < redis.idleMs) return;
    saidMs = monotonicMs();
    log.note(`the worker of ${queue}: ${error.message}`);
  });
  return worker;
}

/**
 * Returns true for queues of runs. They keep their jobs by age only, as a tick whose job is removed
 * runs twice.
 */
function isOfPlans(queue: QueueName): boolean {
  return queue === 'load' || queue === 'maintenance';
}

/** Names Redis in the failure of a command whose connection broke. */
function withReason(url: string, error: unknown): unknown {
  return !(error instanceof TapeworksError) && isOfDriver(error) ? unreachable(url, error) : error;
}

/** Requeues a job. Throws `DelayedError`, as BullMQ demands. */
async function putBack(job: Job, token: string | undefined, waitMs: number): Promise<never> {
  await job.moveToDelayed(wallMs() + waitMs, token);
  throw new DelayedError();
}

async function processJob<Data extends Retried, Result>(
  { url, queue, check, process, about, log }: TakenQueue<Data, Result>,
  job: Job<Data, Result>,
  token: string | undefined,
  signal: AbortSignal,
): Promise<Result> {
  const startedMs = monotonicMs();
  const tell = (outcome: JobLine['outcome'], reason?: string, result?: Result) => {
    const durationMs = Math.round(monotonicMs() - startedMs);
    const told = { queue, job: job.id ?? '', outcome, durationMs, ...(reason && { reason }) };
    log.job({ ...told, ...(isChecked && about?.(job, result)) });
  };
  let isChecked = false;
  try {
    check?.(job);
    isChecked = true;
    const result = await process(job, signal);
    tell('done', undefined, result);
    return result;
  } catch (error) {
    if (signal.aborted) {
      tell('given back');
      return putBack(job, token, 0);
    }
    const failure = failureFrom(withReason(url, error));
    if (!isChecked) {
      tell('dead', failureText(failure));
      throw new UnrecoverableError(failureText(failure));
    }
    const tries = (job.data.failed?.tries ?? 0) + 1;
    const retryMs = retryAfterMs(failure, tries);
    const text = failureText(failure);
    if (failure.kind === 'other') log.unforeseen(job.id ?? '', error);
    tell(retryMs === undefined ? 'dead' : 'retry', text);
    await job.updateData({ ...job.data, failed: { tries, text } });
    if (retryMs === undefined) throw new UnrecoverableError(text);
    return putBack(job, token, retryMs);
  }
}
