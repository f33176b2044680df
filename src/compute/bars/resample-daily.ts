/** Weekly and monthly bars from daily ones. */

import {
  type BarColumns,
  MILLIS_PER_DAY,
  microsFromMillis,
  millisFromMicros,
} from '../../base/bars.ts';
import { dayFromMillis, weekdayFromDay } from '../../base/time/dates.ts';
import { combineBars } from './combine-bars.ts';

/** Returns the first day of a day's week, which begins on Monday, or month, and of the next one. */
export function periodDays(day: number, interval: '1w' | '1M'): [first: number, next: number] {
  if (interval === '1w') {
    const monday = day - ((weekdayFromDay(day) + 6) % 7);
    return [monday, monday + 7];
  }
  const date = new Date(day * MILLIS_PER_DAY);
  const first = day - date.getUTCDate() + 1;
  return [first, Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1) / MILLIS_PER_DAY];
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
  return periodDays(dayFromMillis(timeMs), interval)[0] * MILLIS_PER_DAY;
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
  const timestampMs = millisFromMicros(timestampUs);
  const start: number[] = [];
  const startsMs: number[] = [];
  let nextPeriodMs = Number.NEGATIVE_INFINITY;
  for (let row = 0; row < timestampMs.length; row++) {
    if (timestampMs[row] < nextPeriodMs) continue;
    const [first, next] = periodDays(dayFromMillis(timestampMs[row]), interval);
    start.push(row);
    startsMs.push(first * MILLIS_PER_DAY);
    nextPeriodMs = next * MILLIS_PER_DAY;
  }
  return { start, timestampUs: microsFromMillis(startsMs) };
}
