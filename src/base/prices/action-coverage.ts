/** Days for which all splits or dividends of a symbol are known. */

import { dayFromMicros } from '../time/dates.ts';

/** Dates, both included. */
export interface DaySpan {
  fromDay: number;
  toDay: number;
}

/** Dates for which all splits are known, and those for which all dividends are. */
export interface ActionCoverage extends DaySpan {
  /** Dates of dividends; undefined for those of splits, null for none. */
  dividends?: DaySpan | null;
}

/** Returns the dates for which all dividends are known. */
export function dividendDays(coverage: ActionCoverage): DaySpan | null {
  return coverage.dividends === undefined ? coverage : coverage.dividends;
}

/** First and last bar of a series, and what is known of its actions. */
interface KnownSpan {
  actionCoverage: ActionCoverage | undefined;
  firstBarUs: bigint;
  lastBarUs: bigint;
}

/** Returns true if all dividends between the first and the last bar are known. */
export function knowsDividends(source: KnownSpan): boolean {
  const { actionCoverage, firstBarUs, lastBarUs } = source;
  const days = actionCoverage && dividendDays(actionCoverage);
  return days ? isWithin([firstBarUs, lastBarUs], days) : false;
}

/** Returns true if all splits between the first and the last bar are known. */
export function knowsSplits({ actionCoverage, firstBarUs, lastBarUs }: KnownSpan): boolean {
  return actionCoverage ? isWithin([firstBarUs, lastBarUs], actionCoverage) : false;
}

function isWithin([firstUs, lastUs]: [bigint, bigint], { fromDay, toDay }: DaySpan): boolean {
  return fromDay <= dayFromMicros(Number(firstUs)) && toDay >= dayFromMicros(Number(lastUs));
}
