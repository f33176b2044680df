/** A company's own years and quarters, derived from its annual reports. Pure. */

import { MILLIS_PER_DAY } from '../../../../base/bars.ts';
import type { FactFiling } from '../concepts/parse-companyfacts.ts';
import type { PeriodEnds } from './period-ends.ts';
import type { StatementReport } from './statement-spans.ts';

export interface FiscalLabel {
  fiscalYear: number | null;
  fiscalQuarter: number | null;
}

/** Fiscal years and quarters. Days are those of `PeriodEnds`. */
export interface FiscalCalendar extends PeriodEnds {
  isYearEnd(day: number): boolean;
  labelOf(endDay: number): FiscalLabel;
}

interface FiscalYear {
  startDay: number;
  endDay: number;
  fiscalYear: number | undefined;
}

const DAYS_PER_YEAR = 365.25;
const QUARTERS = 4;
/** @param reports Reports in the order of filing, on the days of `ends`. */
export function fiscalCalendar(
  reports: readonly { filing: FactFiling; report: StatementReport }[],
  ends: PeriodEnds,
): FiscalCalendar {
  const years = fiscalYears(reports);
  const quarters = quartersOfReports(reports);
  const yearEnding = (day: number) => years.find(({ endDay }) => endDay === day);
  return {
    ...ends,
    isYearEnd: (day) => yearEnding(day) !== undefined,
    labelOf(endDay) {
      const ending = yearEnding(endDay);
      if (ending) return { fiscalYear: ending.fiscalYear ?? null, fiscalQuarter: QUARTERS };
      if (years.length === 0) {
        return quarters.get(endDay) ?? { fiscalYear: null, fiscalQuarter: null };
      }
      return labelFromYears(years, endDay);
    },
  };
}

/** All years in annual reports, by end. Years without a number are counted on from others. */
function fiscalYears(
  reports: readonly { filing: FactFiling; report: StatementReport }[],
): FiscalYear[] {
  const years = new Map<number, FiscalYear>();
  for (const { filing, report } of reports) {
    for (const { startDay, endDay, length } of report.spans) {
      if (length !== 'year') continue;
      const year = years.get(endDay) ?? { startDay, endDay, fiscalYear: undefined };
      years.set(endDay, year);
      if (endDay === report.newestEndDay && isLikely(filing.fiscalYear, endDay)) {
        year.fiscalYear ??= filing.fiscalYear;
      }
    }
  }
  const sorted = [...years.values()].sort((a, b) => a.endDay - b.endDay);
  dropStrayNumbers(sorted);
  const named = sorted.filter(({ fiscalYear }) => fiscalYear !== undefined);
  for (const year of sorted) {
    if (year.fiscalYear !== undefined || named.length === 0) continue;
    const apart = ({ endDay }: FiscalYear) => Math.abs(endDay - year.endDay);
    const nearest = named.reduce((best, one) => (apart(one) < apart(best) ? one : best));
    year.fiscalYear = Number(nearest.fiscalYear) - wholeYears(nearest.endDay - year.endDay);
  }
  return sorted;
}

/**
 * Drops numbers that two years share, because filings counted in two ways (Nvidia's to January
 * 2011). The way of most years counts, or of the newest year in a tie.
 */
function dropStrayNumbers(years: readonly FiscalYear[]): void {
  const named = years.filter(({ fiscalYear }) => fiscalYear !== undefined);
  if (new Set(named.map(({ fiscalYear }) => fiscalYear)).size === named.length) return;
  const wayOf = ({ endDay, fiscalYear }: FiscalYear) =>
    Number(fiscalYear) - wholeYears(endDay - named[0].endDay);
  const ways = Map.groupBy(named.toReversed(), wayOf);
  const [[most]] = [...ways].sort(([, a], [, b]) => b.length - a.length);
  for (const year of named) if (wayOf(year) !== most) year.fiscalYear = undefined;
}

const wholeYears = (days: number) => Math.round(days / DAYS_PER_YEAR);

/** Returns true if the year is named by the calendar year in which it starts or ends. */
function isLikely(fiscalYear: number | undefined, endDay: number): boolean {
  if (fiscalYear === undefined) return false;
  return Math.abs(fiscalYear - new Date(endDay * MILLIS_PER_DAY).getUTCFullYear()) <= 1;
}

/** Labels a day by its place in a known year, or in a year after the last or before the first. */
function labelFromYears(years: readonly FiscalYear[], endDay: number): FiscalLabel {
  const next = years.find((year) => year.endDay >= endDay);
  if (next && next.startDay <= endDay) {
    return quarterIn(endDay - next.startDay + 1, next.fiscalYear);
  }
  const last = years.findLast((year) => year.endDay < endDay);
  // A period between two calendars belongs to no year.
  if (last && next && isTransition(next.startDay - last.endDay - 1)) return NO_LABEL;
  if (last) {
    const after = Math.floor((endDay - last.endDay - 1) / DAYS_PER_YEAR);
    const days = endDay - last.endDay - after * DAYS_PER_YEAR;
    return quarterIn(days, last.fiscalYear && last.fiscalYear + 1 + after);
  }
  const [first] = years;
  const before = Math.ceil((first.startDay - endDay) / DAYS_PER_YEAR);
  const days = endDay - first.startDay + 1 + before * DAYS_PER_YEAR;
  return quarterIn(days, first.fiscalYear && first.fiscalYear - before);
}

const NO_LABEL: FiscalLabel = { fiscalYear: null, fiscalQuarter: null };

/** Days by which a number of years may be longer or shorter: two weeks, for years of 53 weeks. */
const YEARS_DAYS_APART = 15;

function isTransition(days: number): boolean {
  return Math.abs(days - wholeYears(days) * DAYS_PER_YEAR) > YEARS_DAYS_APART;
}

function quarterIn(days: number, fiscalYear: number | undefined): FiscalLabel {
  const nearest = Math.round((days * QUARTERS) / DAYS_PER_YEAR);
  return {
    fiscalYear: fiscalYear ?? null,
    fiscalQuarter: Math.min(QUARTERS, Math.max(1, nearest)),
  };
}

/** Labels from quarterly reports, which are the only ones before the first annual report. */
function quartersOfReports(
  reports: readonly { filing: FactFiling; report: StatementReport }[],
): Map<number, FiscalLabel> {
  const quarters = new Map<number, FiscalLabel>();
  for (const { filing, report } of reports) {
    const quarter = /^Q([1-4])$/.exec(filing.fiscalPeriod ?? '')?.[1];
    if (quarter === undefined || !isLikely(filing.fiscalYear, report.newestEndDay)) continue;
    const fiscalQuarter = Number(quarter);
    const fiscalYear = Number(filing.fiscalYear);
    for (const { endDay } of report.spans) {
      const before = wholeYears(report.newestEndDay - endDay);
      const isSameQuarter =
        Math.abs(report.newestEndDay - endDay - before * DAYS_PER_YEAR) < DAYS_PER_YEAR / 8;
      if (!isSameQuarter || quarters.has(endDay)) continue;
      quarters.set(endDay, { fiscalYear: fiscalYear - before, fiscalQuarter });
    }
  }
  return quarters;
}
