/** A plan that this process runs: which children are left, and who waits for its end. */

import type { DeadJob } from '../processors/load-and-publish.ts';
import type { JobLedger, StoredChild } from './job-ledger.ts';
import { childId, type PlanHead, PRIORITIES } from './plan.ts';
import type { PlanOutcome, WaitOptions } from './runner.ts';

export interface RunningPlan {
  head: PlanHead;
  /** To be fetched, the last of them first. */
  waiting: StoredChild[];
  /** Tried before, and not to be tried again before a moment. */
  delayed: { child: StoredChild; atMs: number }[];
  /** Children that are being fetched. */
  running: number;
  settled: number;
  dead: Map<number, DeadJob>;
  loadFailures: number;
  loadNotBeforeMs: number;
  isLoading: boolean;
  /** Of whoever waits for it now. */
  told: WaitOptions;
  outcome: PromiseWithResolvers<PlanOutcome>;
}

/** As the ledger has it. */
export function runningPlan(ledger: JobLedger, id: string): RunningPlan {
  const stored = ledger.plan(id);
  if (!stored) throw new Error(`no plan ${id} in the ledger`);
  const children = ledger.children(id);
  const dead = children.filter(({ state }) => state === 'dead');
  const outcome = Promise.withResolvers<PlanOutcome>();
  // Nobody may be waiting.
  outcome.promise.catch(() => undefined);
  const waiting = children.filter(({ state }) => state === 'waiting');
  return {
    head: stored.head,
    waiting: waiting.reverse(),
    delayed: [],
    running: 0,
    settled: children.length - waiting.length,
    dead: new Map(dead.map((child) => [child.index, deadJob(stored.head, child)])),
    loadFailures: stored.failures,
    loadNotBeforeMs: 0,
    isLoading: false,
    told: {},
    outcome,
  };
}

export function deadJob(
  plan: PlanHead,
  { index, title, kind, reason }: Pick<StoredChild, 'index' | 'title' | 'kind' | 'reason'>,
): DeadJob {
  return { id: childId(plan, index), title, kind: kind ?? 'other', reason: reason ?? '' };
}

/** Takes the next child that may be tried now. */
export function takeChild(
  { waiting, delayed }: RunningPlan,
  nowMs: number,
): StoredChild | undefined {
  const due = delayed.findIndex(({ atMs }) => atMs <= nowMs);
  return due < 0 ? waiting.pop() : delayed.splice(due, 1)[0].child;
}

/** What is awaited now comes first; of the same priority, what was asked for first. */
export function byPriority(a: RunningPlan, b: RunningPlan): number {
  return (
    PRIORITIES[a.head.priority] - PRIORITIES[b.head.priority] || a.head.createdMs - b.head.createdMs
  );
}

/** Whether nothing is left but the load. */
export function isFetched({ waiting, delayed, running }: RunningPlan): boolean {
  return waiting.length + delayed.length + running === 0;
}

/** When something of the plan is to be tried again; infinite where nothing waits for a moment. */
export function nextTryMs(plan: RunningPlan): number {
  if (isFetched(plan)) return plan.isLoading ? Infinity : plan.loadNotBeforeMs;
  return Math.min(...plan.delayed.map(({ atMs }) => atMs));
}
