/** Worker for loads and maintenance tasks, on the machine of the store. */

import { once } from 'node:events';
import type { Job } from 'bullmq';
import type { Redis } from 'ioredis';
import type { Settings } from '../../src/base/config/config.ts';
import { MODES, workPaths } from '../../src/base/config/data-dir.ts';
import { limits } from '../../src/base/limits.ts';
import { pause } from '../../src/base/time/pause.ts';
import { delay, monotonicMs, wallMs } from '../../src/base/world/clock.ts';
import { partitionTitle } from '../../src/ingest/sources/partition-title.ts';
import { publishedEpoch } from '../../src/store/arrow/format/manifest.ts';
import type { Failure } from '../contract/failure.ts';
import type { FailedJob, RunReport } from '../contract/reports.ts';
import { type RunHead, taskFromId } from '../contract/run.ts';
import { type Stage, withStage } from '../contract/stage.ts';
import { removeSegments } from '../contract/staged-segments.ts';
import { endRun, readRun, removeStaged, type StagedRun } from '../contract/staging.ts';
import { type LoadDeps, loadAndPublish, MISSING_RESULT } from '../processors/load.ts';
import { checkFetch, checkLoad, isKnown } from './payloads.ts';
import {
  aboutJob,
  failureFromText,
  failureText,
  jobOptions,
  openQueues,
  type QueuedFetch,
  type QueuedLoad,
  type Queues,
} from './queues.ts';
import type { StoreWatch } from './store-id.ts';
import { type StoreLock, takeStoreLock } from './store-lock.ts';
import type { LoadWorkerOptions } from './take-jobs.ts';
import { startWatchedWorker } from './watched-worker.ts';

/** Loads while it holds the store's lock; other workers of this machine wait. */
export async function workLoads(
  redis: Redis,
  options: LoadWorkerOptions,
  store: StoreWatch,
): Promise<void> {
  const { settings, log } = options;
  const { end } = store;
  while (!end.aborted) {
    const lock = await takeStoreLock(redis, 1 + highestEpoch(settings)).catch(() => undefined);
    if (!lock) {
      await pause(limits.redis.storeRenewMs, end);
      continue;
    }
    log.note(`loads into the store, as writer ${lock.epoch}`);
    await workUntil(AbortSignal.any([end, lock.lost]), 'load', options, store, lock);
    if (lock.lost.aborted) log.note((lock.lost.reason as Error).message);
    await lock.release();
  }
}

/** Does maintenance tasks, under the writer lock that loads use too. */
export async function workMaintenance(
  options: LoadWorkerOptions,
  store: StoreWatch,
): Promise<void> {
  await workUntil(store.end, 'maintenance', options, store);
}

/** Returns the highest epoch that has published; publishes of a lower one are refused. */
function highestEpoch(settings: Settings): number {
  return Math.max(...MODES.map((mode) => publishedEpoch(workPaths(settings, mode).serving)));
}

/** Ends the turn of a holder over which an upload of its folder took over. */
async function requireHighest(
  settings: Settings,
  lock: StoreLock | undefined,
  stop: AbortSignal,
): Promise<void> {
  if (!lock || highestEpoch(settings) <= lock.epoch) return;
  lock.outdate();
  if (!stop.aborted) await once(stop, 'abort');
  stop.throwIfAborted();
}

async function workUntil(
  end: AbortSignal,
  queue: 'load' | 'maintenance',
  { settings, url, log }: LoadWorkerOptions,
  store: StoreWatch,
  lock?: StoreLock,
): Promise<void> {
  const queues = openQueues(url);
  const worker = startWatchedWorker<QueuedLoad, RunReport>({
    ...{ url, log, queue, concurrency: 1 },
    check: checkLoad,
    async process(job, stop) {
      await store.requireOurs(stop);
      await requireHighest(settings, lock, stop);
      return loadRun(job, queues, {
        ...{ settings, epoch: lock?.epoch, note: log.note },
        signal: lock ? AbortSignal.any([stop, lock.lost]) : stop,
      });
    },
    about: (job, result) => ({
      ...aboutJob(job),
      ...(result && aboutReport(result)),
    }),
    async afterwards(run, { deadJobs }) {
      const paths = workPaths(settings, run.mode);
      // This machine has them on its disk now.
      await withStage(paths, settings, (stage) => removeSegments(stage, run));
      // A retry of failed tasks needs the shared context.
      if (deadJobs.length > 0) return;
      // Redis may lose its last seconds when it is killed or fails over; then the run loads again.
      const waited = delay(limits.redis.stagedKeptMs, true, { signal: end, ref: false });
      if (!(await waited.catch(() => false))) return;
      const isDone = (await queues[queue].getJobState(run.id)) === 'completed';
      if (isDone) await withStage(paths, settings, (stage) => removeStaged(stage, run));
    },
  });
  if (!end.aborted) await once(end, 'abort');
  await worker.close();
  const late = delay(limits.redis.stopMs, undefined, { ref: false });
  await Promise.race([queues.close(), late]);
}

