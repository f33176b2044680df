/** Figures of the jobs in Redis for `/metrics`. */

import type { Job } from 'bullmq';
import { isInputFault } from '../../src/base/operator/input-fault.ts';
import { JOB_STATES } from '../contract/runner.ts';
import type { EndedRun, JobFigures } from '../ledger/figures.ts';
import { checkFetch, checkLoad, isKnown, reportFigures } from './payloads.ts';
import {
  failureFromText,
  QUEUE_NAMES,
  QUEUE_STATES,
  type QueuedLoad,
  type QueueName,
  type Queues,
  type Retried,
} from './queues.ts';

/** Newest ended runs that are read from each queue. */
const ENDED_MAX = 200;

/** Reads the figures. @throws as BullMQ if Redis is away. */
export async function queueFigures(queues: Queues): Promise<JobFigures> {
  const figures: JobFigures = { jobs: [], next: [], ended: [] };
  for (const queue of QUEUE_NAMES) {
    const jobs = queues[queue];
    // Without names BullMQ counts waiting jobs under another name.
    const counts = await jobs.getJobCounts(...Object.values(QUEUE_STATES).flat());
    const input = (counts.failed ?? 0) === 0 ? 0 : await inputFaults(queues, queue);
    for (const state of JOB_STATES) {
      const all = QUEUE_STATES[state].reduce((sum, name) => sum + (counts[name] ?? 0), 0);
      figures.jobs.push({ queue, state, count: state === 'dead' ? all - input : all });
    }
    if (input > 0) figures.jobs.push({ queue, state: 'input', count: input });
    const waiting = (await jobs.getJobs(['wait', 'prioritized'], 0, 0, true)) as Job[];
    if (waiting.length > 0) {
      figures.next.push({ queue, addedMs: Math.min(...waiting.map((job) => job.timestamp)) });
    }
  }
  for (const queue of [queues.load, queues.maintenance]) {
    const ended = await queue.getJobs(['completed', 'failed'], 0, ENDED_MAX - 1);
    const known = (ended as Job<QueuedLoad>[]).filter((job) => isKnown(job, checkLoad));
    figures.ended.push(...known.map(endedRun));
  }
  return { ...figures, ended: newestOfSources(figures.ended) };
}

/** Counts failed jobs whose input is at fault, among the newest. */
async function inputFaults({ load, fetch }: Queues, queue: QueueName): Promise<number> {
  if (queue === 'load') {
    const failed = await load.getJobs(['failed'], 0, ENDED_MAX - 1);
    // Those with a payload that can't be read are the operator's.
    return failed.filter((job) => isKnown(job, checkLoad) && isAtFault(job)).length;
  }
  if (queue !== 'fetch') return 0;
  const failed = await fetch.getJobs(['failed'], 0, ENDED_MAX - 1);
  return failed.filter((job) => isKnown(job, checkFetch) && isAtFault(job)).length;
}

function isAtFault({ name, data, failedReason }: Job<Retried>): boolean {
  return isInputFault(name, failureFromText(data.failed?.text ?? failedReason).kind);
}

function endedRun(job: Job<QueuedLoad>): EndedRun {
  const { data, returnvalue, finishedOn = 0 } = job;
  const { mode, source, createdMs } = data;
  const report = reportFigures(returnvalue);
  const { accepted = 0, rejected = 0, deadJobs = [] } = report ?? {};
  return {
    ...{ mode, source, endedMs: finishedOn, tookMs: finishedOn - createdMs },
    ...{ isDead: !report && !isAtFault(job), isInputFault: !report && isAtFault(job) },
    ...{ rows: accepted, rejected, deadJobs: deadJobs.length },
  };
}

function newestOfSources(runs: readonly EndedRun[]): EndedRun[] {
  const oldestFirst = runs.toSorted((a, b) => a.endedMs - b.endedMs);
  return [...new Map(oldestFirst.map((run) => [`${run.mode} ${run.source}`, run])).values()];
}
