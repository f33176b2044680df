/** Jobs of the queues as `jobs list` prints them. */

import type { Job } from 'bullmq';
import { partitionTitle } from '../../src/ingest/sources/partition-title.ts';
import { failureFrom } from '../contract/failure.ts';
import { type RunHead, taskFromId } from '../contract/run.ts';
import type { JobRecord, JobState } from '../contract/runner.ts';
import { checkDelivery, checkFetch, checkLoad } from './payloads.ts';
import {
  failureFromText,
  type QueuedFetch,
  type QueuedLoad,
  type QueueName,
  type Retried,
} from './queues.ts';

type Described = Pick<JobRecord, 'mode' | 'verb' | 'title'>;

const describeFetch = (job: Job<QueuedFetch>): Described => {
  const { mode } = job.data;
  return { mode, verb: `backfill ${job.name}`, title: partitionTitle(job.data.slice) };
};

const describeLoad = ({ data: { mode, verb, task } }: Job<QueuedLoad>): Described => {
  return { mode, verb, title: task ?? 'load and publish' };
};

const describeDelivery = (): Described => ({ mode: null, verb: 'deliver', title: 'what is due' });

/** Checks and descriptions of the jobs of each queue. */
const KINDS: Record<QueueName, { check: (job: Job) => void; describe: (job: Job) => Described }> = {
  fetch: { check: checkFetch, describe: describeFetch },
  load: { check: checkLoad, describe: describeLoad },
  maintenance: { check: checkLoad, describe: describeLoad },
  webhooks: { check: checkDelivery, describe: describeDelivery },
};

/** Builds the record of a job. One that another version wrote is listed without its details. */
export function jobRecord(job: Job, queue: QueueName, state: JobState): JobRecord {
  const { check, describe } = KINDS[queue];
  const named = { id: job.id ?? '', queue, state };
  try {
    check(job);
  } catch (error) {
    const told = { mode: null, verb: job.name, title: 'an unknown job' };
    return { ...named, ...told, failures: 0, ...failureFrom(error) };
  }
  return { ...named, ...describe(job), ...failuresOf(job) };
}

export function failuresOf({ data, failedReason }: Job<Retried>) {
  const text = data.failed?.text ?? failedReason;
  const { kind = null, reason = null } = text ? failureFromText(text) : {};
  return { failures: data.failed?.tries ?? 0, kind, reason };
}

/** Builds the head of a run that Redis has lost, from one of its tasks. */
export function headOfTask({ id, name: source, data: { mode } }: Job<QueuedFetch>): RunHead {
  const { plan } = taskFromId(id ?? '');
  const verb = `backfill ${source}`;
  return { id: plan, mode, source, verb, priority: 'backfill', createdMs: 0, childCount: 0 };
}
