/** A backfill from the question to its outcome. */

import type { Settings } from '../../src/base/config/config.ts';
import { modePaths } from '../../src/base/config/data-dir.ts';
import { PlanLostError } from '../../src/base/errors.ts';
import { latestCompletedSession } from '../../src/base/time/calendar.ts';
import { requireSettings } from '../../src/ingest/contract/settings.ts';
import { type BackfillQuestion, backfillId } from './backfill-request.ts';
import { planQuestion } from './plan-request.ts';
import type { PlanOutcome, Runner, WaitOptions } from './runner.ts';

export interface RunQuestionDeps extends WaitOptions {
  settings: Settings;
  clock?: () => number;
}

/**
 * Goes on with the plan of the same question that was interrupted, or that another process runs;
 * else plans and runs. Where a session was completed since the interrupted plan was made, what is
 * new is asked for too.
 *
 * @throws {ConfigError} the source lacks a setting; then nothing is queued.
 * @throws as `planBackfill`; and the signal's reason.
 */
export async function runQuestion(
  runner: Runner,
  question: BackfillQuestion,
  { settings, clock = Date.now, ...wait }: RunQuestionDeps,
): Promise<PlanOutcome> {
  requireSettings(question.source, question.options, settings);
  const id = backfillId(question);
  const isUnfinished = await runner.isUnfinished(id);
  // What was not believed is landed: it is loaded now.
  const isRetried = question.accept && (await runner.retry([id], question)).length > 0;
  if (isUnfinished || isRetried) {
    let outcome = await unlessLost(runner.finished(id, wait));
    // It ran as it was asked for first.
    const isRefused = outcome && 'failure' in outcome && outcome.failure.kind === 'doubtful';
    if (question.accept && isRefused && (await runner.retry([id], question)).length > 0) {
      outcome = await unlessLost(runner.finished(id, wait));
    }
    if (outcome && 'failure' in outcome) return outcome;
    const plannedDay = outcome && latestCompletedSession(outcome.report.plannedMs);
    if (outcome && plannedDay === latestCompletedSession(clock())) return outcome;
  }
  const verb = `backfill ${question.source}`;
  const paths = modePaths(settings.dataDir, question.mode);
  const how = { verb, priority: 'backfill', nowMs: clock() } as const;
  const plan = await planQuestion(question, { paths, ...how, ...wait });
  await runner.enqueue(plan);
  return runner.finished(plan.id, wait);
}

/** A plan that Redis forgets while it is waited for is added by who waits. */
async function unlessLost(outcome: Promise<PlanOutcome>): Promise<PlanOutcome | undefined> {
  try {
    return await outcome;
  } catch (error) {
    if (error instanceof PlanLostError) return undefined;
    throw error;
  }
}
