/** Scripts of BullMQ for workers, in plain code: they take, lock, end, delay and requeue jobs. */

import type { JobJson } from 'bullmq';
import { CODES, inOrder, JobState, keyOf, leave, nextDelayed, SCORES_A_MS } from './job-state.ts';
import type { Kept, QueueKept, Scored } from './job-types.ts';

const OTHER_LOCK = -6;

/** Delayed jobs that one call moves. */
const PROMOTED_MAX = 1000;

/** Next job, its id, an empty limit of rates, and the time of the next delayed job. */
export type NextJob = [JobJson | null, string | 0, 0, number];

export interface Taken {
  token: string;
  lockMs: number;
  /** Time of the client. */
  timestamp: number;
  /** Time of the server. */
  nowMs: number;
}

export interface Ended extends Taken {
  isCompleted: boolean;
  /** Value, or reason of the failure. */
  text: string;
  keep: { age?: number; count?: number };
  takesNext: boolean;
}

interface StallOptions {
  /** Times that a job may stall. */
  most: number;
  everyMs: number;
  nowMs: number;
}

export class JobServer extends JobState {
  /** Takes the marker that comes first. */
  takeMarker(queueKey: string): { member: string; score: number } | undefined {
    const { marked } = this.queue(queueKey);
    const [member] = inOrder(marked);
    if (member === undefined) return undefined;
    const score = marked.get(member)!;
    marked.delete(member);
    return { member, score: Math.trunc(score) };
  }

  /** Gives the next job and locks it. */
  take(queueKey: string, taken: Taken): NextJob {
    const queue = this.queue(queueKey);
    this.#promoteDue(queueKey, queue, taken.timestamp);
    const id = queue.wait.pop() ?? this.#popPrioritized(queue);
    if (id === undefined) return [null, 0, 0, nextDelayed(queue)];
    queue.active.unshift(id);
    const key = `${queueKey}:${id}`;
    this.state.locks.set(key, { token: taken.token, untilMs: taken.nowMs + taken.lockMs });
    const job = this.state.jobs.get(key)!;
    job.processedOn = taken.timestamp;
    job.starts++;
    queue.marked.set('0', 0);
    return [this.json(queueKey, id)!, id, 0, 0];
  }

