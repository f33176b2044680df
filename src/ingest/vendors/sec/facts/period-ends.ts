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
  has(day: number): boolean;
  /** The last day that a day stands for, or the day itself if no period ends near it. */
  endOf(day: number): number;
}

/** Finds the last days in reports: of neighbours, the one from reports about that very period. */
export function periodEnds(reports: readonly StatementReport[]): PeriodEnds {
  const written = new Map<number, Written>();
  for (const { spans, newestEndDay } of reports) {
    for (const day of spans.flatMap(({ startDay, endDay }) => [startDay - 1, endDay])) {
      const entry = written.get(day) ?? { day, ownCount: 0, count: 0 };
      entry.count++;
      if (day === newestEndDay) entry.ownCount++;
      written.set(day, entry);
    }
  }
  const best = [...written.values()].sort(
    (a, b) => b.ownCount - a.ownCount || b.count - a.count || a.day - b.day,
  );
  const ends = new Map<number, number>();
  for (const { day } of best) if (!ends.has(day)) claimNeighbours(ends, day);
  const days = new Set(reports.flatMap(({ spans }) => spans.map(({ endDay }) => endDay)));
  const own = new Set([...days].map((day) => ends.get(day)!));
  return { has: (day) => own.has(day), endOf: (day) => ends.get(day) ?? day };
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
