/** `worker`: takes jobs from the queues until it is told to stop. */

import { setTimeout as delay } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { workPaths } from '../../src/data-dir.ts';
import { UsageError } from '../../src/errors.ts';
import { limits } from '../../src/limits.ts';
import { fetchSlice } from '../processors/fetch.ts';
import { connectRedis, withoutPassword } from './connection.ts';
import { type LoadWorkerOptions, workLoads, workMaintenance } from './load-worker.ts';
import {
  aboutJob,
  fetchJobOf,
  GATE,
  QUEUE_NAMES,
  type QueuedFetch,
  type QueueName,
} from './queues.ts';
import { isStoreOf } from './store-id.ts';
import { startWatchedWorker } from './watched-worker.ts';

export interface WorkerOptions extends LoadWorkerOptions {
  /** Undefined: all that this machine can serve. */
  queues: readonly QueueName[] | undefined;
  /** Brings events to webhooks until its signal aborts; any number of processes may. */
  deliver: (signal: AbortSignal) => Promise<void>;
  /** Told which queues are taken from, once Redis has answered. */
  onReady: (queues: readonly QueueName[]) => void;
}

/**
 * Runs until the signal aborts.
 *
 * @throws {UsageError} it is to do more than fetch, and Redis belongs to another machine's store.
 */
export async function runWorker(options: WorkerOptions): Promise<void> {
  const { settings, queues, deliver, onReady, signal } = options;
  const redis = await untilRedis(options);
  if (!redis) return;
  try {
    const isStore = await isStoreOf(redis, settings.dataDir);
    if (!isStore && queues?.some((queue) => queue !== 'fetch')) {
      throw new UsageError(
        `the jobs in Redis are loaded into another store than "${settings.dataDir}": ` +
          'start this worker with --queues fetch, or restore a backup here',
      );
    }
    const taken = queues ?? (isStore ? QUEUE_NAMES : (['fetch'] as const));
    onReady(taken);
    await Promise.all([
      taken.includes('fetch') ? workFetches(options) : undefined,
      taken.includes('load') ? workLoads(redis, options) : undefined,
      taken.includes('webhooks') ? deliver(signal) : undefined,
      taken.includes('maintenance') ? workMaintenance(options) : undefined,
    ]);
  } finally {
    redis.disconnect();
  }
}

/** @returns undefined when the signal aborts before Redis answers. */
async function untilRedis({ url, log, signal }: WorkerOptions): Promise<Redis | undefined> {
  let isSaid = false;
  while (!signal.aborted) {
    const redis = await connectRedis(url).catch(() => undefined);
    if (redis) return redis;
    if (!isSaid) log.note(`waits for Redis at ${withoutPassword(url)}`);
    isSaid = true;
    await delay(limits.redis.reconnectMaxMs, undefined, { signal }).catch(() => undefined);
  }
  return undefined;
}

async function workFetches({ settings, url, log, signal }: WorkerOptions): Promise<void> {
  const worker = startWatchedWorker<QueuedFetch, { segments: number }>({
    ...{ url, log, queue: 'fetch', concurrency: limits.jobs.fetchConcurrency },
    overtakers: ['quotes', 'daily'],
    about: aboutJob,
    async process(job, stop) {
      if (job.name === GATE) return { segments: 0 };
      const paths = workPaths(settings, job.data.mode);
      const deps = { paths, settings, nowMs: Date.now(), signal: stop };
      const landing = await fetchSlice(fetchJobOf(job), deps);
      return { segments: landing.segments.length };
    },
  });
  if (!signal.aborted) {
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  }
  await worker.close();
}
