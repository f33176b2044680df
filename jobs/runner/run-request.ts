import { modePaths } from '../../src/base/config/data-dir.ts';
import { RunLostError } from '../../src/base/errors.ts';
import { latestCompletedSession } from '../../src/base/time/calendar.ts';
import { wallMs } from '../../src/base/world/clock.ts';
import { requireSettings } from '../../src/ingest/sources/settings.ts';
import type { Runner, RunOutcome, WaitOptions } from '../contract/runner.ts';
import { openRunner } from './open-runner.ts';
import {
  type BackfillRequest,
  backfillId,
  isLocal,
  type RunRequestDeps,
  requestedRun,
} from './request.ts';

/**
 * Runs a request to its outcome.
 *
 * @throws {ConfigError} the source lacks a setting; nothing is queued.
 * @throws as `fetchRun`; and the signal's reason.
 */
export async function backfillRequest(
  request: BackfillRequest,
  deps: RunRequestDeps,
): Promise<RunOutcome> {
  const { settings } = deps;
  requireSettings(request.source, request.options, settings);
  await using runner = await openRunner(settings);
  return await runRequest(runner, request, deps);
}

/**
 * Continues the unfinished run of the same request, else creates one. If a session was completed
 * since the unfinished run was created, a second run fetches it.
 *
 * @throws as `backfillRequest`.
 */
export async function runRequest(
  runner: Runner,
  request: BackfillRequest,
  { settings, clock = wallMs, ...wait }: RunRequestDeps,
): Promise<RunOutcome> {
  const id = backfillId(request);
  const ended = () => acceptedOutcome(runner, request, id, wait);
  const isUnfinished = await runner.isUnfinished(id);
  // The data of a held load is staged: it is loaded now.
  const isRetried = request.accept && (await runner.retry([id], request)).length > 0;
  if (isUnfinished || isRetried) {
    const outcome = await unlessLost(ended());
    // A local run reads its whole input whenever it continues.
    if (outcome && ('failure' in outcome || isLocal(request))) return outcome;
    const createdDay = outcome && latestCompletedSession(outcome.report.plannedMs);
    if (outcome && createdDay === latestCompletedSession(clock())) return outcome;
  }
  const verb = `backfill ${request.source}`;
  const paths = modePaths(settings.dataDir, request.mode);
  const how = { verb, priority: 'backfill', nowMs: clock() } as const;
  const run = await requestedRun(request, { paths, ...how, ...wait });
  await runner.enqueue(run);
  return ended();
}

/** Waits for a run. Another process may have created it without `accept`, and then it is held. */
async function acceptedOutcome(
  runner: Runner,
  request: BackfillRequest,
  id: string,
  wait: WaitOptions,
): Promise<RunOutcome> {
  const outcome = await runner.finished(id, wait);
  const isHeld = 'failure' in outcome && outcome.failure.kind === 'doubtful';
  const isRetried = request.accept && isHeld && (await runner.retry([id], request)).length > 0;
  return isRetried ? runner.finished(id, wait) : outcome;
}

/** Returns undefined if Redis lost the run: the caller creates it again. */
async function unlessLost(outcome: Promise<RunOutcome>): Promise<RunOutcome | undefined> {
  try {
    return await outcome;
  } catch (error) {
    if (error instanceof RunLostError) return undefined;
    throw error;
  }
}
