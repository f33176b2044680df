/**
 * What is to be done, as JSON: children that fetch, and the load and publish that follow them. A
 * plan is made once and then run, by whichever runner and however often it is interrupted.
 */

import { createHash } from 'node:crypto';
import type { Mode } from '../../src/base/config/data-dir.ts';
import type { MaintenanceTask } from '../processors/maintenance.ts';
import type { SharedContext, Slice } from './slice.ts';

/** By name: smaller numbers run first. What is awaited now overtakes what fills up history. */
export const PRIORITIES = { quotes: 1, daily: 10, backfill: 100 } as const;

export type Priority = keyof typeof PRIORITIES;

export interface PlanHead {
  /** Follows from what is asked; a plan that is there already is not added again. */
  id: string;
  mode: Mode;
  /** Name in the table of sources. */
  source: string;
  /** What is running, as the user would say it: `backfill yahoo`. */
  verb: string;
  priority: Priority;
  /** When it was made, in milliseconds. */
  createdMs: number;
  /**
   * Of a plan that runs once for all time, the moment it is of: it is not run anew once it is
   * done or given up. Undefined: who asks again wants it again.
   */
  tick?: string;
  /** Doubtful loads of it are believed. */
  accept?: boolean;
  /**
   * What the load asks the source itself, on the machine of the store: local files, the directory
   * of symbols, the sandbox. Such a plan has no children.
   */
  local?: Slice;
  /** What is done instead of a load; such a plan has no children either. */
  task?: MaintenanceTask;
  childCount: number;
}

/** One job that fetches. */
export interface Child {
  /** What it is of, as the user would say it. */
  title: string;
  slice: Slice;
}

export interface Plan extends PlanHead {
  /** In the order in which they are loaded. */
  children: readonly Child[];
  /** What the store knows that children may need. */
  shared: SharedContext;
}

/** What a plan is known by: the same question to the same source has the same id. */
export interface PlanQuestion {
  mode: Mode;
  source: string;
  /** As asked, before what the store knows is added. */
  asked: Slice;
  tick?: string;
}

/** Of letters and digits: 62 bits. Short, because each job of the plan has it several times. */
const ID_CHARS = 12;

/** Hash of what is asked, whatever the order of its keys. */
export function planId({ mode, source, asked, tick }: PlanQuestion): string {
  const entries = Object.entries(asked).sort(([a], [b]) => (a < b ? -1 : 1));
  const text = JSON.stringify([mode, source, entries, tick]);
  return idFromText(text);
}

export function headOf({ children, shared, ...head }: Plan): PlanHead {
  return head;
}

/**
 * The name of a child's job, of this run of the plan; the name of its load is the plan's id.
 */
export function childId({ id, createdMs }: Pick<PlanHead, 'id' | 'createdMs'>, index: number) {
  return `${id}-${createdMs.toString(36)}-${index}`;
}

/** Which child of which plan a name of `childId` is of. */
export function childFromId(id: string): { plan: string; index: number } {
  const [plan, , index] = id.split('-');
  return { plan, index: Number(index) };
}

/**
 * Dead children of a plan that is done, as a plan of their own.
 *
 * @param nowMs Makes it another plan than the retry before it.
 */
export function retryPlan(
  { id, ...head }: PlanHead,
  children: readonly Child[],
  shared: SharedContext,
  nowMs: number,
): Plan {
  const text = `${id} ${nowMs} ${children.map(({ title }) => title).join(' ')}`;
  const childCount = children.length;
  return { ...head, id: idFromText(text), createdMs: nowMs, childCount, children, shared };
}

function idFromText(text: string): string {
  const hash = BigInt(`0x${createHash('sha256').update(text).digest('hex')}`);
  return hash.toString(36).slice(0, ID_CHARS);
}
