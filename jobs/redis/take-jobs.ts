/** One BullMQ worker: takes jobs, and says of each that failed whether it is tried again. */

import { DelayedError, type Job, UnrecoverableError, Worker } from 'bullmq';
import type { Settings } from '../../src/base/config/config.ts';
import type { Mode } from '../../src/base/config/data-dir.ts';
import { limits } from '../../src/base/limits/limits.ts';
import { failureFrom, retryAfterMs } from '../contract/failure.ts';
import type { Priority } from '../contract/run.ts';
import { connectionOptions, KEY_PREFIX } from './connection.ts';
import { failureText, type QueueName, type Retried } from './queues.ts';
import { ReadableJob } from './readable-job.ts';

export interface WorkerLog {
  /** A job ended: done, to be tried again, or dead. */
  job(line: JobLine): void;
  /** A failure that was not foreseen, with its story. */
  unforeseen(job: string, error: unknown): void;
  /** Something that is not about one job. */
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
  /** Of a job of a plan. */
  plan?: string;
  source?: string;
  mode?: Mode;
  /** Of a load that is done. */
  rows?: number;
  rejected?: number;
  /** What was done by one that loads nothing: a task of maintenance, deliveries. */
  did?: Record<string, number>;
  /** Damage that it has found, and what to do. */
  faults?: string[];
}

export interface TakenQueue<Data, Result> {
  url: string;
  queue: QueueName;
  concurrency: number;
  /** Jobs of these take a place more when all are taken by others. */
  overtakers?: readonly Priority[];
  /** Throws where the job's payload can't be believed: it is dead then, and stays as it is. */
  check?: (job: Job<Data, Result>) => void;
  process: (job: Job<Data, Result>, signal: AbortSignal) => Promise<Result>;
  /** What lines of the log say of a job, and once it is done of its result. */
  about?: (job: Job<Data, Result>, result?: Result) => Partial<JobLine>;
  /** Clears up once Redis knows that the job is done; what it misses is no harm. */
  afterwards?: (data: Data, result: Result) => Promise<void>;
  log: WorkerLog;
}

/** What all workers of a queue in this process do. */
export interface Activity {
  running: number;
  /** Since the start of the process. */
  started: number;
}

const { redis } = limits;

/** One that takes jobs which can't be read too: they are refused, and dead with the reason. */
class ReadingWorker<Data, Result> extends Worker<Data, Result> {
  protected override get Job() {
    return ReadableJob;
  }
}

/** @param signal Aborting gives back what runs. */
export function takeJobs<Data extends Retried, Result>(
  taken: TakenQueue<Data, Result>,
  activity: Activity,
  signal: AbortSignal,
): Worker<Data, Result> {
  const { url, queue, concurrency, log, afterwards } = taken;
  const { keptS, doneKept, deadKept } = redis;
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
      removeOnFail: { age: keptS, count: deadKept },
    },
  );
  worker.on('completed', ({ data }, result) => {
    afterwards?.(data, result).catch((error) => log.note(`${queue}: ${error.message}`));
  });
  // Redis is away: said once in a while, the worker waits.
  let saidMs = Number.NEGATIVE_INFINITY;
  worker.on('error', (error) => {
    if (performance.now() - saidMs < redis.idleMs) return;
    saidMs = performance.now();
    log.note(`the worker of ${queue}: ${error.message}`);
  });
  return worker;
}

/** What is known of a plan keeps a tick from running twice, however many came after it. */
function isOfPlans(queue: QueueName): boolean {
  return queue === 'load' || queue === 'maintenance';
}

/** Ends in `DelayedError`, by which BullMQ knows that the job was put back. */
async function putBack(job: Job, token: string | undefined, waitMs: number): Promise<never> {
  await job.moveToDelayed(Date.now() + waitMs, token);
  throw new DelayedError();
}

async function processJob<Data extends Retried, Result>(
  { queue, check, process, about, log }: TakenQueue<Data, Result>,
  job: Job<Data, Result>,
  token: string | undefined,
  signal: AbortSignal,
): Promise<Result> {
  const startedMs = performance.now();
  const tell = (outcome: JobLine['outcome'], reason?: string, result?: Result) => {
    const durationMs = Math.round(performance.now() - startedMs);
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
    const failure = failureFrom(error);
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
