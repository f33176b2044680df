/** Finds a date at the end or start of a series that is months or years off, by the hole it leaves. */

import { monthsEarlier } from '../../base/time/dates.ts';
import { isTradingDay, sessionSteps } from './week-days.ts';

export interface Misdated {
  day: number;
  /** Session without a bar that the date means. */
  meantDay: number;
  /** Length in which the date is off. */
  unit: 'months' | 'years';
}

/** Bars of the others, of which the nearest are this close to one another; more where any day may be meant. */
const OTHERS_MIN = 2;
const OTHERS_OF_HOLES_MIN = 4;
const NEAR_DAYS = 10;
/** The date is apart from all others by more days. */
export const APART_DAYS = 20;
const MONTHS_MAX = 120;
/** Part of the sessions that the others lack at most: in a thin share any date may be missing. */
const HOLE_SHARE_MAX = 0.01;

/**
 * @param days Dates of one symbol, each once, in rising order.
 * @returns the newest date if it is that of a missing session some years later, or of the next
 *   session some months later; the oldest one the other way round. Undefined for all others, such as
 *   the first bar after a long halt.
 */
export function misdatedEnd(days: readonly number[]): Misdated | undefined {
  return misdated(days.slice(0, -1), days.at(-1)) ?? misdated(days.slice(1), days[0]);
}

function misdated(others: readonly number[], day: number | undefined): Misdated | undefined {
  const { length } = others;
  if (day === undefined || length < OTHERS_MIN) return undefined;
  const isNewest = day > others[length - 1];
  const [end, next] = isNewest ? [others[length - 1], others[length - 2]] : [others[0], others[1]];
  if (Math.abs(day - end) <= APART_DAYS || Math.abs(end - next) > NEAR_DAYS) return undefined;
  if (holesOf(others) > 1 + length * HOLE_SHARE_MAX) return undefined;
  const known = new Set(others);
  const expected = sessionBeside(end, isNewest ? 1 : -1);
  for (let months = 1; months <= MONTHS_MAX; months++) {
    const meantDay = monthsEarlier(day, isNewest ? months : -months);
    if (meantDay === undefined) continue;
    const isOfYears = months % 12 === 0;
    // Whole years off, the meant day may also be a hole of a long series.
    const mayBeHole = isOfYears && length >= OTHERS_OF_HOLES_MIN;
    const isMeant = meantDay === expected || (mayBeHole && isHole(meantDay, known));
    if (isMeant) return { day, meantDay, unit: isOfYears ? 'years' : 'months' };
  }
  return undefined;
}

/** Counts the sessions without a bar from the first date to the last. */
function holesOf(days: readonly number[]): number {
  return sessionSteps(days[0] - 1, days[days.length - 1]) - days.filter(isTradingDay).length;
}

/** Returns true for a session without a bar whose neighbours have one, on a side at least. */
function isHole(day: number, known: ReadonlySet<number>): boolean {
  if (known.has(day) || !isTradingDay(day)) return false;
  return known.has(sessionBeside(day, -1)) || known.has(sessionBeside(day, 1));
}

function sessionBeside(day: number, step: 1 | -1): number {
  let beside = day + step;
  while (!isTradingDay(beside)) beside += step;
  return beside;
}
