/** The queues and what their jobs are like: names, priorities, tries, how long they are kept. */

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

/** What BullMQ calls the states of jobs. */
export const QUEUE_STATES = {
  waiting: ['wait', 'prioritized', 'waiting-children'],
  active: ['active'],
  delayed: ['delayed'],
  done: ['completed'],
  dead: ['failed'],
} as const satisfies Record<JobState, readonly string[]>;

/**
 * The payload of a fetch. Its plan and number are in the job's id, its source is the job's name:
 * with 100,000 of them each byte counts.
 */
export interface QueuedFetch extends Retried {
  mode: Mode;
  slice: Partition;
  /** Its plan is published without it: it is dead, and here to be seen and run again. */
  isLost?: true;
}

/** The payload of a load. */
export type QueuedLoad = RunHead & Retried;

/** The queue of what follows a plan's children. */
export function queueOf({ task }: Pick<RunHead, 'task'>): 'load' | 'maintenance' {
  return task === undefined ? 'load' : 'maintenance';
}

/** What a fetch job is about. */
export function fetchJobOf({ id, name, data }: Job<QueuedFetch>): FetchJob {
  return { ...taskFromId(id ?? ''), source: name, slice: data.slice };
}

/** What lines of the log say of a job of a plan. */
export function aboutJob({ id, name, data: { mode } }: Job<QueuedFetch> | Job<QueuedLoad>) {
  return { plan: taskFromId(id ?? '').plan, source: name, mode };
}

/** The job that holds up a load until all children of a long plan have been added. */
export const GATE = 'gate';

export interface Queues {
  fetch: Queue<QueuedFetch>;
  load: Queue<QueuedLoad, RunReport>;
  /** Of plans that are a task of maintenance. */
  maintenance: Queue<QueuedLoad, RunReport>;
  webhooks: Queue<QueuedDelivery, DeliveryCounts>;
  close(): Promise<void>;
}

/** One whose jobs can all be looked at. */
class ReadableQueue<Data, Result = unknown> extends Queue<Data, Result> {
  protected override get Job() {
    return ReadableJob;
  }
}

/** For those who add and look; workers have their own. */
export function openQueues(url: string): Queues {
  const options: QueueOptions = {
    connection: connectionOptions(url, 'producer'),
    prefix: KEY_PREFIX,
    skipWaitingForReady: true,
    // The dashboard and waiting commands ask; nobody reads old events.
    streams: { events: { maxLen: limits.redis.eventsKept } },
  };
  const fetch = new ReadableQueue<QueuedFetch>('fetch', options);
  const load = new ReadableQueue<QueuedLoad, RunReport>('load', options);
  const maintenance = new ReadableQueue<QueuedLoad, RunReport>('maintenance', options);
  const webhooks = new ReadableQueue<QueuedDelivery, DeliveryCounts>('webhooks', options);
  // A command that fails says so itself.
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

/**
 * Without a number of attempts: whether a failed job is tried again is for its worker to say, by
 * kind of failure.
 */
export function jobOptions(id: string, priority: Priority): JobsOptions {
  return { jobId: id, priority: PRIORITIES[priority] };
}

/** The payload of a job that delivers what is due: which that is, accounts say when it runs. */
export type QueuedDelivery = Retried;

/** What the payload of every job gets when it fails and is put back. */
export interface Retried {
  failed?: {
    tries: number;
    /** As `failureText`, of the last try. */
    text: string;
  };
}

/** What a dead job says: the kind of its failure, and the reason. */
export function failureText({ kind, reason }: Failure): string {
  return `${kind}: ${reason}`;
}

export function failureFromText(text: string | undefined): Failure {
  const [, kind, reason] = /^([a-z-]+): (.*)$/s.exec(text ?? '') ?? [];
  return FAILURE_KINDS.includes(kind as FailureKind)
    ? { kind: kind as FailureKind, reason }
    : { kind: 'other', reason: text ?? '' };
}
