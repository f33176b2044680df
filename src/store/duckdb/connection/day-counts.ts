/** Counts over the dates of a series. They show bars of weeks and months, and days off. */

import { closedWeekdays } from '../../../base/time/closed-days.ts';
import { dateFromDay } from '../../../base/time/dates.ts';

/** A day is left out between two dates that are as far apart as this. */
const SKIP_DAYS = 2;
/** Two steps over a single holiday and a weekend, which daily bars have each year. */
const HOLIDAY_DAYS = 5;
/** Steps are even if they differ by this or less: holidays move dates, and a week may be missing. */
const EVEN_DAYS = 7;
const SLOW_MIN = 2;
/** Two steps, of which one leaves weeks out. */
const FAR_DAYS = 24;

export interface DayCounts {
  days: number;
  /** Dates after two even steps that both leave days out. */
  slow: number;
  weekends: number;
  /** Other dates without a session; undefined if they are judged elsewhere. */
  holidays?: number;
  /** Dates far from those before; undefined if they are judged elsewhere. */
  far?: number;
  /** Dates a day after the one before; undefined if the first rows have been looked at. */
  nextDays?: number;
}

/**
 * Returns true for dates that leave days out evenly, of which none is a day after another, or on
 * days without a session. Most series have neither, so that one pass over counts finds the others.
 */
export function needLook({
  days,
  slow,
  weekends,
  holidays = 0,
  far = 0,
  nextDays,
}: DayCounts): boolean {
  const areApart = days > 1 && nextDays === 0;
  return (
    areApart || weekends + holidays + far > 0 || slow >= Math.max(1, Math.min(SLOW_MIN, days - 3))
  );
}

/** Counts dates in rising order, each once. */
export function dayCounts(days: readonly number[]): DayCounts {
  const isSlow = (day: number, at: number) => {
    const [earlier, before] = [days[at - 2], days[at - 1]];
    const [step, stepBefore] = [day - before, before - earlier];
    if (Math.min(step, stepBefore) < SKIP_DAYS || day - earlier === HOLIDAY_DAYS) return false;
    return Math.abs(step - stepBefore) <= EVEN_DAYS;
  };
  const isWeekend = (day: number) => [2, 3].includes(((day % 7) + 7) % 7);
  return {
    days: days.length,
    slow: days.filter(isSlow).length,
    weekends: days.filter(isWeekend).length,
    nextDays: days.filter((day, at) => day - days[at - 1] === 1).length,
  };
}

/**
 * SQL of the columns `is_slow`, `is_weekend`, `is_far` and `is_next_day` of a date, which `DayCounts` counts. A modulo is
 * cheaper than a weekday.
 * @param us Microseconds of a date since the epoch, as an expression.
 * @param before The same of the date before, and `earlier` of the one before that; NULL for none.
 */
export function dayFlagsSql(us: string, before: string, earlier: string): string {
  const isEven = `abs(${us} - 2 * ${before} + ${earlier}) <= ${EVEN_DAYS * DAY_US}`;
  return `${us} - ${before} >= ${SKIP_DAYS * DAY_US} AND ${before} - ${earlier} >= ${SKIP_DAYS * DAY_US}
      AND ${us} - ${earlier} <> ${HOLIDAY_DAYS * DAY_US} AND ${isEven} AS is_slow,
    (${us} + ${TO_MONDAY_US}) % ${7 * DAY_US} >= ${5 * DAY_US} AS is_weekend,
    ${us} - ${earlier} >= ${FAR_DAYS * DAY_US} AS is_far,
    ${us} - ${before} = ${DAY_US} AS is_next_day`;
}

/** Days, both inclusive. */
export interface DayRange {
  fromDay: number;
  toDay: number;
}

/**
 * SQL that is true for a weekday without a session. Of whole columns, a list of days is cheap; to
 * plan one of all years takes as long as a small load.
 *
 * @param range Days of all rows; undefined: any.
 */
export function isHolidaySql(ts: string, range?: DayRange): string {
  const { fromDay, toDay } = range ?? { fromDay: -Infinity, toDay: Infinity };
  const days = closedWeekdays().filter((day) => day >= fromDay && day <= toDay);
  if (days.length === 0) return 'false';
  return `${ts} IN (${days.map((day) => `TIMESTAMP '${dateFromDay(day)}'`).join(', ')})`;
}

const DAY_US = 86_400_000_000;
/** Moves a time to one after a Monday long ago, so that no time is negative. Day 0 is a Thursday. */
const TO_MONDAY_US = (7 * 10_000 + 3) * DAY_US;
