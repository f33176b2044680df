/** A run as JSON: tasks that fetch, then one load and publish. Both runners execute it. */

import { createHash } from 'node:crypto';
import { z } from 'zod';
import { MODES, type Mode } from '../../src/base/config/data-dir.ts';
import { limits } from '../../src/base/limits.ts';
import { type Partition, partitionSchema, type SharedContext } from './partition.ts';

/** Priorities by name; smaller numbers run first. */
export const PRIORITIES = { quotes: 1, daily: 10, backfill: 100 } as const;

export type Priority = keyof typeof PRIORITIES;

/** Maintenance tasks by name. All but `compact` cover both modes. */
export const MAINTENANCE_TASKS = ['retention', 'roll-up', 'integrity', 'compact'] as const;

export type MaintenanceTask = (typeof MAINTENANCE_TASKS)[number];

export const RUN_ID = /^[a-z0-9]+$/;

const acceptSchema = z.union([z.boolean(), z.array(z.string())]);

/** True accepts everything that sanity checks hold; a list accepts these symbols. */
export type Accept = boolean | string[];

/** A run without its tasks, as both runners store it. */
export const runHeadSchema = z.strictObject({
  /** Hash of the request, and the name of a folder. */
  id: z.string().regex(RUN_ID),
  mode: z.enum(MODES),
  source: z.string(),
  verb: z.string(),
  priority: z.enum(Object.keys(PRIORITIES) as Priority[]),
  createdMs: z.number().nonnegative(),
  /**
   * Scheduled time, or id of a backfill of the API. A run with a tick is not repeated once it is
   * done or failed.
   */
  tick: z.string().optional(),
  /** Loads without sanity checks, or without those of the listed symbols. */
  accept: acceptSchema.optional(),
  /** Set if it was cancelled: it loads what is fetched, and nothing is missing. */
  isCancelled: z.literal(true).optional(),
  /** Request of a run without tasks: local files, the directory of symbols, or the sandbox. */
  local: partitionSchema.optional(),
  /** Maintenance task in the place of a load; the run has no fetch tasks. */
  task: z.enum(MAINTENANCE_TASKS).optional(),
  childCount: z.int().nonnegative().max(limits.jobs.tasksMax),
});

export type RunHead = z.infer<typeof runHeadSchema>;

/** Tells a run from earlier and later ones of the same request, which have its id. */
export type RunName = Pick<RunHead, 'id' | 'createdMs'>;

export const fetchTaskSchema = z.strictObject({
  /** Part of the work in words, such as `AAPL … AMZN`. */
  title: z.string(),
  slice: partitionSchema,
});

export type FetchTask = z.infer<typeof fetchTaskSchema>;

export interface Run extends RunHead {
  /** In the order in which they are loaded. */
  tasks: readonly FetchTask[];
  shared: SharedContext;
}

export interface RunIdentity {
  mode: Mode;
  source: string;
  /** The request, before stored data is added. */
  asked: Partition;
  tick?: string;
}

/** Letters and digits of an id: 62 bits. */
const ID_CHARS = 12;

/** Hashes a request, whatever the order of its keys. */
export function runId({ mode, source, asked, tick }: RunIdentity): string {
  const entries = Object.entries(asked).sort(([a], [b]) => (a < b ? -1 : 1));
  return idFromText(JSON.stringify([mode, source, entries, tick]));
}

export function maintenanceRun(
  { mode, task, tick }: { mode: Mode; task: MaintenanceTask; tick?: string },
  nowMs: number,
): Run {
  const source = `maintenance ${task}`;
  return {
    id: runId({ mode, source, asked: {}, tick }),
    ...{ mode, source, tick, task, verb: source, priority: 'backfill' },
    createdMs: nowMs,
    childCount: 0,
    tasks: [],
    shared: {},
  };
}

/** Returns true for the id of a backfill, whose client sees the counts. */
export function isRequestTick(tick: string): boolean {
  return tick.startsWith('bf_');
}

export function headOf({ tasks, shared, ...head }: Run): RunHead {
  return head;
}

/** Sorts by priority, then by age. */
export function byPriority(a: RunHead, b: RunHead): number {
  return PRIORITIES[a.priority] - PRIORITIES[b.priority] || a.createdMs - b.createdMs;
}

/** Names the job of a task; the job of the load has the run's id. */
export function taskId({ id, createdMs }: RunName, index: number): string {
  return `${id}-${createdMs.toString(36)}-${index}`;
}

export function taskFromId(id: string): { plan: string; createdMs: number; index: number } {
  const [plan, time, index] = id.split('-');
  return { plan, createdMs: Number.parseInt(time, 36), index: Number(index) };
}

/** Builds a run from failed tasks. Its id follows from them, so that two operators make one run. */
export function retryRun(
  { id, isCancelled, ...head }: RunHead,
  tasks: readonly FetchTask[],
  shared: SharedContext,
  nowMs: number,
): Run {
  const text = `${id} ${head.createdMs} ${JSON.stringify(tasks.map(({ slice }) => slice))}`;
  const childCount = tasks.length;
  return { ...head, id: idFromText(text), createdMs: nowMs, childCount, tasks, shared };
}

function idFromText(text: string): string {
  const hash = BigInt(`0x${createHash('sha256').update(text).digest('hex')}`);
  return hash.toString(36).slice(0, ID_CHARS);
}
