/**
 * Jobs as BullMQ reads them, also such as it can't read: what is broken in Redis, or was put there
 * by hand, is a job without a payload then, and hides no other one.
 */

import { Job, type JobProgress } from 'bullmq';

/** Why a job could not be read. */
const faults = new WeakMap<Job, string>();

/** @returns undefined of a job that was read. */
export function faultOf(job: Job): string | undefined {
  return faults.get(job);
}

function unreadable<J extends Job>(job: J, error: unknown): J {
  faults.set(job, `it is damaged in Redis: ${(error as Error).message}`);
  return job;
}

/** For queues and workers in place of their own. */
export class ReadableJob<D, R, N extends string, P extends JobProgress> extends Job<D, R, N, P> {}

/** Every job that is looked at goes through here. */
ReadableJob.fromId = (async (queue, id) => {
  try {
    return await Job.fromId.call(ReadableJob, queue, id);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return unreadable(new Job(queue, '', null, {}, id), error);
  }
}) as typeof Job.fromId;

/** … and here, with those that workers take. */
ReadableJob.fromJSON = (queue, json, id) => {
  try {
    return Job.fromJSON(queue, json, id);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return unreadable(Job.fromJSON(queue, { ...json, data: 'null' }, id), error);
  }
};
