/**
 * The runner without Redis executes runs in this process. Another process can resume them from the
 * ledger if this one is killed.
 */

import type { Settings } from '../../src/base/config/config.ts';
import { jobsPaths, workPaths } from '../../src/base/config/data-dir.ts';
import { assert } from '../../src/base/errors.ts';
import { limits } from '../../src/base/limits.ts';
import { delay, wallMs } from '../../src/base/world/clock.ts';
import type { Accept, Run, RunHead } from '../contract/run.ts';
import type { Runner, RunOutcome, WaitOptions } from '../contract/runner.ts';
import { removeEarlier, removeStaged, writeShared } from '../contract/staging.ts';
import { JobLedger, outcomeOf } from '../ledger/ledger.ts';
import { OwnerLock } from '../ledger/owner-lock.ts';
import { requeueFailed } from '../ledger/requeue.ts';
import { ActiveRuns } from './active-runs.ts';

export interface EmbeddedOptions {
  settings: Settings;
  clock?: () => number;
  /** True in a process that takes over runs without an owner as long as it lives. */
  isKeeper?: boolean;
}

export class EmbeddedRunner implements Runner {
  readonly #settings: Settings;
  readonly #clock: () => number;
  readonly #ledger: JobLedger;
  readonly #owner: OwnerLock;
  readonly #active: ActiveRuns;

  constructor({ settings, clock = wallMs, isKeeper }: EmbeddedOptions) {
    const { ledger, owners } = jobsPaths(settings.dataDir);
    this.#settings = settings;
    this.#clock = clock;
    this.#ledger = new JobLedger(ledger);
    this.#owner = new OwnerLock(owners, { isKeeper });
    this.#active = new ActiveRuns({ settings, ledger: this.#ledger, clock });
  }

  async enqueue(run: Run): Promise<boolean> {
    while (!this.#ledger.claim(run.id, this.#owner.id, (one) => this.#owner.isGone(one))) {
      await delay(limits.jobs.pollMs);
    }
    try {
      return await this.#add(run);
    } finally {
      this.#ledger.release(run.id);
    }
  }

  async #add(run: Run): Promise<boolean> {
    const known = this.#ledger.run(run.id);
    if (known?.state === 'waiting') {
      this.#takeOver(run.id);
      return false;
    }
    if (known && run.tick !== undefined) return false;
    const paths = this.#paths(run);
    // The staged results of an earlier run, which has another time, are out of date.
    const earlierMs = known?.head.createdMs ?? Number.NEGATIVE_INFINITY;
    const begun = { ...run, createdMs: Math.max(run.createdMs, earlierMs + 1) };
    await removeEarlier(paths, begun, earlierMs);
    await writeShared(paths, run.id, run.shared);
    const isAdded = this.#ledger.write(begun, this.#owner.id);
    if (isAdded) this.#active.start(run.id);
    return isAdded;
  }

  async isUnfinished(runId: string): Promise<boolean> {
    return this.#ledger.run(runId)?.state === 'waiting';
  }

  async finished(runId: string, options: WaitOptions): Promise<RunOutcome> {
    for (;;) {
      options.signal?.throwIfAborted();
      const active = this.#active.get(runId);
      if (active) {
        active.waiter = options;
        return untilAborted(active.outcome.promise, options.signal);
      }
      const stored = this.#ledger.run(runId);
      assert(stored, 'a run that is waited for was added');
      const outcome = outcomeOf(stored);
      if (outcome) return outcome;
      if (this.#takeOver(runId)) continue;
      options.onWaiting?.(`another process that runs ${stored.head.verb}`);
      await delay(limits.jobs.pollMs, undefined, { signal: options.signal });
    }
  }

  async retry(
    ids: readonly string[] | 'all',
    { accept = false }: { accept?: Accept } = {},
  ): Promise<string[]> {
    return await requeueFailed(this.#ledger, ids, {
      ...{ settings: this.#settings, owner: this.#owner.id, accept, nowMs: this.#clock() },
      start: (id) => this.#active.start(id),
    });
  }

  async cancel(runId: string): Promise<void> {
    this.#active.cancel(runId);
  }

  async resume(): Promise<number> {
    for (const head of this.#ledger.sweep(this.#clock() - limits.jobs.keptMs)) {
      await removeStaged(this.#paths(head), head);
    }
    return this.#ledger.runs('waiting').filter(({ head }) => this.#takeOver(head.id)).length;
  }

  async close(): Promise<void> {
    await this.#active.stop();
    this.#ledger.close();
    this.#owner.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #paths({ mode }: Pick<RunHead, 'mode'>) {
    return workPaths(this.#settings, mode);
  }

  #takeOver(id: string): boolean {
    const owner = this.#ledger.run(id)?.owner;
    if (owner === undefined || this.#active.get(id) || !this.#owner.isGone(owner)) return false;
    const isOurs = this.#ledger.takeOver(id, owner, this.#owner.id);
    if (isOurs) this.#active.start(id);
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
