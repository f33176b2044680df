/**
 * A run as JSON: tasks that fetch, and the load and publish that follow them. A run is created once
 * and then executed, by either runner and however often it is interrupted.
 */

import { createHash } from 'node:crypto';
import type { Mode } from '../../src/base/config/data-dir.ts';
import type { Partition, SharedContext } from './partition.ts';

/** Priorities by name; smaller numbers run first. Work that is awaited now overtakes backfills. */
export const PRIORITIES = { quotes: 1, daily: 10, backfill: 100 } as const;

export type Priority = keyof typeof PRIORITIES;

/** Maintenance tasks by name. All but `compact` cover both modes. */
export const MAINTENANCE_TASKS = ['retention', 'roll-up', 'integrity', 'compact'] as const;

export type MaintenanceTask = (typeof MAINTENANCE_TASKS)[number];

export interface RunHead {
  /** Hash of the request: a run that exists already is not added again. */
  id: string;
  mode: Mode;
  /** Name in the table of sources. */
  source: string;
  /** Name of the command, such as `backfill yahoo`. */
  verb: string;
  priority: Priority;
  /** Creation time in milliseconds. */
  createdMs: number;
  /**
   * Scheduled time of the run. A run with a tick is never repeated once it is done or failed; one
   * without a tick is repeated at each request.
   */
  tick?: string;
  /** Loads without sanity checks. */
  accept?: boolean;
  /**
   * Request that the load answers itself, on the machine of the store: local files, the directory
   * of symbols, the sandbox. Such a run has no tasks.
   */
  local?: Partition;
  /** Maintenance task in the place of a load; such a run has no fetch tasks either. */
  task?: MaintenanceTask;
  /** Number of fetch tasks. */
  childCount: number;
}

/** One job that fetches. */
export interface FetchTask {
  /** Part of the work in words, such as `AAPL … AMZN`. */
  title: string;
  slice: Partition;
}

export interface Run extends RunHead {
  /** In the order in which they are loaded. */
  children: readonly FetchTask[];
  /** Stored data that tasks may need. */
  shared: SharedContext;
}

/** The parts of a request that its run's id is made from. */
export interface RunIdentity {
  mode: Mode;
  source: string;
  /** The request, before stored data is added. */
  asked: Partition;
  tick?: string;
}

/** Length of an id in letters and digits: 62 bits. Each job of the run repeats it several times. */
const ID_CHARS = 12;

/** Hashes a request; the order of its keys makes no difference. */
export function runId({ mode, source, asked, tick }: RunIdentity): string {
  const entries = Object.entries(asked).sort(([a], [b]) => (a < b ? -1 : 1));
  return idFromText(JSON.stringify([mode, source, entries, tick]));
}

/** Builds the run of a maintenance task: no fetch tasks, and the task in the place of the load. */
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
    children: [],
    shared: {},
  };
}

export function headOf({ children, shared, ...head }: Run): RunHead {
  return head;
}

/** Names the job of a task in this run; the job of the load has the run's id. */
export function taskId({ id, createdMs }: Pick<RunHead, 'id' | 'createdMs'>, index: number) {
  return `${id}-${createdMs.toString(36)}-${index}`;
}

/** Reads the run's id and the task's number from a `taskId`. */
export function taskFromId(id: string): { plan: string; index: number } {
  const [plan, , index] = id.split('-');
  return { plan, index: Number(index) };
}

/**
 * Builds a run from the failed tasks of a run that is done.
 *
 * @param nowMs Makes the id differ from that of an earlier retry.
 */
export function retryRun(
  { id, ...head }: RunHead,
  children: readonly FetchTask[],
  shared: SharedContext,
  nowMs: number,
): Run {
  const text = `${id} ${nowMs} ${children.map(({ title }) => title).join(' ')}`;
  const childCount = children.length;
  return { ...head, id: idFromText(text), createdMs: nowMs, childCount, children, shared };
}

function idFromText(text: string): string {
  const hash = BigInt(`0x${createHash('sha256').update(text).digest('hex')}`);
  return hash.toString(36).slice(0, ID_CHARS);
}
