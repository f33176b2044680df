/** The runner on Redis, as those who add plans and wait for them see it; workers do the work. */

import { setTimeout as delay } from 'node:timers/promises';
import type { Job } from 'bullmq';
import type { Settings } from '../../src/config.ts';
import { workPaths } from '../../src/data-dir.ts';
import { QueueUnavailableError } from '../../src/errors.ts';
import { sliceTitle } from '../../src/ingest/slices.ts';
import { limits } from '../../src/limits.ts';
import type { PlanReport } from '../processors/load-and-publish.ts';
import { readShared, removeLandings, writeShared } from '../runner/landings.ts';
import { childFromId, type Plan, type PlanHead, retryPlan } from '../runner/plan.ts';
import type { JobRecord, JobState, PlanOutcome, Runner, WaitOptions } from '../runner/runner.ts';
import { optionsFromSlice } from '../runner/slice.ts';
import { addPlan, isBeingAdded } from './add-plan.ts';
import { connectRedis, unreachable, withoutPassword } from './connection.ts';
import {
  failureFromText,
  GATE,
  openQueues,
  QUEUE_STATES,
  type QueuedFetch,
  type QueuedLoad,
  type Queues,
  queueOf,
  type Retried,
} from './queues.ts';

/** @throws {QueueUnavailableError} Redis does not answer. */
export async function openRedisRunner(settings: Settings, url: string): Promise<RedisRunner> {
  const redis = await connectRedis(url);
  redis.disconnect();
  return new RedisRunner(settings, url);
}

export class RedisRunner implements Runner {
  readonly #settings: Settings;
  readonly #url: string;
  readonly #queues: Queues;

  constructor(settings: Settings, url: string) {
    this.#settings = settings;
    this.#url = url;
    this.#queues = openQueues(url);
  }

