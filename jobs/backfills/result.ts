import { limits } from '../../src/base/limits.ts';
import { whyNothing } from '../../src/ingest/contract/skipped-notes.ts';
import type { BackfillResult } from '../../src/store/sqlite/backfills/backfill-record.ts';
import type { RunReport } from '../contract/reports.ts';
import type { RunOutcome } from '../contract/runner.ts';

export interface BackfillEnd {
  result: BackfillResult | null;
  /** Reason why nothing was loaded; null if something was, or nothing is missing. */
  error: string | null;
}

/** Converts an outcome for clients, with paths below the data folder instead of absolute ones. */
export function endFromOutcome(outcome: RunOutcome, dataDir: string): BackfillEnd {
  const text = (words: string) =>
    words.replaceAll(`${dataDir}/`, '').slice(0, limits.backfills.textCharsMax);
  if ('failure' in outcome) return { result: null, error: text(outcome.failure.reason) };
  const { report } = outcome;
  const error = failureOf(report);
  return { result: resultFromReport(report, text), error: error === null ? null : text(error) };
}

function failureOf({ segments, skipped, deadJobs, rejected, sourced = [] }: RunReport) {
  if (segments > 0 || sourced.some(({ source }) => source !== null)) return null;
  if (deadJobs.length > 0) return deadJobs[0].reason;
  return skipped.length > 0 || rejected > 0 ? whyNothing(skipped) : null;
}

function resultFromReport(report: RunReport, text: (words: string) => string): BackfillResult {
  const { accepted, rejected, loaded, skipped, deadJobs, notes, sourced = [] } = report;
  const some = <T>(list: readonly T[]) => list.slice(0, limits.backfills.listedMax);
  const reasons = Object.entries(report.rejectedByReason).sort(([, a], [, b]) => b - a);
  return {
    accepted,
    refused: rejected,
    refusedByReason: some(reasons).map(([reason, count]) => ({ reason: text(reason), count })),
    loaded: some(loaded).map(({ firstDay, lastDay, ...one }) => ({
      ...{ ...one, from: firstDay, to: lastDay },
    })),
    sources: some(sourced).map(({ tried, ...one }) => ({
      ...one,
      tried: tried.map(({ message, ...rest }) => ({ ...rest, message: text(message) })),
    })),
    skipped: some(skipped).map(({ name, reason }) => ({ name: text(name), reason: text(reason) })),
    failures: some(deadJobs).map(({ title, reason }) => ({ title, reason: text(reason) })),
    notes: some(notes).map(text),
  };
}
