/**
 * When companies of the sandbox report: every 63rd session, which is where their prices jump. The
 * quarter that a report is about ended three to eight weeks before.
 */

import { MILLIS_PER_DAY } from '../base/bars.ts';
import { newYorkDay, newYorkMidnightMs } from '../base/time/calendar.ts';
import { SANDBOX_FIRST_YEAR, sandboxFactors, sessionFromDay, yearFromDay } from './factors.ts';
import { reportSession, surpriseAt } from './path.ts';
import { integerAt, seedAt, uniformAt } from './random.ts';
import type { SandboxSecurity } from './universe.ts';

/** Rows that became known after one moment and up to another. Milliseconds since the epoch. */
export interface SandboxSpan {
  afterMs: number;
  throughMs: number;
}

/** A quarter of a company, with its report. */
export interface FiscalQuarter {
  /** Counts on over the years: four a year since 1985. */
  number: number;
  /** Last day of it. */
  endDay: number;
  fiscalYear: number;
  /** 1 to 4. */
  fiscalQuarter: number;
  /** When the results are told, before or after a session. */
  reportDay: number;
  reportMs: number;
  time: 'before_market' | 'after_market';
  /** Place of the session in which the price answers, in `sandboxFactors().days`. */
  session: number;
  /** How the results surprise: mean 0, spread 1. */
  surprise: number;
}

const SESSIONS_APART = 63;
const AT = { yearEnd: 1, afterMarket: 2, minute: 3 } as const;
const MILLIS_PER_MINUTE = 60_000;

/** Seeds of what companies do beyond prices; those below 20 are of the price itself. */
export const COMPANY_SEED = {
  reporting: 20,
  fundamentals: 21,
  filings: 22,
  insiders: 23,
  analysts: 24,
  news: 25,
  estimates: 26,
} as const;

export function companySeed({ model }: SandboxSecurity, of: keyof typeof COMPANY_SEED): number {
  return seedAt(model.path.seed, COMPANY_SEED[of]);
}

/** A moment by New York's clocks. No session's day changes them. */
export function newYorkMs(day: number, hour: number, minute: number): number {
  return newYorkMidnightMs(day) + (hour * 60 + minute) * MILLIS_PER_MINUTE;
}

export function isWithin(ms: number, { afterMs, throughMs }: SandboxSpan): boolean {
  return ms > afterMs && ms <= throughMs;
}

/** @returns undefined for a report that lies outside of the calendar. */
export function fiscalQuarterAt(
  security: SandboxSecurity,
  number: number,
): FiscalQuarter | undefined {
  const { days, yearStarts } = sandboxFactors();
  const { path } = security.model;
  const seed = companySeed(security, 'reporting');
  const session = answeringSession(security, number);
  if (session === undefined) return undefined;
  const isAfterMarket = uniformAt(seed, AT.afterMarket) < 0.5;
  // Prices answer in the session after.
  const reportDay = days[isAfterMarket ? session - 1 : session];
  const minute = integerAt(seedAt(seed, AT.minute), number, 3) * 15;
  const yearIndex = Math.floor(number / 4);
  return {
    number,
    ...fiscalPeriod(security, number),
    reportDay,
    reportMs: isAfterMarket
      ? newYorkMs(reportDay, 16, 5 + minute)
      : newYorkMs(reportDay, 7, minute),
    time: isAfterMarket ? 'after_market' : 'before_market',
    session,
    surprise: surpriseAt(path, SANDBOX_FIRST_YEAR + yearIndex, session - yearStarts[yearIndex]),
  };
}

/** `session` of a quarter alone, which is much cheaper; the calendar's first one has no evening before. */
export function answeringSession({ model }: SandboxSecurity, number: number): number | undefined {
  const { days, yearStarts } = sandboxFactors();
  const yearIndex = Math.floor(number / 4);
  const ofYear = number - yearIndex * 4;
  const session = yearStarts[yearIndex] + reportSession(model.path) + SESSIONS_APART * ofYear;
  return session >= 1 && session < days.length ? session : undefined;
}

/** What a quarter is called, and its last day; of any number, also before 1985. */
export function fiscalPeriod(
  security: SandboxSecurity,
  number: number,
): Pick<FiscalQuarter, 'endDay' | 'fiscalYear' | 'fiscalQuarter'> {
  const fiscalQuarter = fiscalQuarterOf(security, number);
  const month = endMonth(security, number);
  return {
    endDay: Date.UTC(SANDBOX_FIRST_YEAR, month + 1, 0) / MILLIS_PER_DAY,
    fiscalYear: SANDBOX_FIRST_YEAR + Math.floor((month + 3 * (4 - fiscalQuarter)) / 12),
    fiscalQuarter,
  };
}

/** 1 to 4; most years end in winter. */
export function fiscalQuarterOf(security: SandboxSecurity, number: number): number {
  const seed = companySeed(security, 'reporting');
  const yearEnd = [0, 0, 0, 0, 0, 1, 2, 3][integerAt(seed, AT.yearEnd, 8)];
  return ((((number - yearEnd + 3) % 4) + 4) % 4) + 1;
}

/** Of a quarter, counted on from January 1985: the last that ended some weeks before its report. */
export function endMonth({ model }: SandboxSecurity, number: number): number {
  const sessions = reportSession(model.path);
  // November, December, January or February, for the first report of a year.
  const first = sessions < 12 ? -2 : sessions < 33 ? -1 : sessions < 54 ? 0 : 1;
  return 3 * number + first;
}

/** Number of the first quarter that a company reports on after a day's session. */
export function firstReportAfter(security: SandboxSecurity, day: number): number {
  const { days, yearStarts } = sandboxFactors();
  const yearIndex = yearFromDay(day) - SANDBOX_FIRST_YEAR;
  const since = sessionFromDay(day) - yearStarts[yearIndex] - reportSession(security.model.path);
  const number = yearIndex * 4 + Math.floor(since / SESSIONS_APART);
  // The fourth quarter's step into the next year is of some sessions more or less.
  const session = answeringSession(security, number);
  return session !== undefined && days[session] > day ? number : number + 1;
}

/** Quarters that a listed company reports on, from some months before a span to some after it. */
export function quartersAround(
  security: SandboxSecurity,
  span: SandboxSpan,
  { before, after }: { before: number; after: number },
): FiscalQuarter[] {
  const { firstDay, model } = security;
  const fromDay = Math.max(firstDay, newYorkDay(span.afterMs));
  const from = Math.max(
    firstReportAfter(security, firstDay),
    firstReportAfter(security, fromDay) - before,
  );
  const toDay = Math.min(newYorkDay(span.throughMs), model.lastDay ?? Number.POSITIVE_INFINITY);
  const quarters: FiscalQuarter[] = [];
  if (toDay < firstDay) return quarters;
  for (let number = from; number <= firstReportAfter(security, toDay) + after; number++) {
    const quarter = fiscalQuarterAt(security, number);
    if (!quarter || quarter.reportDay > (model.lastDay ?? Number.POSITIVE_INFINITY)) break;
    quarters.push(quarter);
  }
  return quarters;
}
