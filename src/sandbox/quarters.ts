/**
 * Quarters and their reports. A company reports on every 63rd session of a year, which is where
 * its price jumps, three to eight weeks after the quarter ended.
 */

import { MILLIS_PER_DAY } from '../base/bars.ts';
import { newYorkMomentMs } from '../base/time/calendar.ts';
import {
  FIRST_YEAR,
  ownMovesSeed,
  reportSession,
  SESSIONS,
  yearFromDay,
  yearStart,
} from './levels.ts';
import { integerAt, normalAt, seedAt, uniformAt } from './random.ts';
import type { SandboxSecurity } from './universe.ts';

export interface Quarter {
  /** Counts on over the years, from 0 for the first report of 1985. */
  number: number;
  endDay: number;
  fiscalYear: number;
  fiscalQuarter: number;
  reportDay: number;
  reportMs: number;
  time: 'before_market' | 'after_market';
  /** Place of the session in which the price jumps. */
  place: number;
  /** Mean 0, spread 1, with the sign of the price's own move. */
  surprise: number;
}

export interface Company {
  security: SandboxSecurity;
  /** Quarters with reports in the period in question, and some before and after it. */
  quarters: readonly Quarter[];
  toDay: number;
  market: readonly SandboxSecurity[];
  /** Returns the raw close of a session by its place. */
  close(place: number): number;
}

const SESSIONS_APART = 63;

export function recordSeed({ path }: SandboxSecurity, kind: number): number {
  return seedAt(path.seed, 20 + kind);
}

export function newYorkMs(day: number, hour: number, minute: number): number {
  return newYorkMomentMs(day, hour * 60 + minute);
}

/** Returns the quarters of a company with reports between two days, both included, from 1987 on. */
export function quartersBetween(
  security: SandboxSecurity,
  fromDay: number,
  toDay: number,
): Quarter[] {
  const quarters: Quarter[] = [];
  const from = Math.max(fromDay, security.firstDay + 1);
  const to = Math.min(toDay, security.lastDay);
  if (from > to) return [];
  const end = 4 * (yearFromDay(to) - FIRST_YEAR + 1);
  for (let number = Math.max(8, 4 * (yearFromDay(from) - FIRST_YEAR)); number < end; number++) {
    const quarter = quarterAt(security, number);
    // The calendar must reach a quarter past the last report, for the events that follow it.
    if (quarter.place + SESSIONS_APART >= SESSIONS.length) break;
    if (quarter.reportDay >= from && quarter.reportDay <= to) quarters.push(quarter);
  }
  return quarters;
}

/** Returns the place of the session in which the price responds to a quarter's report. */
export function reportPlace({ path }: SandboxSecurity, number: number): number {
  const year = FIRST_YEAR + Math.floor(number / 4);
  return yearStart(year) + reportSession(path) + SESSIONS_APART * (number % 4);
}

export function quarterAt(security: SandboxSecurity, number: number): Quarter {
  const { path } = security;
  const seed = recordSeed(security, 0);
  const year = FIRST_YEAR + Math.floor(number / 4);
  const place = reportPlace(security, number);
  const isAfterMarket = uniformAt(seed, 2) < 0.5;
  const reportDay = SESSIONS[isAfterMarket ? place - 1 : place];
  const minute = integerAt(seedAt(seed, 3), number, 3) * 15;
  // The first report of a year is on the last month that ended three weeks before or more.
  const sessions = reportSession(path);
  const month = 3 * number + (sessions < 12 ? -2 : sessions < 33 ? -1 : sessions < 54 ? 0 : 1);
  // Most fiscal years end in winter.
  const yearEnd = [0, 0, 0, 0, 0, 1, 2, 3][integerAt(seed, 1, 8)];
  const fiscalQuarter = ((number - yearEnd + 7) % 4) + 1;
  return {
    number,
    endDay: Date.UTC(FIRST_YEAR, month + 1, 0) / MILLIS_PER_DAY,
    fiscalYear: FIRST_YEAR + Math.floor((month + 3 * (4 - fiscalQuarter)) / 12),
    fiscalQuarter,
    reportDay,
    reportMs: isAfterMarket
      ? newYorkMs(reportDay, 16, 5 + minute)
      : newYorkMs(reportDay, 7, minute),
    time: isAfterMarket ? 'after_market' : 'before_market',
    place,
    surprise: normalAt(ownMovesSeed(path, year), place - yearStart(year)),
  };
}
