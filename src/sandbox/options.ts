/** Days on which options of the sandbox expire. */

import { MILLIS_PER_DAY } from '../base/bars.ts';
import type { RowOf } from '../base/datasets/datasets.ts';
import type { expirations } from '../base/datasets/market.ts';
import {
  CALENDAR_LAST_DAY,
  isSession,
  newYorkDay,
  nextSession,
  previousSession,
  sessionOpenMs,
} from '../base/time/calendar.ts';
import { nthWeekday } from '../base/time/calendar-rules.ts';
import { weekdayFromDay } from '../base/time/dates.ts';
import { typicalCap } from './business.ts';
import { isWithin, type SandboxSpan } from './reporting.ts';
import type { SandboxSecurity } from './universe.ts';

const FRIDAY = 5;
/** Larger companies have options that expire every week, and in a January two years ahead. */
const WEEKLY_CAP = 3e9;
const WEEKS = 6;
const DAYS_AHEAD = 365;

/**
 * What is listed in the last week of a span, from its first session on: every third Friday up to
 * one a year ahead or more. Lists of earlier weeks would be of no use to anybody: no rows.
 */
export function sandboxExpirations(
  security: SandboxSecurity,
  span: SandboxSpan,
): RowOf<typeof expirations>[] {
  const { symbol, firstDay, model } = security;
  const day = Math.min(newYorkDay(span.throughMs), model.lastDay ?? Number.POSITIVE_INFINITY);
  if (security.type === 'etf' || day < firstDay) return [];
  const monday = day - ((weekdayFromDay(day) + 6) % 7);
  const listedDay = Math.max(firstDay, nextSession(monday - 1));
  const asOf = sessionOpenMs(listedDay);
  if (!isWithin(asOf, span)) return [];
  return expirationDays(listedDay, typicalCap(security) >= WEEKLY_CAP).map((date) => ({
    symbol,
    asOf,
    date,
  }));
}

/** Ascending. */
function expirationDays(fromDay: number, isLarge: boolean): number[] {
  const from = new Date(fromDay * MILLIS_PER_DAY);
  const year = from.getUTCFullYear();
  const fridays: number[] = [];
  let month = from.getUTCMonth() + 1;
  do fridays.push(nthWeekday(year, month++, FRIDAY, 3));
  while ((fridays.at(-1) ?? 0) < fromDay + DAYS_AHEAD);
  if (isLarge) {
    const friday = fromDay + ((FRIDAY - weekdayFromDay(fromDay) + 7) % 7);
    for (let week = 0; week < WEEKS; week++) fridays.push(friday + 7 * week);
    for (const later of [1, 2]) fridays.push(nthWeekday(year + later, 1, FRIDAY, 3));
  }
  const days = fridays.filter((day) => day <= CALENDAR_LAST_DAY).map(lastTradingDay);
  return [...new Set(days)].filter((day) => day >= fromDay).sort((a, b) => a - b);
}

/** The session before where the exchange is closed on that Friday. */
function lastTradingDay(friday: number): number {
  return isSession(friday) ? friday : previousSession(friday);
}
