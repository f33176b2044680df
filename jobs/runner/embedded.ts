/**
 * The runner without Redis: plans run in this process. The ledger knows what is done, so a plan
 * whose process was killed goes on in another one.
 */

import { setTimeout as delay } from 'node:timers/promises';
import type { Settings } from '../../src/base/config/config.ts';
import { jobsPaths, workPaths } from '../../src/base/config/data-dir.ts';
import { assert } from '../../src/base/errors.ts';
import { limits } from '../../src/base/limits/limits.ts';
import { JobLedger } from './job-ledger.ts';
import { readShared, removeLandings, writeShared } from './landings.ts';
import { withGivenUp } from './listed-jobs.ts';
import { OwnerLock } from './owner-lock.ts';
import { childId, type Plan, type PlanHead, retryPlan } from './plan.ts';
import { PlanRuns } from './plan-runs.ts';
import type { JobRecord, JobState, PlanOutcome, Runner, WaitOptions } from './runner.ts';

export interface EmbeddedOptions {
  settings: Settings;
  clock?: () => number;
}

export class EmbeddedRunner implements Runner {
  readonly #settings: Settings;
  readonly #clock: () => number;
  readonly #ledger: JobLedger;
  readonly #owner: OwnerLock;
  readonly #runs: PlanRuns;

  constructor({ settings, clock = Date.now }: EmbeddedOptions) {
    const { ledger, owners } = jobsPaths(settings.dataDir);
    this.#settings = settings;
    this.#clock = clock;
    this.#ledger = new JobLedger(ledger);
    this.#owner = new OwnerLock(owners);
    this.#runs = new PlanRuns({ settings, ledger: this.#ledger, clock });
  }

  async enqueue(plan: Plan): Promise<boolean> {
    while (!this.#ledger.claim(plan.id, this.#owner.id, (one) => this.#owner.isGone(one))) {
      await delay(limits.jobs.pollMs);
    }
    try {
      return await this.#add(plan);
    } finally {
      this.#ledger.release(plan.id);
    }
  }

  async #add(plan: Plan): Promise<boolean> {
    const known = this.#ledger.plan(plan.id);
    if (known?.state === 'waiting') {
      this.#takeOver(plan.id);
      return false;
    }
    if (known && plan.tick !== undefined) return false;
    const paths = this.#paths(plan);
    // What an earlier run landed is not what is asked for now.
    await removeLandings(paths, plan.id);
    await writeShared(paths, plan.id, plan.shared);
    const isAdded = this.#ledger.write(plan, this.#owner.id);
    if (isAdded) this.#runs.start(plan.id);
    return isAdded;
  }

  async isUnfinished(planId: string): Promise<boolean> {
    return this.#ledger.plan(planId)?.state === 'waiting';
  }

  async finished(planId: string, options: WaitOptions): Promise<PlanOutcome> {
    for (;;) {
      options.signal?.throwIfAborted();
      const running = this.#runs.get(planId);
      if (running) {
        running.told = options;
        return untilAborted(running.outcome.promise, options.signal);
      }
      const stored = this.#ledger.plan(planId);
      assert(stored, 'a plan that is waited for was added');
      const { state, report, kind, reason, head } = stored;
      if (state === 'done' && report) return { report };
      if (state === 'dead') return { failure: { kind: kind ?? 'other', reason: reason ?? '' } };
      if (this.#takeOver(planId)) continue;
      options.onWaiting?.(`another process that runs ${head.verb}`);
      await delay(limits.jobs.pollMs, undefined, { signal: options.signal });
    }
  }

  async list(state?: JobState): Promise<JobRecord[]> {
    const jobs = this.#ledger.list(state, limits.jobs.listedMax);
    return withGivenUp(this.#settings.dataDir, jobs, state);
  }

  async retry(ids: readonly string[] | 'all', { accept = false } = {}): Promise<string[]> {
    const isAsked = (id: string) => ids === 'all' || ids.includes(id);
    const started: string[] = [];
    for (const { head } of this.#ledger.plans('dead')) {
      if (!isAsked(head.id)) continue;
      this.#ledger.reviveLoad(head.id, this.#owner.id, accept);
      this.#runs.start(head.id);
      started.push(head.id);
    }
    for (const { head } of this.#ledger.plans('done')) {
      const dead = this.#ledger
        .children(head.id)
        .filter(({ index, state }) => state === 'dead' && isAsked(childId(head, index)));
      if (dead.length === 0) continue;
      const shared = await readShared(this.#paths(head), head.id);
      const plan = { ...retryPlan(head, dead, shared, this.#clock()), accept };
      await this.enqueue(plan);
      this.#ledger.forgetDead(
        head.id,
        dead.map(({ index }) => index),
      );
      started.push(plan.id);
    }
    return started;
  }

  async resume(): Promise<number> {
    for (const head of this.#ledger.sweep(this.#clock() - limits.jobs.keptMs)) {
      await removeLandings(this.#paths(head), head.id);
    }
    return this.#ledger.plans('waiting').filter(({ head }) => this.#takeOver(head.id)).length;
  }

  /** Stops what runs; it is resumed by whoever comes next. */
  async close(): Promise<void> {
    await this.#runs.stop();
    this.#ledger.close();
    this.#owner.close();
  }

  #paths({ mode }: Pick<PlanHead, 'mode'>) {
    return workPaths(this.#settings, mode);
  }

  /** Runs the plan here if its process is gone. */
  #takeOver(id: string): boolean {
    const owner = this.#ledger.plan(id)?.owner;
    if (owner === undefined || this.#runs.get(id) || !this.#owner.isGone(owner)) return false;
    const isOurs = this.#ledger.takeOver(id, owner, this.#owner.id);
    if (isOurs) this.#runs.start(id);
    return isOurs;
  }
}

function untilAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  const aborted = Promise.withResolvers<T>();
  const abort = () => aborted.reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  return Promise.race([promise, aborted.promise]).finally(() =>
    signal.removeEventListener('abort', abort),
  );
}
