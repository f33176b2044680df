/** Failed jobs in Redis that are retried. Jobs of another version stay. */

import { ErrorCode, type Job } from 'bullmq';
import { wallMs } from '../../src/base/world/clock.ts';
import { partitionTitle } from '../../src/ingest/sources/partition-title.ts';
import type { RunReport } from '../contract/reports.ts';
import {
  type Accept,
  RUN_ID,
  type Run,
  type RunHead,
  retryRun,
  taskFromId,
} from '../contract/run.ts';
import { headOfTask } from './job-records.ts';
import { checkFetch, checkLoad, isKnown } from './payloads.ts';
import { GATE, type QueuedFetch, type QueuedLoad, type Queues } from './queues.ts';

type Asked = readonly string[] | 'all';
type LoadJob = Job<QueuedLoad, RunReport>;

/** Requeues failed loads; `accept` skips the sanity checks. @returns their runs. */
export async function requeueLoads(
  { load, maintenance }: Queues,
  ids: Asked,
  accept: Accept,
): Promise<RunHead[]> {
  const revived: RunHead[] = [];
  for (const job of [
    ...(await load.getFailed()),
    ...(await maintenance.getFailed()),
  ] as LoadJob[]) {
    const isAsked = ids === 'all' || ids.includes(job.id ?? '');
    if (!isAsked || !isKnown(job, checkLoad)) continue;
    const data = { ...job.data, failed: undefined, accept };
    if (!(await isChanged(() => job.updateData(data)))) continue;
    if (await isChanged(() => job.retry())) revived.push(job.data);
  }
  return revived;
}

/** Changes a job that was read. @returns false if Redis has none of its id any more. */
export async function isChanged(change: () => Promise<void>): Promise<boolean> {
  try {
    await change();
    return true;
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (code === ErrorCode.JobNotExist) return false;
    // Another operator has retried it, or a try of this one whose reply was lost.
    if (code === ErrorCode.JobNotInState) return true;
    throw error;
  }
}

interface FailedOfRun {
  runId: string;
  head: RunHead;
  jobs: Job<QueuedFetch>[];
}

/** Finds failed tasks by run. Unfinished runs are left out: they report their own failures. */
export async function failedTasks(queues: Queues, ids: Asked): Promise<FailedOfRun[]> {
  const failed = await failedFetches(queues, ids);
  const found: FailedOfRun[] = [];
  for (const [runId, jobs] of Map.groupBy(failed, ({ id }) => taskFromId(id ?? '').plan)) {
    const planned = (await queues.load.getJob(runId)) as LoadJob | undefined;
    if (planned && !(await planned.isCompleted())) continue;
    const head = isKnown(planned, checkLoad) ? planned.data : headOfTask(jobs[0]);
    found.push({ runId, head, jobs });
  }
  return found;
}

/** Finds failed fetch jobs. A lost one counts as failed before a worker has failed it. */
async function failedFetches({ fetch }: Queues, ids: Asked): Promise<Job<QueuedFetch>[]> {
  if (ids === 'all') return (await fetch.getFailed()).filter(isFetch);
  // A run stands for all its failed tasks.
  const runs = new Set(ids.filter((id) => RUN_ID.test(id)));
  const failed = runs.size > 0 ? (await fetch.getFailed()).filter(isFetch) : [];
  const dead = failed.filter(({ id }) => runs.has(taskFromId(id ?? '').plan));
  for (const id of ids) {
    if (runs.has(id)) continue;
    const job = (await fetch.getJob(id)) as Job<QueuedFetch> | undefined;
    if (isFetch(job) && (job.data.isLost || (await job.isFailed()))) dead.push(job);
  }
  return dead;
}

function isFetch(job: Job<QueuedFetch> | undefined): job is Job<QueuedFetch> {
  return isKnown(job, checkFetch) && job.name !== GATE;
}

export function retriedRun(
  head: RunHead,
  jobs: readonly Job<QueuedFetch>[],
  shared: Run['shared'],
): Run {
  const indexOf = ({ id }: Job) => taskFromId(id ?? '').index;
  const inOrder = jobs.toSorted((a, b) => indexOf(a) - indexOf(b));
  const tasks = inOrder.map(({ data }) => ({
    title: partitionTitle(data.slice),
    slice: data.slice,
  }));
  return retryRun(head, tasks, shared, wallMs());
}
