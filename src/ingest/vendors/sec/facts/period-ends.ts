/** Gives each period of a company one first and last day if filings differ by days. Pure. */

import { BALANCE_CONCEPTS } from '../concepts/concepts.ts';
import type { FactFiling } from '../concepts/parse-companyfacts.ts';
import type { Span, StatementReport } from './statement-spans.ts';

/** Largest distance in days between first or last days that filings write for one period. */
export const DAYS_APART_MAX = 4;

/**
 * Days that stand for the last days of periods, each for the days near it. No later filing moves a
 * period.
 */
export interface PeriodEnds {
  /** True if a report that was known at a moment is about a period that ends on a day, or begins behind it. */
  has(day: number, knownMs: number): boolean;
  /** The day that stands for a day at a moment, or the day itself if no period ended near it. */
  endOf(day: number, knownMs: number): number;
  /** The last day as reports write it: the first one that was known at a moment. */
  dateOf(end: number, knownMs: number): number;
}

interface End {
  day: number;
  knownMs: number;
  written?: { day: number; knownMs: number };
}

const ASSETS = new Set<string>(BALANCE_CONCEPTS.totalAssets);

/**
 * Finds the last days of periods. Of neighbours, the one that was filed first stays. Its date is the
 * first one that a report gives as a last day, or a balance sheet: some begin periods a day off.
 *
 * @param reports Reports in the order of filing.
 */
export function periodEnds(
  reports: readonly {
    filing: Pick<FactFiling, 'facts'> & { filedAtMs: number };
    report: StatementReport;
  }[],
): PeriodEnds {
  const ends = new Map<number, End>();
  for (const { filing, report } of reports) {
    const { spans, newestEndDay } = report;
    const knownMs = filing.filedAtMs;
    const days = [newestEndDay, ...spans.map(({ endDay }) => endDay)];
    for (const day of [...days, ...spans.map(({ startDay }) => startDay - 1)]) {
      if (!ends.has(day)) claimNeighbours(ends, { day, knownMs });
    }
    const sheets = filing.facts
      .filter(({ concept, startDay }) => startDay === undefined && ASSETS.has(concept))
      .map(({ endDay }) => endDay);
    for (const day of [...days, ...sheets]) {
      const end = ends.get(day);
      if (end) end.written ??= { day, knownMs };
    }
  }
  const known = (day: number, ms: number) => {
    const end = ends.get(day);
    return end && end.knownMs <= ms ? end.day : undefined;
  };
  return {
    has: (day, ms) => known(day, ms) === day,
    endOf: (day, ms) => known(day, ms) ?? day,
    dateOf(day, ms) {
      const written = ends.get(day)?.written;
      return written && written.knownMs <= ms ? written.day : day;
    },
  };
}

function claimNeighbours(ends: Map<number, End>, end: End): void {
  for (let day = end.day - DAYS_APART_MAX; day <= end.day + DAYS_APART_MAX; day++) {
    if (!ends.has(day)) ends.set(day, end);
  }
}

/** Moves a report's periods to these days. If two become one, the first stays. */
export function alignedReport<F extends string>(
  report: StatementReport<F>,
  { endOf }: PeriodEnds,
  filedAtMs: number,
): StatementReport<F> {
  const spans = new Map<string, Span<F>>();
  for (const span of report.spans) {
    const startDay = endOf(span.startDay - 1, filedAtMs) + 1;
    const endDay = endOf(span.endDay, filedAtMs);
    const key = `${startDay}|${endDay}`;
    if (!spans.has(key)) spans.set(key, { ...span, startDay, endDay });
  }
  const newestEndDay = endOf(report.newestEndDay, filedAtMs);
  return { ...report, spans: [...spans.values()], newestEndDay };
}
