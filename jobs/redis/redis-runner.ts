/** The runner on Redis: commands add runs and wait, workers do the work. */

import { isDeepStrictEqual } from 'node:util';
import type { Job } from 'bullmq';
import type { Settings } from '../../src/base/config/config.ts';
import { workPaths } from '../../src/base/config/data-dir.ts';
import { RunLostError } from '../../src/base/errors.ts';
import { limits } from '../../src/base/limits.ts';
import { withoutPassword } from '../../src/base/redis/redis-address.ts';
import { delay } from '../../src/base/world/clock.ts';
import type { RunReport } from '../contract/reports.ts';
import type { Accept, Run, RunHead } from '../contract/run.ts';
import type { Runner, RunOutcome, WaitOptions } from '../contract/runner.ts';
import { type Stage, withStage } from '../contract/stage.ts';
import { readRun, readShared, removeEarlier, writeRun, writeShared } from '../contract/staging.ts';
import { reopenBackfills } from '../ledger/reopen-backfills.ts';
import { addRun, isBeingAdded, releaseFailed } from './add-run.ts';
import { connectRedis, isAway, isOfDriver, unreachable } from './connection.ts';
import { failedTasks, isChanged, requeueLoads, retriedRun } from './failed-jobs.ts';
import { checkLoad, isKnown } from './payloads.ts';
import { failureFromText, openQueues, type QueuedLoad, type Queues, queueOf } from './queues.ts';

/** Opens the runner. @throws {QueueUnavailableError} Redis does not reply. */
export async function openRedisRunner(settings: Settings, url: string): Promise<RedisRunner> {
  const redis = await connectRedis(url);
  redis.disconnect();
  return new RedisRunner(settings, url);
}

export class RedisRunner implements Runner {
  readonly #settings: Settings;
  readonly #url: string;
  readonly #queues: Queues;
  /** Runs that this process added; it adds them again if Redis loses them. */
  readonly #added = new Map<string, Run>();

  constructor(settings: Settings, url: string) {
    this.#settings = settings;
    this.#url = url;
    this.#queues = openQueues(url);
  }

