/** Signs that a single new bar is no next bar of its series: another date, unit or length. */

import { MILLIS_PER_DAY } from '../bars.ts';
import { nextSession } from '../time/calendar.ts';

/** Days after the bar before from which a date may be years off. */
const APART_DAYS = 20;
const YEARS_MAX = 10;

/** Returns the next session of a series if a day means it and is years late. */
export function sessionYearsBefore(day: number, dayBefore: number): number | undefined {
  if (day - dayBefore <= APART_DAYS) return undefined;
  const next = nextSession(dayBefore);
  const date = new Date(day * MILLIS_PER_DAY);
  for (let years = 1; years <= YEARS_MAX; years++) {
    const meant = new Date(date).setUTCFullYear(date.getUTCFullYear() - years) / MILLIS_PER_DAY;
    if (meant === next) return meant;
  }
  return undefined;
}

/** Move from which a close is in another unit: of 1.99 million real bars none moves so far. */
const TENFOLD_MIN = 8;

export function isTenfold(close: number, before: number): boolean {
  return Math.max(close / before, before / close) >= TENFOLD_MIN;
}
