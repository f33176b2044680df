/** Loads and tasks of maintenance, on the machine of the store. */

import { setTimeout as delay } from 'node:timers/promises';
import type { Job } from 'bullmq';
import type { Redis } from 'ioredis';
import type { Settings } from '../../src/config.ts';
import { MODES, workPaths } from '../../src/data-dir.ts';
import { sliceTitle } from '../../src/ingest/slices.ts';
import { limits } from '../../src/limits.ts';
import { readManifest } from '../../src/store/serving/manifest.ts';
import {
  type DeadJob,
  type LoadDeps,
  loadAndPublish,
  type PlanReport,
} from '../processors/load-and-publish.ts';
import { removeLandings } from '../runner/landings.ts';
import { childFromId } from '../runner/plan.ts';
import { optionsFromSlice } from '../runner/slice.ts';
import { aboutJob, failureFromText, openQueues, type QueuedLoad, type Queues } from './queues.ts';
import { isStoreOf } from './store-id.ts';
import { type StoreLock, takeStoreLock } from './store-lock.ts';
import type { WorkerLog } from './take-jobs.ts';
import { startWatchedWorker } from './watched-worker.ts';

export interface LoadWorkerOptions {
  settings: Settings;
  url: string;
  log: WorkerLog;
  signal: AbortSignal;
}

/** Loads while it holds the store's lock; others of this machine wait for it to become free. */
export async function workLoads(redis: Redis, options: LoadWorkerOptions): Promise<void> {
  const { settings, log, signal } = options;
  while (!signal.aborted) {
    // A backup of it may have been restored on another machine meanwhile.
    if (!(await isStoreOf(redis, settings.dataDir).catch(() => true))) {
      log.note('loads no more: Redis belongs to another store now');
      return;
    }
    const epochMin = 1 + Math.max(...MODES.map((mode) => publishedEpoch(settings, mode)));
    const lock = await takeStoreLock(redis, epochMin).catch(() => undefined);
    if (!lock) {
      await delay(limits.redis.storeRenewMs, undefined, { signal }).catch(() => undefined);
      continue;
    }
    log.note(`loads into the store, as writer ${lock.epoch}`);
    await workUntil(AbortSignal.any([signal, lock.lost]), 'load', options, lock);
    if (lock.lost.aborted) log.note('another process loads into the store now');
    await lock.release();
  }
}

/** Tasks take the writer lock of the machine, and wait for loads as these do for them. */
export async function workMaintenance(options: LoadWorkerOptions): Promise<void> {
  await workUntil(options.signal, 'maintenance', options);
}

function publishedEpoch(settings: Settings, mode: (typeof MODES)[number]): number {
  try {
    return readManifest(workPaths(settings, mode).serving)?.epoch ?? 0;
  } catch {
    // Damaged: the load says so.
    return 0;
  }
}

async function workUntil(
  end: AbortSignal,
  queue: 'load' | 'maintenance',
  { settings, url, log }: LoadWorkerOptions,
  lock?: StoreLock,
): Promise<void> {
  const queues = openQueues(url);
  const worker = startWatchedWorker<QueuedLoad, PlanReport>({
    ...{ url, log, queue, concurrency: 1 },
    process: (job, stop) =>
      loadPlan(job, queues, {
        ...{ settings, epoch: lock?.epoch },
        signal: lock ? AbortSignal.any([stop, lock.lost]) : stop,
      }),
    about: (job, result) => ({
      ...aboutJob(job),
      ...(result && { rows: result.accepted, rejected: result.rejected }),
    }),
    // A retry of dead children needs what they share.
    async afterwards({ id, mode }, { deadJobs }) {
      if (deadJobs.length === 0) await removeLandings(workPaths(settings, mode), id);
    },
  });
  if (!end.aborted) {
    await new Promise((resolve) => end.addEventListener('abort', resolve, { once: true }));
  }
  await worker.close();
  await queues.close();
}

async function loadPlan(
  job: Job<QueuedLoad, PlanReport>,
  { fetch }: Queues,
  { settings, ...deps }: Pick<LoadDeps, 'settings' | 'epoch' | 'signal'>,
): Promise<PlanReport> {
  const { failed, ...head } = job.data;
  const paths = workPaths(settings, head.mode);
  let toldMs = Number.NEGATIVE_INFINITY;
  return loadAndPublish(head, await deadChildren(job, fetch), {
    ...{ paths, settings, verb: head.verb, nowMs: Date.now() },
    ...deps,
    onProgress(step, done, total) {
      const nowMs = performance.now();
      if (done < total && nowMs - toldMs < limits.redis.pollMs) return;
      toldMs = nowMs;
      job.updateProgress({ step, done, total }).catch(() => undefined);
    },
  });
}

async function deadChildren(
  job: Job<QueuedLoad, PlanReport>,
  fetch: Queues['fetch'],
): Promise<Map<number, DeadJob>> {
  const dead = new Map<number, DeadJob>();
  const failures = await job.getIgnoredChildrenFailures();
  for (const [key, text] of Object.entries(failures)) {
    const id = key.slice(key.lastIndexOf(':') + 1);
    const { index } = childFromId(id);
    const child = await fetch.getJob(id);
    const title = child ? sliceTitle(optionsFromSlice(child.data.slice)) : `part ${index + 1}`;
    dead.set(index, { id, title, ...failureFromText(text) });
  }
  return dead;
}
