import { modePaths } from '../../src/base/config/data-dir.ts';
import { RunLostError } from '../../src/base/errors.ts';
import { latestCompletedSession } from '../../src/base/time/calendar.ts';
import { requireSettings } from '../../src/ingest/sources/settings.ts';
import type { Runner, RunOutcome } from '../contract/runner.ts';
import { openRunner } from './open-runner.ts';
import {
  type BackfillRequest,
  backfillId,
  isLocal,
  type RunRequestDeps,
  requestedRun,
} from './request.ts';

/**
 * Runs a request to its outcome: a local one in this process if there is no Redis, others by the
 * runner.
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
  if (settings.redisUrl === undefined && isLocal(request)) {
    const { loadHere } = await import('./load-here.ts');
    return loadHere(request, deps);
  }
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
  { settings, clock = Date.now, ...wait }: RunRequestDeps,
): Promise<RunOutcome> {
  const id = backfillId(request);
  const isUnfinished = await runner.isUnfinished(id);
  // The data of a held load is staged: it is loaded now.
  const isRetried = request.accept && (await runner.retry([id], request)).length > 0;
  if (isUnfinished || isRetried) {
    let outcome = await unlessLost(runner.finished(id, wait));
    // The run was created without `accept`.
    const isHeld = outcome && 'failure' in outcome && outcome.failure.kind === 'doubtful';
    if (request.accept && isHeld && (await runner.retry([id], request)).length > 0) {
      outcome = await unlessLost(runner.finished(id, wait));
    }
    if (outcome && 'failure' in outcome) return outcome;
    const createdDay = outcome && latestCompletedSession(outcome.report.plannedMs);
    if (outcome && createdDay === latestCompletedSession(clock())) return outcome;
  }
  const verb = `backfill ${request.source}`;
  const paths = modePaths(settings.dataDir, request.mode);
  const how = { verb, priority: 'backfill', nowMs: clock() } as const;
  const run = await requestedRun(request, { paths, ...how, ...wait });
  await runner.enqueue(run);
  return runner.finished(run.id, wait);
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
