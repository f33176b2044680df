/** A company's own years and quarters, as its reports named them so far. Pure. */

import { MILLIS_PER_DAY } from '../../../../base/bars.ts';
import type { FactFiling } from '../concepts/parse-companyfacts.ts';
import type { PeriodEnds } from './period-ends.ts';
import { type Dated, type DatedFiling, NO_PERIOD, type PeriodLabel } from './row-versions.ts';
import type { StatementReport } from './statement-spans.ts';

/** Label of a period's last day. */
interface FiscalLabel extends PeriodLabel {
  isYearEnd: boolean;
}

type DatedLabel = Dated<FiscalLabel>;

/** Fiscal years and quarters. Days are those of `PeriodEnds`. */
export interface FiscalCalendar extends PeriodEnds {
  /** Labels of a period's last day in the order of filing, each different from the one before. */
  labelsOf(endDay: number): readonly DatedLabel[];
}

interface DatedReport {
  filing: FactFiling & DatedFiling;
  report: StatementReport;
}

interface FiscalYear {
  startDay: number;
  endDay: number;
  fiscalYear: number | undefined;
}

/** Years as they were known after a filing, with the days on which a year was cut short. */
interface Edition {
  filing: DatedFiling;
  years: readonly FiscalYear[];
  cuts: readonly number[];
}

const DAYS_PER_YEAR = 365.25;
const QUARTERS = 4;
const NO_LABEL: FiscalLabel = { ...NO_PERIOD, isYearEnd: false };

/** Returns labels of rows that are no quarters. */
export function withoutQuarters(labels: readonly DatedLabel[]): Dated<PeriodLabel>[] {
  return labels.map(({ filing, label: { fiscalYear } }) => {
    return { filing, label: { fiscalYear, fiscalQuarter: null } };
  });
}

/** @param reports Reports in the order of filing, on the days of `ends`. */
export function fiscalCalendar(reports: readonly DatedReport[], ends: PeriodEnds): FiscalCalendar {
  const editions = editionsOf(reports);
  const quarters = quartersOfReports(reports);
  const made = new Map<number, readonly DatedLabel[]>();
  return {
    ...ends,
    labelsOf(endDay) {
      const labels = made.get(endDay) ?? datedLabels(endDay, editions, quarters.get(endDay));
      made.set(endDay, labels);
      return labels;
    },
  };
}

/** @param told Label that a quarterly report gives the day. */
function datedLabels(
  endDay: number,
  editions: readonly Edition[],
  told: DatedLabel | undefined,
): DatedLabel[] {
  const labels: DatedLabel[] = [];
  const add = (filing: DatedFiling, label: FiscalLabel) => {
    if (labels.at(-1)?.filing.filedAtMs === filing.filedAtMs) labels.pop();
    if (!isSame(labels.at(-1)?.label ?? NO_LABEL, label)) labels.push({ filing, label });
  };
  const toldMs = told?.filing.filedAtMs ?? Number.POSITIVE_INFINITY;
  const before = editions.filter(({ filing }) => filing.filedAtMs < toldMs);
  for (const edition of before) add(edition.filing, labelIn(edition, endDay));
  if (told) {
    const known = before.at(-1) ?? { years: [], cuts: [] };
    add(told.filing, labelIn(known, endDay, told.label));
  }
  for (const edition of editions.slice(before.length)) {
    add(edition.filing, labelIn(edition, endDay, told?.label));
  }
  return labels;
}

function isSame(a: FiscalLabel, b: FiscalLabel): boolean {
  return (
    a.fiscalYear === b.fiscalYear &&
    a.fiscalQuarter === b.fiscalQuarter &&
    a.isYearEnd === b.isYearEnd
  );
}