  #popPrioritized(queue: QueueKept): string | undefined {
    const [id] = inOrder(queue.prioritized);
    if (id === undefined) queue.priorities = 0;
    else queue.prioritized.delete(id);
    return id;
  }

  #promoteDue(queueKey: string, queue: QueueKept, timestamp: number): void {
    const lastScore = (timestamp + 1) * SCORES_A_MS - 1;
    const due = inOrder(queue.delayed).filter((id) => queue.delayed.get(id)! <= lastScore);
    for (const id of due.slice(0, PROMOTED_MAX)) {
      queue.delayed.delete(id);
      const job = this.state.jobs.get(`${queueKey}:${id}`)!;
      this.toWait(queue, id, job.priority, 'last');
      job.delay = 0;
    }
  }

  /** Removes a lock; returns a code if the token is not its own. */
  #unlock(queueKey: string, id: string, token: string, nowMs: number): number {
    const key = `${queueKey}:${id}`;
    const lock = this.lockOf(key, nowMs);
    if (lock?.token !== token) return lock ? OTHER_LOCK : CODES.noLock;
    this.state.locks.delete(key);
    this.queue(queueKey).stalled.delete(id);
    return 0;
  }

  /** Ends a job, tells its parent, and perhaps takes the next one. */
  end(queueKey: string, id: string, ended: Ended): NextJob | number {
    const key = `${queueKey}:${id}`;
    const job = this.state.jobs.get(key);
    if (!job) return CODES.noJob;
    if (ended.isCompleted && job.waitsFor.size > 0) return CODES.pending;
    const code = this.#unlock(queueKey, id, ended.token, ended.nowMs);
    if (code < 0) return code;
    const queue = this.queue(queueKey);
    if (!leave(queue.active, id, 'last')) return CODES.notThere;
    this.#tellParent(key, job, ended);
    job.attempts++;
    const target = ended.isCompleted ? 'completed' : 'failed';
    queue[target].set(id, ended.timestamp);
    if (ended.isCompleted) job.returnvalue = ended.text;
    else {
      job.failedReason = ended.text;
      delete job.deferredFailure;
    }
    job.finishedOn = ended.timestamp;
    this.#forgetOld(queueKey, queue[target], ended);
    if (!ended.takesNext) return 0;
    const next = this.take(queueKey, ended);
    return next[0] || next[3] > 0 ? next : 0;
  }

  #tellParent(key: string, { parent }: Kept, { isCompleted, text, timestamp }: Ended): void {
    const parentKey = keyOf(parent);
    const told = parentKey === undefined ? undefined : this.state.jobs.get(parentKey);
    if (!told || parentKey === undefined || !(isCompleted || parent?.idof)) return;
    if (!told.waitsFor.delete(key)) return;
    (isCompleted ? told.processed : told.ignored).set(key, text);
    this.release(parentKey, timestamp);
  }

  #forgetOld(queueKey: string, ended: Scored, { keep, timestamp }: Ended): void {
    const newestFirst = inOrder(ended).reverse();
    const untilMs = timestamp - (keep.age ?? Number.POSITIVE_INFINITY) * 1000;
    const old = newestFirst.filter(
      (id, i) => ended.get(id)! <= untilMs || i >= (keep.count ?? Number.POSITIVE_INFINITY),
    );
    for (const id of old) {
      this.leaveParent(`${queueKey}:${id}`);
      ended.delete(id);
      this.state.jobs.delete(`${queueKey}:${id}`);
    }
  }

  /** Delays an active job. */
  delayActive(queueKey: string, id: string, delay: number, taken: Omit<Taken, 'lockMs'>): number {
    const job = this.state.jobs.get(`${queueKey}:${id}`);
    if (!job) return CODES.noJob;
    const code = this.#unlock(queueKey, id, taken.token, taken.nowMs);
    if (code < 0) return code;
    const queue = this.queue(queueKey);
    if (!leave(queue.active, id, 'last')) return CODES.notThere;
    job.delay = delay;
    this.delay(queue, id, taken.timestamp, delay);
    return 0;
  }

  /** Puts active jobs without a lock back, if they had none at the last look. */
  requeueStalled(queueKey: string, { most, everyMs, nowMs }: StallOptions): string[] {
    const queue = this.queue(queueKey);
    if (queue.checkedUntilMs > nowMs) return [];
    queue.checkedUntilMs = nowMs + everyMs;
    const requeued: string[] = [];
    for (const id of queue.stalled) {
      const key = `${queueKey}:${id}`;
      if (this.lockOf(key, nowMs) || !leave(queue.active, id, 'first')) continue;
      const job = this.state.jobs.get(key)!;
      job.stalls++;
      if (job.stalls > most) job.deferredFailure = 'job stalled more than allowable limit';
      this.toWait(queue, id, 0, 'next');
      requeued.push(id);
    }
    queue.stalled = new Set(queue.active);
    return requeued;
  }

  /** Renews locks; returns the jobs whose lock is not there or another's. */
  extend(
    queueKey: string,
    locks: readonly [id: string, token: string][],
    ms: number,
    nowMs: number,
  ) {
    return locks.flatMap(([id, token]) => {
      const key = `${queueKey}:${id}`;
      if (this.lockOf(key, nowMs)?.token !== token) return [id];
      this.state.locks.set(key, { token, untilMs: nowMs + ms });
      this.queue(queueKey).stalled.delete(id);
      return [];
    });
  }

  loseLock(queueKey: string, id: string): void {
    this.state.locks.delete(`${queueKey}:${id}`);
  }
}
