/** `worker`: takes jobs from the queues until it is stopped. */

import { once } from 'node:events';
import type { Redis } from 'ioredis';
import { workPaths } from '../../src/base/config/data-dir.ts';
import { TapeworksError, UsageError } from '../../src/base/errors.ts';
import { limits } from '../../src/base/limits.ts';
import { wallMs } from '../../src/base/world/clock.ts';
import { keepClean } from '../maintenance/retention.ts';
import { fetchTask } from '../processors/fetch.ts';
import { connectRedis, isAway, unreachable } from './connection.ts';
import { workLoads, workMaintenance } from './load-worker.ts';
import { checkFetch } from './payloads.ts';
import {
  aboutJob,
  failureFromText,
  fetchJobOf,
  GATE,
  QUEUE_NAMES,
  type QueuedFetch,
  type QueueName,
} from './queues.ts';
import { isStoreOf, type StoreWatch, watchStore } from './store-id.ts';
import type { LoadWorkerOptions } from './take-jobs.ts';
import { untilRedis } from './until-redis.ts';
import { startWatchedWorker } from './watched-worker.ts';

export interface WorkerOptions extends LoadWorkerOptions {
  /** Default: all queues that this machine can serve. */
  queues: readonly QueueName[] | undefined;
  deliver: (signal: AbortSignal) => Promise<void>;
  /** Does what follows publishes; called where this worker loads. */
  follow: (signal: AbortSignal) => Promise<void>;
  /** Called with the queues once Redis has replied. */
  onReady: (queues: readonly QueueName[]) => void;
}

/**
 * Runs until the signal aborts.
 *
 * @throws {UsageError} Redis belongs to another store, and queues other than `fetch` are requested.
 */
export async function runWorker(options: WorkerOptions): Promise<void> {
  const { settings, queues, log, signal, deliver, follow, onReady } = options;
  const wantsStore = queues?.some((queue) => queue !== 'fetch') ?? true;
  const opened = await untilRedis(() => openRedis(options, wantsStore), log.note, signal);
  if (!opened) return;
  const { redis, isStore } = opened;
  let store: StoreWatch | undefined;
  try {
    if (queues && wantsStore && !isStore) {
      throw new UsageError(
        `the jobs in Redis are loaded into another store than "${settings.dataDir}": ` +
          'start this worker with --queues fetch, or restore a backup here',
      );
    }
    const taken = queues ?? (isStore ? QUEUE_NAMES : (['fetch'] as const));
    onReady(taken);
    const work = taken.includes('fetch') ? [workFetches(options)] : [];
    if (!isStore) work.push(keepClean(settings, log.note, signal));
    else {
      store = watchStore(redis, options);
      if (taken.includes('load')) work.push(workLoads(redis, options, store), follow(store.end));
      if (taken.includes('webhooks')) work.push(deliver(store.end));
      if (taken.includes('maintenance')) work.push(workMaintenance(options, store));
    }
    await Promise.all(work);
  } finally {
    store?.close();
    redis.disconnect();
  }
}

/**
 * Connects, and asks whether Redis belongs to the store of this machine.
 *
 * @throws {QueueUnavailableError} Redis is away, or goes away between the two.
 */
async function openRedis(
  { settings, url }: WorkerOptions,
  wantsStore: boolean,
): Promise<{ redis: Redis; isStore: boolean }> {
  const redis = await connectRedis(url);
  try {
    return { redis, isStore: wantsStore && (await isStoreOf(redis, settings.dataDir)) };
  } catch (error) {
    redis.disconnect();
    throw isAway(error) ? unreachable(url, error) : error;
  }
}

function lostError({ failed }: QueuedFetch): TapeworksError {
  return new TapeworksError(failureFromText(failed?.text).reason);
}

async function workFetches({ settings, url, log, signal }: WorkerOptions): Promise<void> {
  const worker = startWatchedWorker<QueuedFetch, { segments: number }>({
    ...{ url, log, queue: 'fetch', concurrency: limits.jobs.fetchConcurrency },
    overtakers: ['quotes', 'daily'],
    check: checkFetch,
    about: aboutJob,
    async process(job, stop) {
      if (job.name === GATE) return { segments: 0 };
      if (job.data.isLost) throw lostError(job.data);
      const paths = workPaths(settings, job.data.mode);
      const deps = { paths, settings, nowMs: wallMs(), signal: stop, note: log.note };
      const staging = await fetchTask(fetchJobOf(job), deps);
      return { segments: staging.segments.length };
    },
  });
  if (!signal.aborted) await once(signal, 'abort');
  await worker.close();
}
