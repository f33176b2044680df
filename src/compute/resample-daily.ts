/** Weekly and monthly bars from daily ones. */

import { type BarColumns, MILLIS_PER_DAY, microsFromMillis, millisFromMicros } from '../bars.ts';
import { dayFromMillis, weekdayFromDay } from '../dates.ts';
import { combineBars } from './combine-bars.ts';

/** Monday of the week of a day; a Sunday belongs to the week before. */
function mondayFromDay(day: number): number {
  return day - ((weekdayFromDay(day) + 6) % 7);
}

/** First day of the month of a day. */
function firstOfMonthFromDay(day: number): number {
  return day + 1 - new Date(day * MILLIS_PER_DAY).getUTCDate();
}

/**
 * Daily bars put together by week or month: first open, highest high, lowest low, last close,
 * sum of volume. A week without trading has no bar; the running week or month has one.
 *
 * @param bars Daily bars on one price basis, stamped at 00:00Z.
 * @returns New columns; `1w` bars are stamped with their Monday, `1M` bars with the first of the
 *   month, at 00:00Z.
 */
export function resampleDaily(bars: BarColumns, interval: '1w' | '1M'): BarColumns {
  const { start, timestampUs } = periodStarts(bars.timestampUs, interval);
  return combineBars(bars, { timestampUs, start, end: [...start.slice(1), bars.close.length] });
}

/** First row and time stamp of each period that has a bar. */
function periodStarts(
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
    // Eight days on is always another week, 31 days on always another month.
    const next = firstOfPeriod(first + (interval === '1w' ? 8 : 31));
    start.push(row);
    startsMs.push(first * MILLIS_PER_DAY);
    nextPeriodMs = next * MILLIS_PER_DAY;
  }
  return { start, timestampUs: microsFromMillis(startsMs) };
}