  async enqueue(plan: Plan): Promise<boolean> {
    return this.#failFast(async () => {
      const known = await this.#queues[queueOf(plan)].getJob(plan.id);
      const state = known && (await known.getState());
      if (known && state !== 'completed' && state !== 'failed') {
        const { createdMs, childCount } = known.data;
        // Its producer may have died halfway: the same children are added once.
        if (await isBeingAdded(this.#queues, known.data)) {
          const children = plan.children.slice(0, childCount);
          const missing = { ...plan, createdMs, childCount: children.length, children };
          await addPlan(this.#url, this.#queues, missing);
        }
        return false;
      }
      if (known && plan.tick !== undefined) return false;
      await known?.remove({ removeChildren: false });
      const paths = this.#paths(plan);
      // What an earlier run landed is not what is asked for now.
      await removeLandings(paths, plan.id);
      await writeShared(paths, plan.id, plan.shared);
      await addPlan(this.#url, this.#queues, plan);
      return true;
    });
  }

  async isUnfinished(planId: string): Promise<boolean> {
    return this.#failFast(async () => {
      const job = await this.#jobOf(planId);
      // What was not added whole has to be added again.
      if (!job || (await isBeingAdded(this.#queues, job.data))) return false;
      return !['completed', 'failed', 'unknown'].includes(await job.getState());
    });
  }

  async finished(planId: string, options: WaitOptions): Promise<PlanOutcome> {
    const { signal, onWaiting } = options;
    for (;;) {
      signal?.throwIfAborted();
      try {
        const outcome = await this.#outcomeSoFar(planId, options);
        if (outcome) return outcome;
      } catch (error) {
        if (error instanceof QueueUnavailableError) throw error;
        // It is back soon, or somebody looks after it: workers wait too.
        onWaiting?.(`Redis at ${withoutPassword(this.#url)}`);
      }
      await delay(limits.redis.pollMs, undefined, { signal });
    }
  }

  async list(state?: JobState): Promise<JobRecord[]> {
    const states = state ? [state] : (Object.keys(QUEUE_STATES) as JobState[]);
    const { listedMax } = limits.jobs;
    const found = await Promise.all(
      states.map(async (one) => {
        const { fetch, load, maintenance } = this.#queues;
        const names = [...QUEUE_STATES[one]];
        const records: JobRecord[] = [];
        for (const queue of [load, maintenance]) {
          const jobs = (await queue.getJobs(names, 0, listedMax - 1)) as Job<QueuedLoad>[];
          records.push(...jobs.map((job) => loadRecord(job, one)));
        }
        for (const job of (await fetch.getJobs(names, 0, listedMax - 1)) as Job<QueuedFetch>[]) {
          if (job.name !== GATE) records.push(fetchRecord(job, one));
        }
        return records;
      }),
    );
    return found.flat().slice(0, listedMax);
  }

  async retry(ids: readonly string[] | 'all', { accept = false } = {}): Promise<string[]> {
    const isAsked = ({ id }: Job) => ids === 'all' || ids.includes(id ?? '');
    const { fetch, load, maintenance } = this.#queues;
    const started: string[] = [];
    const loads = [...(await load.getFailed()), ...(await maintenance.getFailed())];
    for (const job of (loads as Job<QueuedLoad>[]).filter(isAsked)) {
      await job.updateData({ ...job.data, failed: undefined, accept });
      await job.retry();
      started.push(job.data.id);
    }
    const dead = ((await fetch.getFailed()) as Job<QueuedFetch>[]).filter(isAsked);
    for (const [planId, jobs] of Map.groupBy(dead, ({ id }) => childFromId(id ?? '').plan)) {
      const planned = (await load.getJob(planId)) as Job<QueuedLoad> | undefined;
      // A plan that still runs reports them itself.
      if (planned && !(await planned.isCompleted())) continue;
      const head = planned?.data ?? headOfChild(jobs[0]);
      const plan = { ...(await this.#retried(head, jobs)), accept };
      await this.enqueue(plan);
      for (const job of jobs) await job.remove();
      started.push(plan.id);
    }
    return started;
  }

  /** Workers go on with what others have left. */
  async resume(): Promise<number> {
    return 0;
  }

  async close(): Promise<void> {
    await this.#queues.close();
  }

  async #retried(head: PlanHead, jobs: readonly Job<QueuedFetch>[]): Promise<Plan> {
    const shared = await readShared(this.#paths(head), head.id);
    const indexOf = ({ id }: Job) => childFromId(id ?? '').index;
    const inOrder = jobs.toSorted((a, b) => indexOf(a) - indexOf(b));
    const children = inOrder.map(({ data }) => ({ title: titleOf(data), slice: data.slice }));
    return retryPlan(head, children, shared, Date.now());
  }

  /** @returns undefined while the plan is not done. */
  async #outcomeSoFar(planId: string, options: WaitOptions): Promise<PlanOutcome | undefined> {
    const job = await this.#jobOf(planId);
    if (!job) throw new QueueUnavailableError(`Redis does not know the plan ${planId} any more`);
    const state = await job.getState();
    if (state === 'completed') return { report: job.returnvalue };
    if (state === 'failed') return { failure: failureFromText(job.failedReason) };
    if (state === 'waiting-children') {
      const { childCount } = job.data;
      const { processed = 0, ignored = 0 } = await job.getDependenciesCount();
      options.onProgress?.('fetch', Math.min(processed + ignored, childCount), childCount);
    } else {
      const { step, done, total } = job.progress as {
        step?: string;
        done?: number;
        total?: number;
      };
      if (step !== undefined) options.onProgress?.(step, done ?? 0, total ?? 0);
    }
    const queue = this.#queues[state === 'waiting-children' ? 'fetch' : queueOf(job.data)];
    if (state !== 'active' && (await queue.getWorkersCount()) === 0) {
      options.onWaiting?.(
        `a worker: none takes jobs to ${queue.name} (start one: tapeworks worker)`,
      );
    }
    return undefined;
  }

  /** The job that follows a plan's children. */
  async #jobOf(planId: string): Promise<Job<QueuedLoad, PlanReport> | undefined> {
    const { load, maintenance } = this.#queues;
    const job = (await load.getJob(planId)) ?? (await maintenance.getJob(planId));
    return job as Job<QueuedLoad, PlanReport> | undefined;
  }

  async #failFast<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const isAway = /Connection is closed|ECONN|ETIMEDOUT|max retries/i.test(String(error));
      throw isAway ? unreachable(this.#url, error) : error;
    }
  }

  #paths({ mode }: Pick<PlanHead, 'mode'>) {
    return workPaths(this.#settings, mode);
  }
}

function titleOf({ slice }: QueuedFetch): string {
  return sliceTitle(optionsFromSlice(slice));
}

function fetchRecord(job: Job<QueuedFetch>, state: JobState): JobRecord {
  const told = { mode: job.data.mode, verb: `backfill ${job.name}`, title: titleOf(job.data) };
  return { id: job.id ?? '', queue: 'fetch', state, ...told, ...failuresOf(job) };
}

function loadRecord(job: Job<QueuedLoad>, state: JobState): JobRecord {
  const { mode, verb, task } = job.data;
  const told = { mode, verb, title: task ?? 'load and publish' };
  return { id: job.id ?? '', queue: queueOf(job.data), state, ...told, ...failuresOf(job) };
}

function failuresOf({ data, failedReason }: Job<Retried>) {
  const text = data.failed?.text ?? failedReason;
  const { kind = null, reason = null } = text ? failureFromText(text) : {};
  return { failures: data.failed?.tries ?? 0, kind, reason };
}

/** Of a plan that Redis has forgotten. */
function headOfChild({ id, name: source, data: { mode } }: Job<QueuedFetch>): PlanHead {
  const { plan } = childFromId(id ?? '');
  const verb = `backfill ${source}`;
  return { id: plan, mode, source, verb, priority: 'backfill', createdMs: 0, childCount: 0 };
}