/** Returns the years after each filing that tells of one. */
function editionsOf(reports: readonly DatedReport[]): Edition[] {
  const years = new Map<number, FiscalYear>();
  const cuts: number[] = [];
  const editions: Edition[] = [];
  for (const { filing, report } of reports) {
    const isCut = /^10-KT/.test(filing.form) && !years.has(report.newestEndDay);
    const spans = report.spans.filter(({ length }) => length === 'year');
    if (isCut && spans.every(({ endDay }) => endDay !== report.newestEndDay)) {
      cuts.push(report.newestEndDay);
    } else if (spans.length === 0) continue;
    for (const { startDay, endDay } of spans) {
      const year = years.get(endDay) ?? { startDay, endDay, fiscalYear: undefined };
      years.set(endDay, year);
      if (endDay === report.newestEndDay && isLikely(filing.fiscalYear, endDay)) {
        year.fiscalYear ??= filing.fiscalYear;
      }
    }
    editions.push({ filing, years: numberedYears([...years.values()]), cuts: [...cuts] });
  }
  return editions;
}

/** Returns the years by end. Years without a number are counted on from others. */
function numberedYears(years: readonly FiscalYear[]): FiscalYear[] {
  const sorted = years.map((year) => ({ ...year })).sort((a, b) => a.endDay - b.endDay);
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

/**
 * Labels a day by its place in a known year, or in a year after the last or before the first.
 *
 * @param told Label of a quarterly report, where no year tells.
 */
function labelIn(
  { years, cuts }: Pick<Edition, 'years' | 'cuts'>,
  endDay: number,
  told = NO_LABEL,
): FiscalLabel {
  const next = years.find((year) => year.endDay >= endDay);
  if (next?.endDay === endDay) {
    const fiscalYear = next.fiscalYear ?? null;
    return { fiscalYear, fiscalQuarter: QUARTERS, isYearEnd: true };
  }
  if (next && next.startDay <= endDay) {
    return quarterIn(endDay - next.startDay + 1, next.fiscalYear);
  }
  const last = years.findLast((year) => year.endDay < endDay);
  const cut = cuts.findLast((day) => {
    return day > (last?.endDay ?? 0) && day < (next?.startDay ?? Number.POSITIVE_INFINITY);
  });
  if (cut !== undefined) {
    // A period between two calendars belongs to no year.
    const isBetween = endDay <= cut && (last !== undefined || endDay > cut - DAYS_PER_YEAR);
    return isBetween ? NO_LABEL : told;
  }
  if (last && next && isTransition(next.startDay - last.endDay - 1)) return NO_LABEL;
  if (last) {
    const after = Math.floor((endDay - last.endDay - 1) / DAYS_PER_YEAR);
    const days = endDay - last.endDay - after * DAYS_PER_YEAR;
    return quarterIn(days, last.fiscalYear && last.fiscalYear + 1 + after);
  }
  const [first] = years;
  if (!first) return told;
  const before = Math.ceil((first.startDay - endDay) / DAYS_PER_YEAR);
  const days = endDay - first.startDay + 1 + before * DAYS_PER_YEAR;
  return quarterIn(days, first.fiscalYear && first.fiscalYear - before);
}

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
    isYearEnd: false,
  };
}

/** Labels from quarterly reports, which are the only ones before the first annual report. */
function quartersOfReports(reports: readonly DatedReport[]): Map<number, DatedLabel> {
  const quarters = new Map<number, DatedLabel>();
  for (const { filing, report } of reports) {
    const quarter = /^Q([1-4])$/.exec(filing.fiscalPeriod ?? '')?.[1];
    if (quarter === undefined || !isLikely(filing.fiscalYear, report.newestEndDay)) continue;
    const fiscalQuarter = Number(quarter);
    for (const { endDay } of report.spans) {
      const before = wholeYears(report.newestEndDay - endDay);
      const isSameQuarter =
        Math.abs(report.newestEndDay - endDay - before * DAYS_PER_YEAR) < DAYS_PER_YEAR / 8;
      if (!isSameQuarter || quarters.has(endDay)) continue;
      const fiscalYear = Number(filing.fiscalYear) - before;
      quarters.set(endDay, { filing, label: { fiscalYear, fiscalQuarter, isYearEnd: false } });
    }
  }
  return quarters;
}
