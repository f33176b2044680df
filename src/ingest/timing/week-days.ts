/** Weekdays and sessions of dates, also of days that the exchange calendar does not cover. */

import {
  CALENDAR_FIRST_DAY,
  CALENDAR_LAST_DAY,
  isSession,
  sessionsBetween,
} from '../../base/time/calendar.ts';
import { weekdayFromDay } from '../../base/time/dates.ts';

export const WEEKDAYS = [
  'Sunday',
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
] as const;

export function isWeekend(day: number): boolean {
  const weekday = weekdayFromDay(day);
  return weekday === 0 || weekday === 6;
}

/** Returns true for a day of trading. Outside of the calendar, every day from Monday to Friday is. */
export function isTradingDay(day: number): boolean {
  return isInCalendar(day) ? isSession(day) : !isWeekend(day);
}

/** Returns the first and the last day of trading from one day to another, both included. */
export function tradingEnds(fromDay: number, toDay: number): { first?: number; last?: number } {
  if (isInCalendar(fromDay) && isInCalendar(toDay)) {
    const sessions = sessionsBetween(fromDay, toDay);
    return { first: sessions[0], last: sessions.at(-1) };
  }
  const ends: { first?: number; last?: number } = {};
  for (let day = fromDay; day <= toDay; day++) {
    if (!isTradingDay(day)) continue;
    ends.first ??= day;
    ends.last = day;
  }
  return ends;
}

/** Returns how many days of trading lie from one of them to a later one; 1 for the next one. */
export function sessionSteps(from: number, to: number): number {
  if (isInCalendar(from) && isInCalendar(to)) return sessionsBetween(from + 1, to).length;
  let steps = 0;
  for (let day = from + 1; day <= to; day++) if (isTradingDay(day)) steps++;
  return steps;
}

function isInCalendar(day: number): boolean {
  return day >= CALENDAR_FIRST_DAY && day <= CALENDAR_LAST_DAY;
}
