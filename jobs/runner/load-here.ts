/**
 * Loads local input in this process, without tasks. The ledger only records the load, for `jobs
 * list`, for a second process with the same request, and for retries.
 */

import { setTimeout as delay } from 'node:timers/promises';
import { jobsPaths, workPaths } from '../../src/base/config/data-dir.ts';
import { limits } from '../../src/base/limits.ts';
import { failureFrom, retryAfterMs } from '../contract/failure.ts';
import type { Run } from '../contract/run.ts';
import type { RunOutcome, WaitOptions } from '../contract/runner.ts';
import { JobLedger, outcomeOf } from '../ledger/ledger.ts';
import { OwnerLock } from '../ledger/owner-lock.ts';
import { absoluteOptions, type BackfillRequest, localRun, type RunRequestDeps } from './request.ts';

/**
 * Loads a local request and publishes, or waits for the process that loads it already.
 *
 * @throws the signal's reason.
 */
export async function loadHere(
  request: BackfillRequest,
  deps: RunRequestDeps,
): Promise<RunOutcome> {
  const { settings, clock = Date.now } = deps;
  const { ledger: path, owners } = jobsPaths(settings.dataDir);
  const ledger = new JobLedger(path);
  const owner = new OwnerLock(owners);
  const verb = `backfill ${request.source}`;
  const isGone = (other: string) => owner.isGone(other);
  try {
    for (;;) {
      const run = localRun(request, { verb, priority: 'backfill', nowMs: clock() });
      if (ledger.write(run, owner.id, isGone)) return await load(run, request, ledger, deps);
      const outcome = await outcomeElsewhere(run, ledger, isGone, deps);
      // The other process loads without `accept`.
      const isHeld = outcome && 'failure' in outcome && outcome.failure.kind === 'doubtful';
      if (outcome && !(request.accept && isHeld)) return outcome;
    }
  } finally {
    ledger.close();
    owner.close();
  }
}

async function load(
  run: Run,
  request: BackfillRequest,
  ledger: JobLedger,
  { settings, clock = Date.now, ...wait }: RunRequestDeps,
): Promise<RunOutcome> {
  const { loadLocal } = await import('../processors/load.ts');
  const paths = workPaths(settings, run.mode);
  for (let failures = 0; ; ) {
    try {
      const deps = { paths, settings, verb: run.verb, nowMs: clock(), failures, ...wait };
      const report = await loadLocal(run, absoluteOptions(request), deps);
      ledger.runDone(run.id, report, clock());
      return { report };
    } catch (error) {
      wait.signal?.throwIfAborted();
      const failure = failureFrom(error);
      const waitMs = retryAfterMs(failure, ++failures);
      ledger.runFailed(run.id, failure, waitMs === undefined, clock());
      if (waitMs === undefined) return { failure, cause: error };
      await delay(waitMs, undefined, { signal: wait.signal });
    }
  }
}

/** Waits for the other process. @returns undefined if it has died. */
async function outcomeElsewhere(
  { id, verb }: Run,
  ledger: JobLedger,
  isGone: (owner: string) => boolean,
  { onWaiting, signal }: WaitOptions,
): Promise<RunOutcome | undefined> {
  for (;;) {
    const stored = ledger.run(id);
    const outcome = stored && outcomeOf(stored);
    if (!stored || outcome || isGone(stored.owner)) return outcome;
    onWaiting?.(`another process that runs ${verb}`);
    await delay(limits.jobs.pollMs, undefined, { signal });
  }
}
