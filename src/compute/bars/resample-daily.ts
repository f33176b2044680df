/** Weekly and monthly bars from daily ones. */

import {
  type BarColumns,
  MILLIS_PER_DAY,
  microsFromMillis,
  millisFromMicros,
} from '../../base/bars.ts';
import { dayFromMillis, weekdayFromDay } from '../../base/time/dates.ts';
import { combineBars } from './combine-bars.ts';

function mondayFromDay(day: number): number {
  return day - ((weekdayFromDay(day) + 6) % 7);
}

/**
 * Returns the first day of a day's month, counted in eras of 400 years from 1 March of the year 0
 * on: a Date per month takes longer than combining the bars.
 */
function firstOfMonthFromDay(day: number): number {
  const sinceMarch = day + 719_468;
  const dayOfEra = sinceMarch - Math.floor(sinceMarch / 146_097) * 146_097;
  const leapDays =
    Math.floor(dayOfEra / 1460) - Math.floor(dayOfEra / 36_524) + Math.floor(dayOfEra / 146_096);
  const yearOfEra = Math.floor((dayOfEra - leapDays) / 365);
  const dayOfYear =
    dayOfEra - 365 * yearOfEra - Math.floor(yearOfEra / 4) + Math.floor(yearOfEra / 100);
  // Months from March on have 153 days in every five.
  const month = Math.floor((5 * dayOfYear + 2) / 153);
  return day - dayOfYear + Math.floor((153 * month + 2) / 5);
}

/**
 * Combines daily bars by week or month. A period without trading has no bar; the running one has.
 *
 * @param bars Daily bars on one price basis, stamped at 00:00Z.
 * @returns New columns; `1w` bars are stamped with their Monday, `1M` bars with the first of the
 *   month, at 00:00Z.
 */
export function resampleDaily(bars: BarColumns, interval: '1w' | '1M'): BarColumns {
  const { start, timestampUs } = groupsOfPeriods(bars.timestampUs, interval);
  return combineBars(bars, { timestampUs, start, end: [...start.slice(1), bars.close.length] });
}

export function periodStartMs(timeMs: number, interval: '1w' | '1M'): number {
  const day = dayFromMillis(timeMs);
  const first = interval === '1w' ? mondayFromDay(day) : firstOfMonthFromDay(day);
  return first * MILLIS_PER_DAY;
}

/** Returns a `periodStartMs` that caches its last result. */
export function periodStarts(interval: '1w' | '1M'): (dayMs: number) => number {
  let lastMs = Number.NaN;
  let startMs = Number.NaN;
  return (dayMs) => {
    if (dayMs !== lastMs) {
      lastMs = dayMs;
      startMs = periodStartMs(dayMs, interval);
    }
    return startMs;
  };
}

function groupsOfPeriods(
  timestampUs: BigInt64Array,
  interval: '1w' | '1M',
): { start: number[]; timestampUs: BigInt64Array } {
  const firstOfPeriod = interval === '1w' ? mondayFromDay : firstOfMonthFromDay;
  const timestampMs = millisFromMicros(timestampUs);
  const start: number[] = [];
  const startsMs: number[] = [];
  let nextPeriodMs = Number.NEGATIVE_INFINITY;
  for (let row = 0; row < timestampMs.length; row++) {
    if (timestampMs[row] < nextPeriodMs) continue;
    const first = firstOfPeriod(dayFromMillis(timestampMs[row]));
    // 31 days on is always another month.
    const next = interval === '1w' ? first + 7 : firstOfMonthFromDay(first + 31);
    start.push(row);
    startsMs.push(first * MILLIS_PER_DAY);
    nextPeriodMs = next * MILLIS_PER_DAY;
  }
  return { start, timestampUs: microsFromMillis(startsMs) };
}
