/** Signs that a single new bar is no next bar of its series: another date, unit or length. */

import { nextSession } from '../time/calendar.ts';
import { monthsEarlier } from '../time/dates.ts';

/** Days after the bar before from which a date may be months or years off. */
export const APART_DAYS = 20;
const MONTHS_MAX = 120;

/** Returns the next session of a series if a day means it and is months or years late. */
export function sessionMonthsBefore(day: number, dayBefore: number): number | undefined {
  if (day - dayBefore <= APART_DAYS) return undefined;
  const next = nextSession(dayBefore);
  for (let months = 1; months <= MONTHS_MAX; months++) {
    if (monthsEarlier(day, months) === next) return next;
  }
  return undefined;
}

/** Move from which a close is in another unit: of 1.99 million real bars none moves so far. */
const TENFOLD_MIN = 8;

export function isTenfold(close: number, before: number): boolean {
  return Math.max(close / before, before / close) >= TENFOLD_MIN;
}
