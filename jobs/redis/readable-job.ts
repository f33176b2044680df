/**
 * Jobs that BullMQ cannot read, because Redis holds damaged or foreign data. Such a job becomes one
 * without a payload, so it does not hide the others.
 */

import { Job, type JobProgress } from 'bullmq';

/** Reasons why jobs could not be read. */
const faults = new WeakMap<Job, string>();

/** Returns why a job could not be read; undefined if it was read. */
export function faultOf(job: Job): string | undefined {
  return faults.get(job);
}

function unreadable<J extends Job>(job: J, error: unknown): J {
  faults.set(job, `it is damaged in Redis: ${(error as Error).message}`);
  return job;
}

/** Class of jobs for our queues and workers. */
export class ReadableJob<D, R, N extends string, P extends JobProgress> extends Job<D, R, N, P> {}

/** Every job that is listed goes through here. */
ReadableJob.fromId = (async (queue, id) => {
  try {
    return await Job.fromId.call(ReadableJob, queue, id);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return unreadable(new Job(queue, '', null, {}, id), error);
  }
}) as typeof Job.fromId;

/** Every job that a worker takes goes through here too. */
ReadableJob.fromJSON = (queue, json, id) => {
  try {
    return Job.fromJSON(queue, json, id);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return unreadable(Job.fromJSON(queue, { ...json, data: 'null' }, id), error);
  }
};
