/**
 * Payloads as Redis returns them, perhaps of another version. An unknown field is refused, because
 * a request without it is another request.
 */

import type { Job } from 'bullmq';
import { z } from 'zod';
import { MalformedInputError } from '../../src/base/errors.ts';
import { limits } from '../../src/base/limits.ts';
import { RUN_ID } from '../contract/run.ts';
import { deliverySchema, fetchSchema, GATE, loadSchema } from './queues.ts';
import { faultOf } from './readable-job.ts';

/** Ids become names of folders. */
const CHILD_ID = /^[a-z0-9]+-[a-z0-9]+-\d+$/;
const GATE_ID = /^[a-z0-9]+-[a-z0-9]+-gate$/;

const reportSchema = z.object({
  accepted: z.number(),
  rejected: z.number(),
  deadJobs: z.array(z.unknown()),
});

/**
 * Checks a fetch job, where it is taken or shown.
 *
 * @throws {MalformedInputError} its payload or its id is not of this version.
 */
export function checkFetch(job: Job): void {
  const isGate = job.name === GATE;
  requireId(job, isGate ? GATE_ID : CHILD_ID);
  requirePayload(job, isGate ? deliverySchema : fetchSchema);
}

/** @throws as `checkFetch`. */
export function checkLoad(job: Job): void {
  requireId(job, RUN_ID);
  requirePayload(job, loadSchema);
  if (job.data.id !== job.id) throw foreign(`id: "${job.data.id}" is not the job's`);
}

/** @throws as `checkFetch`. */
export function checkDelivery(job: Job): void {
  requirePayload(job, deliverySchema);
}

export function isKnown<J extends Job>(job: J | undefined, check: (job: Job) => void): job is J {
  try {
    if (job) check(job);
    return job !== undefined;
  } catch {
    return false;
  }
}

/** Reads the figures of a load's report; undefined if it has none. */
export function reportFigures(returned: unknown): z.infer<typeof reportSchema> | undefined {
  return reportSchema.safeParse(returned).data;
}

function requireId(job: Job, pattern: RegExp): void {
  requireReadable(job);
  const { id = '' } = job;
  if (!pattern.test(id)) throw foreign(`the job's id is "${id}"`);
}

function requireReadable(job: Job): void {
  const fault = faultOf(job);
  if (fault) throw foreign(fault);
}

function requirePayload(job: Job, schema: z.ZodType): void {
  requireReadable(job);
  const { error } = schema.safeParse(job.data);
  if (!error) return;
  const [{ path, message }] = error.issues;
  throw foreign(`${path.length > 0 ? path.join('.') : 'its payload'}: ${message}`);
}

function foreign(fault: string): MalformedInputError {
  const reason = fault.slice(0, limits.jobs.reasonCharsMax);
  return new MalformedInputError(`not written by this version of Tapeworks: ${reason}`);
}
