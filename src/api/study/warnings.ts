/** Sentences that an answer has with its numbers. */

import { criticalT } from '../../screens/study/statistics.ts';
import type { StudyRequest } from './request.ts';
import type { SummaryRows } from './tables.ts';

export const NO_DECILES =
  'No month has 100 symbols with a value of the factor, so there are no tenths.';

const EXTREME_PERCENT = '1,000 %';
const NO_SESSIONS = 'The data has no session on the days of the study.';
const NO_EVENTS = {
  begins:
    'The condition begins on no day of the study: mode=matches counts all days on which it is true.',
  matches: 'The condition is true on no day of the study.',
} as const;

/** Returns the warnings of a study of events. */
export function warningsOf(
  summaries: SummaryRows,
  {
    request,
    events,
    definition: { sessions, tried },
  }: {
    request: StudyRequest;
    events: number;
    definition: { sessions: number; tried: number };
  },
): string[] {
  const warnings: string[] = [];
  if (events === 0) warnings.push(sessions === 0 ? NO_SESSIONS : NO_EVENTS[request.mode]);
  const extreme = summaries.sum('extreme');
  if (extreme > 0) {
    const subject = extreme === 1 ? '1 return is' : `${extreme} returns are`;
    warnings.push(
      `${subject} above ${EXTREME_PERCENT}, often by bad bars: rows=events lists them, and medians are ` +
        'not moved by them.',
    );
  }
  const flagged = summaries.sum('flagged');
  if (flagged > 0) {
    const verb = flagged === 1 ? '1 return touches' : `${flagged} returns touch`;
    warnings.push(`${verb} flagged prices, which tapeworks gaps --flags lists.`);
  }
  return [...warnings, ...currentWarnings(request), ...triedWarnings(tried, summaries.count)];
}

/**
 * Warns of the luck of the best of several combinations.
 *
 * @param tests How many t values the answer has.
 */
export function triedWarnings(tried: number, tests: number): string[] {
  if (tried === 1) return [];
  const bound = criticalT(tests).toFixed(2);
  return [
    `${tried} combinations were tried, and the best of many is good by luck: of ${tests} t values, ` +
      `one above ${bound} or below -${bound} comes by luck in at most 5 % of cases (Bonferroni).`,
  ];
}

export function currentWarnings({ hasCurrentFields }: StudyRequest): string[] {
  if (!hasCurrentFields) return [];
  return ['Fields without a past have the values of today on all days: they know the future.'];
}
