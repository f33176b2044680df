/** Judges daily bars of days without a session by how regular they are. */

import {
  CALENDAR_FIRST_DAY,
  CALENDAR_LAST_DAY,
  sessionsBetween,
} from '../../base/time/calendar.ts';
import { closedWeekdays, isClosedDay } from '../../base/time/closed-days.ts';
import { weekdayFromDay } from '../../base/time/dates.ts';
import { sessionSteps } from './week-days.ts';

interface Counts {
  saturdays: number;
  sundays: number;
  /** Other days without a session. */
  holidays: number;
}

/** Good bars of a series that has some on days without a session. */
export interface ClosedDayCounts extends Counts {
  /** Such days from its first bar to its last. */
  spanned: Counts;
  firstDay: number;
  lastDay: number;
  /** Bars of other days. */
  openBars: number;
}

/** Weekends and holidays that a market shows by trading on them, and the part of all of them. */
const WEEKENDS_MIN = 4;
const WEEKEND_SHARE_MIN = 0.5;
const HOLIDAYS_MIN = 3;
const HOLIDAY_SHARE_MIN = 1 / 3;
/** Bars from which days without a session are too many for wrong dates, and their part of all. */
const BARS_MIN = 4;
const BAR_SHARE_MIN = 1 / 4;
const OPEN_BARS_MIN = 3;

/**
 * Returns true for bars of another market, which trades on most of the weekends, as currencies do, or
 * on many holidays of New York, as foreign shares do. A few bars show it by leaving no day out: of a
 * wrong date, the right one is missing.
 */
export function isOtherMarket(counts: ClosedDayCounts): boolean {
  const { saturdays, sundays, holidays, spanned, openBars } = counts;
  const bars = saturdays + sundays + holidays;
  const areMany = (count: number, days: number) =>
    count >= WEEKENDS_MIN && count >= days * WEEKEND_SHARE_MIN;
  return (
    areMany(saturdays, spanned.saturdays) ||
    areMany(sundays, spanned.sundays) ||
    (holidays >= HOLIDAYS_MIN && holidays >= spanned.holidays * HOLIDAY_SHARE_MIN) ||
    (bars >= BARS_MIN && bars >= (bars + openBars) * BAR_SHARE_MIN) ||
    areComplete(counts)
  );
}

/**
 * Counts the bars of a series by its days, in rising order.
 * @param filledDays Days without a session that a row only fills.
 */
export function closedDayCounts(
  days: ArrayLike<number>,
  filledDays: readonly number[] = [],
): ClosedDayCounts {
  const [firstDay, lastDay] = [days[0], days[days.length - 1]];
  const filled = new Set(filledDays);
  const own = { saturdays: 0, sundays: 0, holidays: 0 };
  for (let i = 0; i < days.length; i++) if (!filled.has(days[i])) count(own, days[i]);
  const spanned = closedDaysOf(
    Math.max(firstDay, CALENDAR_FIRST_DAY),
    Math.min(lastDay, CALENDAR_LAST_DAY),
  );
  const closed = own.saturdays + own.sundays + own.holidays;
  return { ...own, spanned, firstDay, lastDay, openBars: days.length - filled.size - closed };
}

/** Counts the days without a session between two, both included. */
function closedDaysOf(firstDay: number, lastDay: number): Counts {
  // Day 3 is a Sunday.
  const weeks = (day: number, weekday: number) => Math.floor((day - 3 - weekday) / 7);
  const weekdays = (weekday: number) => weeks(lastDay, weekday) - weeks(firstDay - 1, weekday);
  const holidays = closedWeekdays().filter((day) => day >= firstDay && day <= lastDay).length;
  return { saturdays: weekdays(6), sundays: weekdays(0), holidays };
}

function count(counts: Counts, day: number): void {
  if (!isClosedDay(day)) return;
  const weekday = weekdayFromDay(day);
  if (weekday === 6) counts.saturdays++;
  else if (weekday === 0) counts.sundays++;
  else counts.holidays++;
}

/** True if its holidays are too few to show New York's market. */
export function spansFewHolidays({ spanned }: ClosedDayCounts): boolean {
  return spanned.holidays < HOLIDAYS_MIN;
}

/** A bar of a holiday, and the days of the bars around it; null for none. */
export interface HolidayBar {
  day: number;
  dayBefore: number | null;
  dayAfter: number | null;
}

/** Returns true if no session next to the holiday lacks a bar, which a wrong date would leave out. */
export function isBetweenSessions({ day, dayBefore, dayAfter }: HolidayBar): boolean {
  return (
    dayBefore !== null &&
    dayAfter !== null &&
    sessionSteps(dayBefore, day) === 0 &&
    sessionSteps(day, dayAfter) === 1
  );
}

function areComplete({ spanned, firstDay, lastDay, openBars, ...own }: ClosedDayCounts): boolean {
  if (openBars < OPEN_BARS_MIN || isClosedDay(firstDay) || isClosedDay(lastDay)) return false;
  if (firstDay < CALENDAR_FIRST_DAY || lastDay > CALENDAR_LAST_DAY) return false;
  const hasWeekends = own.saturdays + own.sundays > 0;
  return (
    openBars >= sessionsBetween(firstDay, lastDay).length &&
    own.holidays === spanned.holidays &&
    (!hasWeekends || (own.saturdays === spanned.saturdays && own.sundays === spanned.sundays))
  );
}
