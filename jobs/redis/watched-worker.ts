/**
 * Takes jobs from one queue, and waits for Redis as long as it takes. BullMQ's own worker can stay
 * idle for good after Redis was away (taskforcesh/bullmq#3185). One that gets no job while jobs
 * wait is replaced.
 */

import { Queue, type Worker } from 'bullmq';
import { limits } from '../../src/base/limits.ts';
import { clearInterval, delay, setInterval } from '../../src/base/world/clock.ts';
import { PRIORITIES } from '../contract/run.ts';
import { connectionOptions, KEY_PREFIX } from './connection.ts';
import type { Retried } from './queues.ts';
import { type Activity, type TakenQueue, takeJobs } from './take-jobs.ts';

export interface WatchedWorker {
  /** Requeues the active jobs at once. */
  close(): Promise<void>;
}

const { redis } = limits;

export function startWatchedWorker<Data extends Retried, Result>(
  taken: TakenQueue<Data, Result>,
): WatchedWorker {
  const { url, queue, log } = taken;
  const stop = new AbortController();
  const activity: Activity = { running: 0, started: 0 };
  let worker = takeJobs(taken, activity, stop.signal);
  const looked = new Queue(queue, {
    connection: connectionOptions(url, 'producer'),
    prefix: KEY_PREFIX,
    skipWaitingForReady: true,
  });
  looked.on('error', () => undefined);
  let startedBefore = -1;
  const watch = setInterval(async () => {
    const isIdle = activity.running === 0 && activity.started === startedBefore;
    startedBefore = activity.started;
    if (!isIdle || stop.signal.aborted) return;
    const counts = await looked.getJobCounts('wait', 'prioritized').catch(() => undefined);
    const waiting = (counts?.wait ?? 0) + (counts?.prioritized ?? 0);
    if (waiting === 0 || stop.signal.aborted || activity.started !== startedBefore) return;
    if (await looked.isPaused().catch(() => true)) return;
    log.note(`the worker of ${queue} gets none of ${waiting} waiting jobs and is restarted`);
    worker.close(true).catch(() => undefined);
    worker = takeJobs(taken, activity, stop.signal);
  }, redis.idleMs);
  const endOvertaking = letOvertake(taken, looked, activity, stop.signal);
  return {
    async close() {
      clearInterval(watch);
      stop.abort();
      // A worker without a connection never ends.
      const late = delay(redis.stopMs, undefined, { ref: false });
      await Promise.race([Promise.all([worker.close(), endOvertaking()]), late]);
      await Promise.race([Promise.all([worker.close(true), looked.close()]), late]);
    },
  };
}

/**
 * Opens an extra place while all places are taken and more urgent jobs wait: the pace of a vendor
 * may hold a backfill for an hour.
 *
 * @returns a function that ends it.
 */
function letOvertake<Data extends Retried, Result>(
  taken: TakenQueue<Data, Result>,
  looked: Queue,
  activity: Activity,
  signal: AbortSignal,
): () => Promise<unknown> {
  const priorities = (taken.overtakers ?? []).map((priority) => PRIORITIES[priority]);
  let extra: Worker<Data, Result> | undefined;
  const look = async () => {
    if (!extra && activity.running < taken.concurrency) return;
    const counts = await looked.getCountsPerPriority(priorities).catch(() => ({}));
    const isWaiting = Object.values(counts).some((count) => count > 0);
    if (signal.aborted) return;
    if (isWaiting) extra ??= takeJobs({ ...taken, concurrency: 1 }, activity, signal);
    else if (extra) {
      const done = extra;
      extra = undefined;
      // It finishes its active job first.
      await done.close();
    }
  };
  const timer = priorities.length > 0 ? setInterval(look, redis.overtakeMs) : undefined;
  return async () => {
    clearInterval(timer);
    await extra?.close();
  };
}
