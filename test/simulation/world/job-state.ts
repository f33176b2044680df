/**
 * Queues of BullMQ in a Redis, and what its scripts do with jobs that no worker has, in plain code:
 * each call is one step. `models/queue.test.ts` compares it with a server. Events, pauses, rates and
 * repeated jobs are left out.
 */

import type { JobJson, JobState as JobPlace } from 'bullmq';
import type { AddedJob, Parent, QueueKept, Scored, ServerState } from './job-types.ts';

/** Codes of failures, as scripts return them. */
export const CODES = { noJob: -1, noLock: -2, notThere: -3, pending: -4, noParent: -5 } as const;
const OTHER_PARENT = -7;

export const SCORES_A_MS = 0x1000;
const SCORES_A_PRIORITY = 0x100000000;

const SETS = {
  completed: 'completed',
  'waiting-children': 'waitingChildren',
  delayed: 'delayed',
  failed: 'failed',
  prioritized: 'prioritized',
} as const;

export class JobState {
  state: ServerState = { queues: new Map(), jobs: new Map(), locks: new Map() };

  queue(key: string): QueueKept {
    const known = this.state.queues.get(key);
    if (known) return known;
    const made: QueueKept = {
      ...{ wait: [], active: [], prioritized: new Map(), delayed: new Map() },
      ...{ waitingChildren: new Map(), completed: new Map(), failed: new Map() },
      ...{ stalled: new Set<string>(), priorities: 0, checkedUntilMs: 0, marked: new Map() },
    };
    this.state.queues.set(key, made);
    return made;
  }

  /** Adds a job, or joins one that is there to its parent. Returns its id, or a code. */
  add({ queueKey, id, job, parentKey, isParent, isFlow }: AddedJob): string | number {
    const { state } = this;
    if (parentKey !== undefined && !state.jobs.has(parentKey)) return CODES.noParent;
    const key = `${queueKey}:${id}`;
    if (state.jobs.has(key)) return this.#addAgain(queueKey, id, job, parentKey, isFlow);
    const { opts, timestamp } = job;
    const { delay = 0, priority = 0 } = opts;
    state.jobs.set(key, {
      ...{ name: job.name, data: job.data, opts, timestamp, delay, priority },
      ...{ starts: 0, attempts: 0, stalls: 0, progress: '0' },
      ...(parentKey !== undefined && { parent: job.parent as Parent }),
      ...{ waitsFor: new Set<string>(), processed: new Map(), ignored: new Map() },
    });
    const queue = this.queue(queueKey);
    if (isParent) queue.waitingChildren.set(id, timestamp);
    else if (delay > 0) this.delay(queue, id, timestamp, delay);
    else this.toWait(queue, id, priority, 'last');
    if (parentKey !== undefined) state.jobs.get(parentKey)?.waitsFor.add(key);
    return id;
  }

