/**
 * Jobs that BullMQ cannot read, because Redis holds damaged or foreign data. They become jobs
 * without a payload, so that they do not hide the others.
 */

import { Job, type JobProgress } from 'bullmq';

const faults = new WeakMap<Job, string>();

/** Returns why a job could not be read; undefined if it was read. */
export function faultOf(job: Job): string | undefined {
  return faults.get(job);
}

function unreadable<J extends Job>(job: J, error: unknown): J {
  faults.set(job, `it is damaged in Redis: ${(error as Error).message}`);
  return job;
}

export class ReadableJob<D, R, N extends string, P extends JobProgress> extends Job<D, R, N, P> {}

/** Reads every job that is listed. */
ReadableJob.fromId = (async (queue, id) => {
  try {
    return await Job.fromId.call(ReadableJob, queue, id);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return unreadable(new Job(queue, '', null, {}, id), error);
  }
}) as typeof Job.fromId;

/** Reads every job that a worker takes. */
ReadableJob.fromJSON = (queue, json, id) => {
  try {
    return Job.fromJSON(queue, json, id);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return unreadable(Job.fromJSON(queue, { ...json, data: 'null' }, id), error);
  }
};
