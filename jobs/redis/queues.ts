/** Queues and payloads of their jobs. */

import { type Job, type JobsOptions, Queue, type QueueOptions } from 'bullmq';
import type { Mode } from '../../src/base/config/data-dir.ts';
import { limits } from '../../src/base/limits/limits.ts';
import { FAILURE_KINDS, type Failure, type FailureKind } from '../contract/failure.ts';
import type { Partition } from '../contract/partition.ts';
import type { RunReport } from '../contract/reports.ts';
import { PRIORITIES, type Priority, type RunHead, taskFromId } from '../contract/run.ts';
import type { JobState } from '../contract/runner.ts';
import type { FetchJob } from '../processors/fetch.ts';
import type { DeliveryCounts } from '../webhooks/deliver.ts';
import { connectionOptions, KEY_PREFIX } from './connection.ts';
import { ReadableJob } from './readable-job.ts';

export const QUEUE_NAMES = ['fetch', 'load', 'webhooks', 'maintenance'] as const;

export type QueueName = (typeof QUEUE_NAMES)[number];

/** Names of BullMQ for the states of jobs. */
export const QUEUE_STATES = {
  waiting: ['wait', 'prioritized', 'waiting-children'],
  active: ['active'],
  delayed: ['delayed'],
  done: ['completed'],
  dead: ['failed'],
} as const satisfies Record<JobState, readonly string[]>;

/**
 * Payload of a fetch job. The run, the number and the source are in the job's id and name, as with
 * 100,000 jobs each byte counts.
 */
export interface QueuedFetch extends Retried {
  mode: Mode;
  slice: Partition;
  /** Set if the run was published without this task. */
  isLost?: true;
}

export type QueuedLoad = RunHead & Retried;

export function queueOf({ task }: Pick<RunHead, 'task'>): 'load' | 'maintenance' {
  return task === undefined ? 'load' : 'maintenance';
}

export function fetchJobOf({ id, name, data }: Job<QueuedFetch>): FetchJob {
  return { ...taskFromId(id ?? ''), source: name, slice: data.slice };
}

export function aboutJob({ id, name, data: { mode } }: Job<QueuedFetch> | Job<QueuedLoad>) {
  return { plan: taskFromId(id ?? '').plan, source: name, mode };
}

/** Name of the job that holds back a load until all tasks of a long run are added. */
export const GATE = 'gate';

export interface Queues {
  fetch: Queue<QueuedFetch>;
  load: Queue<QueuedLoad, RunReport>;
  maintenance: Queue<QueuedLoad, RunReport>;
  webhooks: Queue<QueuedDelivery, DeliveryCounts>;
  close(): Promise<void>;
}

class ReadableQueue<Data, Result = unknown> extends Queue<Data, Result> {
  protected override get Job() {
    return ReadableJob;
  }
}

/** Opens the queues to add and read jobs. */
export function openQueues(url: string): Queues {
  const options: QueueOptions = {
    connection: connectionOptions(url, 'producer'),
    prefix: KEY_PREFIX,
    skipWaitingForReady: true,
    // No process reads old events: the dashboard and waiting commands poll.
    streams: { events: { maxLen: limits.redis.eventsKept } },
  };
  const fetch = new ReadableQueue<QueuedFetch>('fetch', options);
  const load = new ReadableQueue<QueuedLoad, RunReport>('load', options);
  const maintenance = new ReadableQueue<QueuedLoad, RunReport>('maintenance', options);
  const webhooks = new ReadableQueue<QueuedDelivery, DeliveryCounts>('webhooks', options);
  // A failing call throws its own error.
  for (const queue of [fetch, load, maintenance, webhooks]) queue.on('error', () => undefined);
  return {
    fetch,
    load,
    maintenance,
    webhooks,
    async close() {
      await Promise.all([fetch, load, maintenance, webhooks].map((queue) => queue.close()));
    },
  };
}

/** Returns the options of a job. The worker decides about retries, by kind of failure. */
export function jobOptions(id: string, priority: Priority): JobsOptions {
  return { jobId: id, priority: PRIORITIES[priority] };
}

export type QueuedDelivery = Retried;

export interface Retried {
  failed?: {
    tries: number;
    /** `failureText` of the last try. */
    text: string;
  };
}

export function failureText({ kind, reason }: Failure): string {
  return `${kind}: ${reason}`;
}

export function failureFromText(text: string | undefined): Failure {
  const [, kind, reason] = /^([a-z-]+): (.*)$/s.exec(text ?? '') ?? [];
  return FAILURE_KINDS.includes(kind as FailureKind)
    ? { kind: kind as FailureKind, reason }
    : { kind: 'other', reason: text ?? '' };
}
