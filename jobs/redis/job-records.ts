/** Jobs of the queues as `jobs list` prints them. */

import type { Job } from 'bullmq';
import { partitionTitle } from '../../src/ingest/sources/partition-title.ts';
import { failureFrom } from '../contract/failure.ts';
import { optionsFromPartition } from '../contract/partition.ts';
import { type RunHead, taskFromId } from '../contract/run.ts';
import type { JobRecord, JobState } from '../contract/runner.ts';
import type { DeliveryCounts } from '../webhooks/deliver.ts';
import { checkDelivery, checkFetch, checkLoad } from './payloads.ts';
import { failureFromText, type QueuedFetch, type QueuedLoad, type Retried } from './queues.ts';

export function titleOf({ slice }: QueuedFetch): string {
  return partitionTitle(optionsFromPartition(slice));
}

export function fetchRecord(job: Job<QueuedFetch>, state: JobState): JobRecord {
  return known({ job, queue: 'fetch', state }, checkFetch, () => ({
    ...{ mode: job.data.mode, verb: `backfill ${job.name}`, title: titleOf(job.data) },
    ...failuresOf(job),
  }));
}

export function loadRecord(
  job: Job<QueuedLoad>,
  queue: 'load' | 'maintenance',
  state: JobState,
): JobRecord {
  return known({ job, queue, state }, checkLoad, () => {
    const { mode, verb, task } = job.data;
    return { mode, verb, title: task ?? 'load and publish', ...failuresOf(job) };
  });
}

function failuresOf({ data, failedReason }: Job<Retried>) {
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

export function deliveryRecord(job: Job<Retried, DeliveryCounts>, state: JobState): JobRecord {
  return known({ job, queue: 'webhooks', state }, checkDelivery, () => ({
    ...{ mode: null, verb: 'deliver', title: 'what is due' },
    ...failuresOf(job),
  }));
}

/** Builds the record of a job. One that another version wrote is listed without its details. */
function known(
  { job, queue, state }: { job: Job } & Pick<JobRecord, 'queue' | 'state'>,
  check: (job: Job) => void,
  tell: () => Omit<JobRecord, 'id' | 'queue' | 'state'>,
): JobRecord {
  const named = { id: job.id ?? '', queue, state };
  try {
    check(job);
  } catch (error) {
    const told = { mode: null, verb: job.name, title: 'an unknown job' };
    return { ...named, ...told, failures: 0, ...failureFrom(error) };
  }
  return { ...named, ...tell() };
}