function aboutReport({ accepted, rejected, did, faults }: RunReport) {
  if (!did) return { rows: accepted, rejected };
  return { did, ...(faults?.length && { faults }) };
}

async function loadRun(
  job: Job<QueuedLoad, RunReport>,
  { fetch }: Queues,
  { settings, ...deps }: Pick<LoadDeps, 'settings' | 'epoch' | 'signal' | 'note'>,
): Promise<RunReport> {
  const { failed, ...head } = job.data;
  const paths = workPaths(settings, head.mode);
  const dead = await failedTasks(job, fetch);
  let toldMs = Number.NEGATIVE_INFINITY;
  const report = await loadAndPublish(head, dead, {
    ...{ paths, settings, verb: head.verb, failures: failed?.tries ?? 0 },
    ...{ nowMs: wallMs(), clock: wallMs },
    ...deps,
    onProgress(step, done, total) {
      const nowMs = monotonicMs();
      if (done < total && nowMs - toldMs < limits.redis.pollMs) return;
      toldMs = nowMs;
      job.updateProgress({ step, done, total }).catch(() => undefined);
    },
  });
  const end = async (stage: Stage) => {
    const run = report.deadJobs.length > 0 ? await readRun(stage, head.id) : undefined;
    const deadJobs = await addLostFetches(fetch, head, report.deadJobs, run);
    await endRun(stage, head.id);
    return { ...report, deadJobs };
  };
  return withStage(paths, settings, end, deps);
}

async function failedTasks(
  job: Job<QueuedLoad, RunReport>,
  fetch: Queues['fetch'],
): Promise<Map<number, FailedJob>> {
  const dead = new Map<number, FailedJob>();
  const failures = await job.getIgnoredChildrenFailures();
  for (const [key, text] of Object.entries(failures)) {
    const id = key.slice(key.lastIndexOf(':') + 1);
    const { index } = taskFromId(id);
    const child = await fetch.getJob(id);
    const title = isKnown(child, checkFetch)
      ? partitionTitle(child.data.slice)
      : `part ${index + 1}`;
    dead.set(index, { id, title, ...failureFromText(text) });
  }
  return dead;
}

/** Reason of a task whose process died before it was added, or that Redis has lost. */
const NEVER_ADDED = 'it was never added, or Redis lost it';

/** Says why a task has no staged result. One that failed before, or whose load runs again, said it. */
function missingFailure(job: Job<QueuedFetch> | undefined): Partial<Failure> {
  if (!job) return { reason: NEVER_ADDED };
  const text = job.data?.isLost ? job.data.failed?.text : job.failedReason;
  return text ? failureFromText(text) : {};
}

/**
 * Adds tasks without a staged result as failed jobs. A worker fails them without a request.
 *
 * @param run Tasks of the run; without it they can only be requested again.
 * @returns all failed jobs, with their titles.
 */
export async function addLostFetches(
  fetch: Queues['fetch'],
  { mode, source }: RunHead,
  deadJobs: readonly FailedJob[],
  run: StagedRun | undefined,
): Promise<FailedJob[]> {
  const known: FailedJob[] = [];
  for (const dead of deadJobs) {
    const child = run?.children[taskFromId(dead.id).index];
    if (!child) {
      known.push(dead);
      continue;
    }
    const { title, slice } = child;
    const job = await fetch.getJob(dead.id);
    const isMissing = dead.reason === MISSING_RESULT;
    const lost = { ...dead, title, ...(isMissing && missingFailure(job)) };
    known.push(lost);
    if (job && (job.data?.isLost || (await job.isFailed()))) continue;
    // Redis has it as done.
    await job?.remove();
    const text = failureText(lost);
    await fetch.add(
      source,
      { mode, slice, failed: { tries: 0, text }, isLost: true },
      jobOptions(dead.id, 'quotes'),
    );
  }
  return known;
}
