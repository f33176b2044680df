import { join, sep } from 'node:path';
import { limits } from '../../src/base/limits.ts';
import { readingOfFilesText } from '../../src/ingest/contract/reading-of-files.ts';
import { whyNothing } from '../../src/ingest/contract/skipped-notes.ts';
import type { BackfillResult } from '../../src/store/accounts/backfills/backfill-record.ts';
import type { RunReport } from '../contract/reports.ts';
import type { RunOutcome } from '../contract/runner.ts';
import { uploadFolder } from './order.ts';

export interface BackfillEnd {
  result: BackfillResult | null;
  /** Reason why nothing was loaded; null if something was, or nothing is missing. */
  error: string | null;
}

/** Options of commands that requests of the API have as fields. */
const OPTION =
  /--(symbols?|interval|zone|stamps|dates|decimal|basis|date-format|from|to|complete(?:-for)?)\b/g;

/**
 * Converts an outcome for clients: an upload has no folder, other paths are below the data folder,
 * and advice names fields of the API.
 */
export function endFromOutcome(outcome: RunOutcome, dataDir: string, id: string): BackfillEnd {
  const text = (words: string) =>
    words
      .replaceAll(join(uploadFolder(dataDir, id), sep), '')
      .replaceAll(join(dataDir, sep), '')
      .replace(OPTION, (_, name: string) => `the field ${name.replace('-', '_')}`)
      .slice(0, limits.backfills.textCharsMax);
  if ('failure' in outcome) return { result: null, error: text(outcome.failure.reason) };
  const { report } = outcome;
  const error = failureOf(report);
  return { result: resultFromReport(report, text), error: error === null ? null : text(error) };
}

function failureOf(report: RunReport): string | null {
  const { segments, skipped, deadJobs, accepted, rejected, sourced = [] } = report;
  // The refused rows of a file are stored as a segment, too.
  const hasLoaded = segments > 0 && (accepted > 0 || rejected === 0);
  if (hasLoaded || sourced.some(({ source }) => source !== null)) return null;
  if (deadJobs.length > 0) return deadJobs[0].reason;
  const byReason = new Map(Object.entries(skipped.length > 0 ? {} : report.rejectedByReason));
  return skipped.length > 0 || rejected > 0 ? whyNothing(skipped, byReason) : null;
}

function resultFromReport(report: RunReport, text: (words: string) => string): BackfillResult {
  const { accepted, rejected, loaded, skipped, deadJobs, notes, sourced = [] } = report;
  const { readings } = report;
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
    failures: some(deadJobs).map(({ title, reason }) => {
      return { title: text(title), reason: text(reason) };
    }),
    readings: some(readings).map((one) => text(readingOfFilesText(one))),
    notes: some(notes).map(text),
  };
}
