/** Queues and payloads of their jobs. */

import { type Job, type JobsOptions, Queue, type QueueOptions } from 'bullmq';
import { z } from 'zod';
import { MODES } from '../../src/base/config/data-dir.ts';
import { limits } from '../../src/base/limits.ts';
import { FAILURE_KINDS, type Failure, type FailureKind } from '../contract/failure.ts';
import { partitionSchema } from '../contract/partition.ts';
import type { RunReport } from '../contract/reports.ts';
import {
  PRIORITIES,
  type Priority,
  type RunHead,
  runHeadSchema,
  taskFromId,
} from '../contract/run.ts';
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

const retried = {
  /** Set when the job fails and is requeued; `text` is the `failureText` of the last try. */
  failed: z.strictObject({ tries: z.int().nonnegative(), text: z.string() }).optional(),
};

/** Payload of a delivery, as `accounts.sqlite` holds what is due, and of a gate. */
export const deliverySchema = z.strictObject(retried);

/**
 * Payload of a fetch job. The run, the number and the source are in the job's id and name, as with
 * 100,000 jobs each byte counts.
 */
export const fetchSchema = z.strictObject({
  mode: z.enum(MODES),
  slice: partitionSchema,
  /** Set if the run was published without this task. */
  isLost: z.literal(true).optional(),
  ...retried,
});

export const loadSchema = runHeadSchema.extend(retried);

export type Retried = z.infer<typeof deliverySchema>;
export type QueuedFetch = z.infer<typeof fetchSchema>;
export type QueuedLoad = z.infer<typeof loadSchema>;

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

class ReadableQueue<Data, Result = unknown> extends Queue<Data, Result> {
  protected override get Job() {
    return ReadableJob;
  }
}

/** Opens the queues to add and read jobs. */
export function openQueues(url: string) {
  const options: QueueOptions = {
    connection: connectionOptions(url, 'producer'),
    prefix: KEY_PREFIX,
    skipWaitingForReady: true,
    // No process reads old events: the dashboard and waiting commands poll.
    streams: { events: { maxLen: limits.redis.eventsKept } },
  };
  const open = <Data, Result = unknown>(name: QueueName): Queue<Data, Result> => {
    const queue = new ReadableQueue<Data, Result>(name, options);
    // A failing call throws its own error.
    queue.on('error', () => undefined);
    return queue;
  };
  const queues = {
    fetch: open<QueuedFetch>('fetch'),
    load: open<QueuedLoad, RunReport>('load'),
    maintenance: open<QueuedLoad, RunReport>('maintenance'),
    webhooks: open<Retried, DeliveryCounts>('webhooks'),
  };
  const close = async (): Promise<void> => {
    await Promise.all(Object.values(queues).map((queue) => queue.close()));
  };
  return { ...queues, close, [Symbol.asyncDispose]: close };
}

export type Queues = ReturnType<typeof openQueues>;

/** Returns the options of a job. The worker decides about retries, by kind of failure. */
export function jobOptions(id: string, priority: Priority): JobsOptions {
  return { jobId: id, priority: PRIORITIES[priority] };
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
