/**
 * Payloads as Redis returns them, perhaps of another version. An unknown field is refused, because
 * a request without it is another request.
 */

import type { Job } from 'bullmq';
import { z } from 'zod';
import { MODES } from '../../src/base/config/data-dir.ts';
import { MalformedInputError } from '../../src/base/errors.ts';
import { limits } from '../../src/base/limits/limits.ts';
import { partitionSchema } from '../contract/partition.ts';
import { MAINTENANCE_TASKS, PRIORITIES, type Priority } from '../contract/run.ts';
import { GATE, type QueuedDelivery, type QueuedFetch, type QueuedLoad } from './queues.ts';
import { faultOf } from './readable-job.ts';

/** Ids become names of folders. */
const PLAN_ID = /^[a-z0-9]+$/;
const CHILD_ID = /^[a-z0-9]+-[a-z0-9]+-\d+$/;
const GATE_ID = /^[a-z0-9]+-[a-z0-9]+-gate$/;

const text = z.string();
const mode = z.enum(MODES);
const retried = {
  failed: z.strictObject({ tries: z.int().nonnegative(), text }).optional(),
};

const deliverySchema = z.strictObject(retried) satisfies z.ZodType<QueuedDelivery>;

const gateSchema = deliverySchema;

const fetchSchema = z.strictObject({
  mode,
  slice: partitionSchema,
  isLost: z.literal(true).optional(),
  ...retried,
}) satisfies z.ZodType<QueuedFetch>;

const loadSchema = z.strictObject({
  id: z.string().regex(PLAN_ID),
  mode,
  source: text,
  verb: text,
  priority: z.enum(Object.keys(PRIORITIES) as Priority[]),
  createdMs: z.number().nonnegative(),
  tick: text.optional(),
  accept: z.boolean().optional(),
  local: partitionSchema.optional(),
  task: z.enum(MAINTENANCE_TASKS).optional(),
  childCount: z.int().nonnegative().max(limits.jobs.childrenMax),
  ...retried,
}) satisfies z.ZodType<QueuedLoad>;

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
  requirePayload(job, isGate ? gateSchema : fetchSchema);
}

/** @throws as `checkFetch`. */
export function checkLoad(job: Job): void {
  requireId(job, PLAN_ID);
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
