/** Runs in Redis with their progress, for the operator's report. */

import type { Job } from 'bullmq';
import { limits } from '../../src/base/limits.ts';
import { isInputFault } from '../../src/base/operator/input-fault.ts';
import type { RunReport } from '../../src/base/operator/report.ts';
import type { RunReport as LoadReport } from '../contract/reports.ts';
import { checkLoad, isKnown } from './payloads.ts';
import { failureFromText, type QueuedLoad, type Queues } from './queues.ts';

type LoadJob = Job<QueuedLoad, LoadReport>;

/** States of BullMQ in the order of the list. */
const STATES = {
  active: 'running',
  'waiting-children': 'running',
  wait: 'waiting',
  prioritized: 'waiting',
  delayed: 'delayed',
  failed: 'failed',
  completed: 'done',
} as const;

/** Lists unfinished and failed runs, then the newest others. @throws as BullMQ if Redis is away. */
export async function queuedRuns({ load, maintenance }: Queues): Promise<RunReport[]> {
  const runs: RunReport[] = [];
  for (const [name, state] of Object.entries(STATES)) {
    for (const queue of [load, maintenance]) {
      const room = limits.operatorReport.runsShown - runs.length;
      if (room <= 0) return runs;
      const jobs = (await queue.getJobs([name as keyof typeof STATES], 0, room - 1)) as LoadJob[];
      const known = jobs.filter((job) => isKnown(job, checkLoad));
      runs.push(...(await Promise.all(known.map((job) => runOf(job, state)))));
    }
  }
  return runs;
}

async function runOf(job: LoadJob, state: RunReport['state']): Promise<RunReport> {
  const { id, mode, source, verb, createdMs, childCount, failed } = job.data;
  const { returnvalue: report, finishedOn, failedReason } = job;
  const text = failed?.text ?? failedReason;
  const failure = text ? failureFields(text) : { kind: null, reason: null };
  const deadJobs = report?.deadJobs ?? [];
  const isOver = state === 'done' || state === 'failed';
  const { processed = 0, ignored = 0 } = isOver ? {} : await job.getDependenciesCount();
  return {
    ...{ id, mode, source, verb, state },
    createdAt: new Date(createdMs).toISOString(),
    endedAt: isOver && finishedOn ? new Date(finishedOn).toISOString() : null,
    tasks: {
      all: childCount,
      done: isOver ? childCount - deadJobs.length : processed,
      failed: isOver ? deadJobs.length : ignored,
    },
    step: stepOf(job),
    accepted: report?.accepted ?? null,
    refused: report?.rejected ?? null,
    version: report?.publishedVersion ?? null,
    failures: failed?.tries ?? 0,
    ...failure,
    isInputFault: state === 'failed' && isInputFault(source, failure.kind),
    failedTasks: deadJobs
      .slice(0, limits.operatorReport.failedTasksShown)
      .map(({ id, title, reason }) => ({ id, title, reason })),
  };
}

function failureFields(text: string): Pick<RunReport, 'kind' | 'reason'> {
  const { kind, reason } = failureFromText(text);
  return { kind, reason };
}

function stepOf({ progress }: LoadJob): RunReport['step'] {
  const { step: name, done = 0, total = 0 } = progress as Partial<Record<string, unknown>>;
  if (typeof name !== 'string') return null;
  return { name, done: Number(done), total: Number(total) };
}