  #addAgain(queueKey: string, id: string, added: JobJson, parentKey?: string, isFlow?: boolean) {
    const key = `${queueKey}:${id}`;
    const job = this.state.jobs.get(key)!;
    const known = keyOf(job.parent);
    const parent = parentKey === undefined ? undefined : this.state.jobs.get(parentKey);
    if (known !== undefined && known !== parentKey && this.state.jobs.has(known)) {
      if (!parent) return id;
      if (isFlow) parent.isTorn = true;
      return OTHER_PARENT;
    }
    if (!parent || parentKey === undefined) return id;
    if (this.queue(queueKey).completed.has(id)) {
      parent.processed.set(key, job.returnvalue ?? '');
      if (!isFlow) this.release(parentKey, added.timestamp);
    } else parent.waitsFor.add(key);
    job.parent = added.parent as Parent;
    return id;
  }

  /** Lets parents go that a flow has left without children to wait for. */
  endFlow(parentKeys: Iterable<string>, nowMs: number): void {
    for (const key of parentKeys) {
      const parent = this.state.jobs.get(key);
      if (parent?.isTorn) delete parent.isTorn;
      else this.release(key, nowMs);
    }
  }

  protected release(parentKey: string, nowMs: number): void {
    const parent = this.state.jobs.get(parentKey);
    if (!parent || parent.waitsFor.size > 0) return;
    const [queue, id] = this.#placeOf(parentKey);
    if (!queue.waitingChildren.delete(id)) return;
    if (parent.delay > 0) {
      queue.delayed.set(id, (nowMs + parent.delay) * SCORES_A_MS);
      this.markDelayed(queue);
    } else this.toWait(queue, id, parent.priority, 'next');
  }

  protected toWait(queue: QueueKept, id: string, priority: number, place: 'next' | 'last'): void {
    if (priority > 0) {
      queue.priorities++;
      const order = queue.priorities % SCORES_A_PRIORITY;
      queue.prioritized.set(id, priority * SCORES_A_PRIORITY + order);
    } else if (place === 'next') queue.wait.push(id);
    else queue.wait.unshift(id);
    queue.marked.set('0', 0);
  }

  protected delay(queue: QueueKept, id: string, timestamp: number, delay: number): void {
    const from = (delay > 0 ? timestamp + delay : timestamp) * SCORES_A_MS;
    const to = from + SCORES_A_MS - 1;
    const scores = [...queue.delayed.values()].filter((score) => score >= from && score <= to);
    queue.delayed.set(id, scores.length === 0 ? from : Math.min(to, Math.max(...scores) + 1));
    this.markDelayed(queue);
  }

  protected markDelayed(queue: QueueKept): void {
    const next = nextDelayed(queue);
    if (next > 0) queue.marked.set('1', next);
  }

  protected lockOf(key: string, nowMs: number) {
    const lock = this.state.locks.get(key);
    return lock && lock.untilMs > nowMs ? lock : undefined;
  }

  /** Takes a job out of those that its parent waits for. Returns true if it was one. */
  protected leaveParent(key: string, parentKey = keyOf(this.state.jobs.get(key)?.parent)): boolean {
    const parent = parentKey === undefined ? undefined : this.state.jobs.get(parentKey);
    if (!parent || parentKey === undefined || !parent.waitsFor.delete(key)) return false;
    const [queue, id] = this.#placeOf(parentKey);
    if (parent.waitsFor.size === 0 && queue.waitingChildren.delete(id)) {
      this.toWait(queue, id, 0, 'next');
    }
    return true;
  }

  #placeOf(key: string): [QueueKept, string] {
    const at = key.lastIndexOf(':');
    return [this.queue(key.slice(0, at)), key.slice(at + 1)];
  }

  /** Removes a job that no worker has. Returns false if one has it. */
  remove(key: string, nowMs: number): boolean {
    if (this.lockOf(key, nowMs)) return false;
    this.#removeAnywhere(key);
    return true;
  }

  /** Removes the children that no worker has or has failed. */
  removeUnprocessed(key: string, nowMs: number): void {
    for (const child of [...(this.state.jobs.get(key)?.waitsFor ?? [])]) {
      const [queue, id] = this.#placeOf(child);
      if (!this.lockOf(child, nowMs) && !queue.failed.has(id)) this.#removeAnywhere(child);
    }
  }

  #removeAnywhere(key: string): void {
    this.leaveParent(key);
    const [queue, id] = this.#placeOf(key);
    const isRemoved = Object.values(SETS).some((set) => queue[set].delete(id));
    if (!isRemoved && !leave(queue.wait, id, 'first')) leave(queue.active, id, 'first');
    this.state.jobs.delete(key);
  }

  removeDependency(key: string, parentKey: string): number {
    const job = this.state.jobs.get(key);
    if (!job) return CODES.noJob;
    if (!this.state.jobs.has(parentKey)) return CODES.noParent;
    if (!this.leaveParent(key, parentKey)) return 1;
    delete job.parent;
    return 0;
  }

  promote(queueKey: string, id: string): number {
    const queue = this.queue(queueKey);
    if (!queue.delayed.delete(id)) return CODES.notThere;
    const job = this.state.jobs.get(`${queueKey}:${id}`)!;
    this.toWait(queue, id, job.priority, 'last');
    job.delay = 0;
    return 0;
  }

  /** Lets a job that has ended wait again. */
  retry(queueKey: string, id: string, from: 'completed' | 'failed'): number {
    const key = `${queueKey}:${id}`;
    const job = this.state.jobs.get(key);
    if (!job) return CODES.noJob;
    const queue = this.queue(queueKey);
    if (!queue[from].delete(id)) return CODES.notThere;
    delete job.finishedOn;
    delete job.processedOn;
    delete job[from === 'failed' ? 'failedReason' : 'returnvalue'];
    this.toWait(queue, id, job.priority, 'last');
    const parent = this.state.jobs.get(keyOf(job.parent) ?? '');
    const told = from === 'failed' ? parent?.ignored : parent?.processed;
    if (told?.delete(key)) parent?.waitsFor.add(key);
    return 1;
  }

  /** Returns where a job is, as BullMQ names it. */
  placeOf(queueKey: string, id: string): JobPlace | 'unknown' {
    const queue = this.queue(queueKey);
    for (const [name, set] of Object.entries(SETS)) {
      if (name !== 'waiting-children' && queue[set].has(id)) return name as JobPlace;
    }
    if (queue.active.includes(id)) return 'active';
    if (queue.wait.includes(id)) return 'waiting';
    return queue.waitingChildren.has(id) ? 'waiting-children' : 'unknown';
  }

  /** Returns the ids of a state: those of lists from their first on, others newest first. */
  ids(queueKey: string, state: string): string[] {
    const queue = this.queue(queueKey);
    if (state === 'wait' || state === 'waiting') return [...queue.wait];
    if (state === 'active') return [...queue.active];
    const set = SETS[state as keyof typeof SETS];
    return set ? inOrder(queue[set]).reverse() : [];
  }

  countOfPriority(queueKey: string, priority: number): number {
    const from = priority * SCORES_A_PRIORITY;
    const scores = [...this.queue(queueKey).prioritized.values()];
    return scores.filter((score) => score >= from && score < from + SCORES_A_PRIORITY).length;
  }

  /** Returns a job as a backend gives it to BullMQ. */
  json(queueKey: string, id: string): JobJson | undefined {
    const job = this.state.jobs.get(`${queueKey}:${id}`);
    if (!job) return undefined;
    const { starts, attempts, stalls, progress, waitsFor, processed, ignored, isTorn, ...fields } =
      job;
    return {
      ...fields,
      ...{ progress: JSON.parse(progress), attemptsStarted: starts, attemptsMade: attempts },
      ...{ stalledCounter: stalls, parentKey: keyOf(job.parent) },
    } as unknown as JobJson;
  }
}

export function keyOf(parent: Parent | undefined): string | undefined {
  return parent && `${parent.queueKey}:${parent.id}`;
}

/** Returns the ids of a set in the order of their scores, as Redis sorts them. */
export function inOrder(set: Scored): string[] {
  const sorted = [...set].sort(([a, x], [b, y]) => x - y || (a < b ? -1 : 1));
  return sorted.map(([id]) => id);
}

/** Returns the time of the next delayed job; 0: none. */
export function nextDelayed({ delayed }: QueueKept): number {
  return delayed.size === 0 ? 0 : Math.min(...delayed.values()) / SCORES_A_MS;
}

/** Takes an id out of a list. Returns false if it was not there. */
export function leave(list: string[], id: string, side: 'first' | 'last'): boolean {
  const at = side === 'first' ? list.indexOf(id) : list.lastIndexOf(id);
  if (at >= 0) list.splice(at, 1);
  return at >= 0;
}