  async enqueue(run: Run): Promise<boolean> {
    return this.#failFast(async () => {
      const known = await this.#queues[queueOf(run)].getJob(run.id);
      const state = known && (await known.getState());
      if (known && state !== 'completed' && state !== 'failed') {
        checkLoad(known);
        const { createdMs, childCount } = known.data;
        // The process that added it may have died halfway. A task that is added twice is there
        // once.
        if (await isBeingAdded(this.#queues, known.data)) {
          const tasks = run.tasks.slice(0, childCount);
          const whole = { ...run, createdMs, childCount: tasks.length, tasks };
          await this.#addRun(whole, true);
        } else if (state === 'waiting-children') await releaseFailed(this.#queues, run);
        return false;
      }
      if (known && run.tick !== undefined) return false;
      const { createdMs, isAgain, earlierMs } = await this.#begun(run, known?.data?.createdMs);
      const begun = { ...run, createdMs };
      // Noted first: the job that is removed then says when the earlier run began.
      if (!isAgain) {
        await this.#withStage(run, async (stage) => {
          await writeShared(stage, run.id, run.shared);
          await writeRun(stage, begun);
        });
      }
      // Another command may have retried the earlier run meanwhile: then this one joins it.
      if (known && !(await isRemoved(known))) return this.enqueue(run);
      if (!isAgain) {
        // The staged results of an earlier run are out of date.
        await this.#withStage(run, (stage) => removeEarlier(stage, begun, earlierMs));
      }
      await this.#addRun(begun, isAgain);
      return true;
    });
  }

  async #addRun(run: Run, isAgain: boolean): Promise<void> {
    await addRun(this.#url, this.#queues, run, { isAgain });
    this.#added.set(run.id, run);
  }

  /**
   * Returns the creation time that a run gets. An unpublished run that Redis lost, and whose staged
   * results can be used, keeps its own. Others begin after the earlier run of the id: its tasks are
   * done or failed, and those of the same time would have their names.
   *
   * @param knownMs Creation time of the run that Redis has.
   */
  async #begun(
    run: Run,
    knownMs = Number.NEGATIVE_INFINITY,
  ): Promise<{ createdMs: number; isAgain: boolean; earlierMs: number }> {
    const staged = await this.#withStage(run, (stage) => readRun(stage, run.id));
    const isLost = staged && !staged.isPublished && knownMs < staged.createdMs;
    if (isLost && isDeepStrictEqual(staged.children, run.tasks)) {
      return { createdMs: staged.createdMs, isAgain: true, earlierMs: knownMs };
    }
    const earlierMs = Math.max(knownMs, staged?.createdMs ?? knownMs);
    return { createdMs: Math.max(run.createdMs, earlierMs + 1), isAgain: false, earlierMs };
  }

  async isUnfinished(runId: string): Promise<boolean> {
    return this.#failFast(async () => {
      const job = await this.#jobOf(runId);
      // A run that was added in part has to be added again.
      if (!isKnown(job, checkLoad) || (await isBeingAdded(this.#queues, job.data))) return false;
      return !['completed', 'failed', 'unknown'].includes(await job.getState());
    });
  }

  async finished(runId: string, options: WaitOptions): Promise<RunOutcome> {
    const { signal, onWaiting } = options;
    for (;;) {
      signal?.throwIfAborted();
      try {
        const outcome = await this.#outcomeSoFar(runId, options);
        if (outcome) {
          this.#added.delete(runId);
          return outcome;
        }
      } catch (error) {
        if (error instanceof RunLostError) throw error;
        // Redis is expected back: workers wait too.
        onWaiting?.(`Redis at ${withoutPassword(this.#url)}`);
      }
      await delay(limits.redis.pollMs, undefined, { signal });
    }
  }

  async retry(
    ids: readonly string[] | 'all',
    { accept = false }: { accept?: Accept } = {},
  ): Promise<string[]> {
    return this.#failFast(async () => {
      const runs: RunHead[] = await requeueLoads(this.#queues, ids, accept);
      for (const { runId, jobs, head } of await failedTasks(this.#queues, ids)) {
        const shared = await this.#withStage(head, (stage) => readShared(stage, runId));
        const run = { ...retriedRun(head, jobs, shared), accept };
        await this.enqueue(run);
        // A job that fails at this moment stays in the list.
        for (const job of jobs) await job.remove().catch(() => undefined);
        runs.push(run);
      }
      await reopenBackfills(this.#settings, runs);
      return runs.map(({ id }) => id);
    }, isOfDriver);
  }

  async cancel(runId: string): Promise<void> {
    return this.#failFast(async () => {
      const job = await this.#jobOf(runId);
      if (!isKnown(job, checkLoad)) return;
      if (['active', 'completed', 'failed'].includes(await job.getState())) return;
      const data = { ...job.data, isCancelled: true as const };
      if (await isChanged(() => job.updateData(data))) await job.removeUnprocessedChildren();
    });
  }

  async resume(): Promise<number> {
    return 0;
  }

  async close(): Promise<void> {
    await this.#queues.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #outcomeSoFar(runId: string, options: WaitOptions): Promise<RunOutcome | undefined> {
    const job = await this.#jobOf(runId);
    if (await this.#isLost(runId, job)) {
      const ours = this.#added.get(runId);
      if (!ours) {
        throw new RunLostError(
          `Redis lost the run ${runId} (was it killed, or did it fail over?): run the same ` +
            'command again; it continues with the fetched data',
        );
      }
      options.onWaiting?.('Redis: it lost jobs of the run, which are added again');
      await this.enqueue(ours);
      return undefined;
    }
    if (!job) return undefined;
    const state = await job.getState();
    if (state === 'completed' || state === 'failed') {
      // The job may have ended after it was read.
      const ended = (await this.#jobOf(runId)) ?? job;
      if (state === 'completed') return { report: ended.returnvalue };
      return { failure: failureFromText(ended.failedReason) };
    }
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

  /** Returns true if Redis lost the run, or jobs of it that this process added. */
  async #isLost(runId: string, job: Job<QueuedLoad> | undefined): Promise<boolean> {
    if (!job) return true;
    // A worker will fail it.
    if (!isKnown(job, checkLoad)) return false;
    const ours = this.#added.get(runId);
    if (!ours) return false;
    // A run of the same tick is this one, although another process has added it earlier.
    if (ours.tick === undefined && job.data.createdMs < ours.createdMs) return true;
    return ours.childCount > limits.jobs.addedAtOnce && isBeingAdded(this.#queues, job.data);
  }

  async #jobOf(runId: string): Promise<Job<QueuedLoad, RunReport> | undefined> {
    const { load, maintenance } = this.#queues;
    const job = (await load.getJob(runId)) ?? (await maintenance.getJob(runId));
    return job as Job<QueuedLoad, RunReport> | undefined;
  }

  /** @param isLost Tells failures of Redis from those of the other services that the work asks. */
  async #failFast<T>(work: () => Promise<T>, isLost = isAway): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw isLost(error) ? unreachable(this.#url, error) : error;
    }
  }

  #withStage<T>({ mode }: Pick<RunHead, 'mode'>, work: (stage: Stage) => Promise<T>): Promise<T> {
    return withStage(workPaths(this.#settings, mode), this.#settings, work);
  }
}

/** Removes the job of a run that has ended. @returns false if a worker has it again. */
async function isRemoved(job: Job): Promise<boolean> {
  try {
    await job.remove({ removeChildren: false });
    return true;
  } catch (error) {
    const state = await job.getState();
    if (state === 'completed' || state === 'failed') throw error;
    return false;
  }
}
