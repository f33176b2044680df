/** Days on which no US exchange trades, as a fact about bars of them. */

import { CALENDAR_FIRST_DAY, CALENDAR_LAST_DAY, isSession } from './calendar.ts';
import { CLOSURES } from './calendar-rules.ts';
import { dayFromDate, weekdayFromDay } from './dates.ts';

/**
 * Closures of before were of the New York Stock Exchange alone: on 1985-09-27 shares of Nasdaq
 * traded a tenth of their volume. Later ones were of all exchanges.
 */
const SHARED_CLOSURES_FROM = dayFromDate('1990-01-01');

const ownClosures: ReadonlySet<number> = new Set(
  CLOSURES.map(([date]) => dayFromDate(date)).filter((day) => day < SHARED_CLOSURES_FROM),
);

/**
 * Returns true for weekends, holidays and closures of all exchanges, within the years of the
 * exchange calendar; false for all other days, of which a bar may be right.
 */
export function isClosedDay(day: number): boolean {
  if (!(day >= CALENDAR_FIRST_DAY && day <= CALENDAR_LAST_DAY)) return false;
  return !isSession(day) && !ownClosures.has(day);
}

let weekdays: readonly number[] | undefined;

/** Returns those from Monday to Friday, some 700 in rising order. */
export function closedWeekdays(): readonly number[] {
  weekdays ??= Array.from(
    { length: CALENDAR_LAST_DAY - CALENDAR_FIRST_DAY + 1 },
    (_, i) => CALENDAR_FIRST_DAY + i,
  ).filter((day) => isClosedDay(day) && weekdayFromDay(day) % 6 !== 0);
  return weekdays;
}
