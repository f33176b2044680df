/** Lists and figures of the jobs in Redis. Jobs of another version are listed without details. */

import type { Job } from 'bullmq';
import { limits } from '../../src/base/limits.ts';
import { isInputFault } from '../../src/base/operator/input-fault.ts';
import type { RunReport } from '../../src/base/operator/report.ts';
import { type JobFigures, type JobReader, runReport } from '../contract/reader.ts';
import type { RunReport as LoadReport } from '../contract/reports.ts';
import { JOB_STATES, type JobRecord } from '../contract/runner.ts';
import { failuresOf, jobRecord } from './job-records.ts';
import { checkFetch, checkLoad, isKnown, reportFigures } from './payloads.ts';
import {
  GATE,
  QUEUE_NAMES,
  QUEUE_STATES,
  type QueuedLoad,
  type QueueName,
  type Queues,
} from './queues.ts';

type LoadJob = Job<QueuedLoad, LoadReport>;

/** Newest ended runs that are read from each queue. */
const ENDED_MAX = 200;

/** Reads from open queues, which it closes. All of it throws as BullMQ if Redis is away. */
export function queueReader(queues: Queues): JobReader {
  return {
    async jobs(state) {
      const { listedMax } = limits.jobs;
      const found: JobRecord[] = [];
      for (const one of state ? [state] : JOB_STATES) {
        for (const queue of ['load', 'maintenance', 'fetch', 'webhooks'] as const) {
          const jobs: Job[] = await queues[queue].getJobs([...QUEUE_STATES[one]], 0, listedMax - 1);
          const shown = jobs.filter(({ name }) => name !== GATE);
          found.push(...shown.map((job) => jobRecord(job, queue, one)));
        }
      }
      return found.slice(0, listedMax);
    },
    runs: () => runReports(queues, Object.keys(RUN_STATES) as (keyof typeof RUN_STATES)[]),
    async figures() {
      const figures: JobFigures = { jobs: [], next: [], ended: [] };
      for (const queue of QUEUE_NAMES) await addFigures(figures, queues, queue);
      const ended = await runReports(queues, ['completed', 'failed'], ENDED_MAX);
      return { ...figures, ended: newestOfSources(ended) };
    },
    [Symbol.asyncDispose]: () => queues.close(),
  };
}

/** States of BullMQ in the order of the list. */
const RUN_STATES = {
  active: 'running',
  'waiting-children': 'running',
  wait: 'waiting',
  prioritized: 'waiting',
  delayed: 'delayed',
  failed: 'failed',
  completed: 'done',
} as const;

/** @param eachMax Runs of each state and queue; without it the list as a whole is bounded. */
async function runReports(
  { load, maintenance }: Queues,
  states: readonly (keyof typeof RUN_STATES)[],
  eachMax?: number,
): Promise<RunReport[]> {
  const runs: RunReport[] = [];
  for (const name of states) {
    for (const queue of [load, maintenance]) {
      const room = eachMax ?? limits.operatorReport.runsShown - runs.length;
      if (room <= 0) return runs;
      const jobs = (await queue.getJobs([name], 0, room - 1)) as LoadJob[];
      const known = jobs.filter((job) => isKnown(job, checkLoad));
      runs.push(...(await Promise.all(known.map((job) => runOf(job, RUN_STATES[name])))));
    }
  }
  return runs;
}

async function runOf(job: LoadJob, state: RunReport['state']): Promise<RunReport> {
  const { data: head, returnvalue, finishedOn = null } = job;
  const { childCount } = head;
  const report = reportFigures(returnvalue) && returnvalue;
  const deadJobs = report?.deadJobs ?? [];
  const isOver = state === 'done' || state === 'failed';
  const { processed = 0, ignored = 0 } = isOver ? {} : await job.getDependenciesCount();
  return runReport({
    ...{ head, state, endedMs: finishedOn, step: stepOf(job) },
    ...failuresOf(job),
    tasks: {
      all: childCount,
      done: isOver ? childCount - deadJobs.length : processed,
      failed: isOver ? deadJobs.length : ignored,
    },
    figures: report && { ...report, version: report.publishedVersion },
    failedTasks: deadJobs
      .slice(0, limits.operatorReport.failedTasksShown)
      .map(({ id, title, reason }) => ({ id, title, reason })),
  });
}

function stepOf({ progress }: LoadJob): RunReport['step'] {
  const { step: name, done = 0, total = 0 } = progress as Partial<Record<string, unknown>>;
  if (typeof name !== 'string') return null;
  return { name, done: Number(done), total: Number(total) };
}

async function addFigures(figures: JobFigures, queues: Queues, queue: QueueName): Promise<void> {
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
  if (waiting.length === 0) return;
  figures.next.push({ queue, addedMs: Math.min(...waiting.map((job) => job.timestamp)) });
}

/** Counts failed jobs whose input is at fault, among the newest. Unreadable ones are not. */
async function inputFaults(queues: Queues, queue: QueueName): Promise<number> {
  if (queue !== 'load' && queue !== 'fetch') return 0;
  const failed: Job[] = await queues[queue].getJobs(['failed'], 0, ENDED_MAX - 1);
  const known = failed.filter((job) => isKnown(job, queue === 'load' ? checkLoad : checkFetch));
  return known.filter((job) => isInputFault(job.name, failuresOf(job).kind)).length;
}

function newestOfSources(runs: readonly RunReport[]): RunReport[] {
  const endMs = ({ endedAt }: RunReport) => Date.parse(endedAt ?? '') || 0;
  const oldestFirst = runs.toSorted((a, b) => endMs(a) - endMs(b));
  return [...new Map(oldestFirst.map((run) => [`${run.mode} ${run.source}`, run])).values()];
}
