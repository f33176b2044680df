/** Gives each period of a company one first and last day if filings differ by days. Pure. */

import type { Span, StatementReport } from './statement-spans.ts';

/** Largest distance in days between first or last days that filings write for one period. */
export const DAYS_APART_MAX = 4;

interface Written {
  day: number;
  /** Number of filings about the period that ends on the day. */
  ownCount: number;
  count: number;
}

/** Last days of periods, as their own reports write them. */
export interface PeriodEnds {
  /** True if a report that was known at a moment is about a period that ends on a day, or begins behind it. */
  has(day: number, knownMs: number): boolean;
  /** The last day that a day stands for, or the day itself if no period ends near it. */
  endOf(day: number): number;
}

/** Finds the last days in reports: of neighbours, the one from reports about that very period. */
export function periodEnds(
  reports: readonly { filing: { filedAtMs: number }; report: StatementReport }[],
): PeriodEnds {
  const written = new Map<number, Written>();
  /** By day, when it was first written. */
  const knownMs = new Map<number, number>();
  for (const { filing, report } of reports) {
    const { spans, newestEndDay } = report;
    for (const day of spans.flatMap(({ startDay, endDay }) => [startDay - 1, endDay])) {
      const entry = written.get(day) ?? { day, ownCount: 0, count: 0 };
      entry.count++;
      knownMs.set(day, Math.min(knownMs.get(day) ?? Number.POSITIVE_INFINITY, filing.filedAtMs));
      if (day === newestEndDay) entry.ownCount++;
      written.set(day, entry);
    }
  }
  const best = [...written.values()].sort(
    (a, b) => b.ownCount - a.ownCount || b.count - a.count || a.day - b.day,
  );
  const ends = new Map<number, number>();
  for (const { day } of best) if (!ends.has(day)) claimNeighbours(ends, day);
  const own = new Map<number, number>();
  for (const [day, ms] of knownMs) {
    const end = ends.get(day)!;
    own.set(end, Math.min(own.get(end) ?? Number.POSITIVE_INFINITY, ms));
  }
  return {
    has: (day, ms) => (own.get(day) ?? Number.POSITIVE_INFINITY) <= ms,
    endOf: (day) => ends.get(day) ?? day,
  };
}

function claimNeighbours(ends: Map<number, number>, end: number): void {
  for (let day = end - DAYS_APART_MAX; day <= end + DAYS_APART_MAX; day++) {
    if (!ends.has(day)) ends.set(day, end);
  }
}

/** Moves a report's periods to these days. If two become one, the first stays. */
export function alignedReport<F extends string>(
  report: StatementReport<F>,
  { endOf }: PeriodEnds,
): StatementReport<F> {
  const spans = new Map<string, Span<F>>();
  for (const span of report.spans) {
    const startDay = endOf(span.startDay - 1) + 1;
    const endDay = endOf(span.endDay);
    const key = `${startDay}|${endDay}`;
    if (!spans.has(key)) spans.set(key, { ...span, startDay, endDay });
  }
  return { ...report, spans: [...spans.values()], newestEndDay: endOf(report.newestEndDay) };
}
