import { ParameterError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits.ts';
import {
  latestCompletedSession,
  previousSession,
  sessionsBetween,
} from '../../../base/time/calendar.ts';
import { dateFromDay, dayFromDate, dayFromMillis } from '../../../base/time/dates.ts';
import type { SourceOptions } from '../../contract/source-options.ts';
import type { VendorInterval } from './vendor-bars.ts';

/** Days, both included. */
export interface DayRange {
  fromDay: number;
  toDay: number;
}

/** Returns the interval to request. @throws {ParameterError} vendors do not serve it. */
export function vendorInterval({ interval = '1d' }: SourceOptions): VendorInterval {
  if (interval === '1d' || interval === '1m') return interval;
  throw new ParameterError('interval', `interval must be 1d or 1m here, got "${interval}"`);
}

/** Options of `missingDays`. */
interface AskedAgain {
  interval: VendorInterval;
  nowMs: number;
  /** Newest stored sessions to ask for again; of minutes it is the newest day. */
  overlapSessions: number;
}

/**
 * Returns the missing days of a symbol and the newest stored ones, which the vendor may have
 * corrected since; undefined where nothing is missing.
 * @param firstDay Start of the vendor's history, for a symbol without stored bars.
 */
export function missingDays(
  storedDay: number | undefined,
  firstDay: number,
  { fromDay, toDay }: SourceOptions,
  { interval, nowMs, overlapSessions }: AskedAgain,
): DayRange | undefined {
  const newest = interval === '1d' ? latestCompletedSession(nowMs) : dayFromMillis(nowMs);
  const last = Math.min(newest, toDay ?? newest);
  if (fromDay !== undefined || storedDay === undefined) {
    const range = { fromDay: fromDay ?? firstDay, toDay: last };
    return range.fromDay <= range.toDay ? range : undefined;
  }
  if (interval === '1m') return storedDay <= last ? { fromDay: storedDay, toDay: last } : undefined;
  if (storedDay >= last) return undefined;
  return { fromDay: newestSessionsFrom(storedDay, overlapSessions), toDay: last };
}

/** Returns the first of the `sessions` newest sessions up to a stored session. */
export function newestSessionsFrom(storedDay: number, sessions: number): number {
  let day = storedDay;
  for (let session = 1; session < sessions; session++) day = previousSession(day);
  return day;
}

/**
 * Lists the missing sessions of the whole market and the newest stored one, ascending.
 * @param firstDay Start of the vendor's history, for a store without a whole market.
 */
export function marketSessions(options: SourceOptions, firstDay: number, nowMs: number): number[] {
  const overlapSessions = limits.overlapSessions.ofMarket;
  const asked = { interval: '1d', nowMs, overlapSessions } as const;
  const range = missingDays(options.wholeMarketDay, firstDay, options, asked);
  return range ? [...sessionsBetween(range.fromDay, range.toDay)] : [];
}

/** Returns the first day of a month, on which records of splits and dividends start. */
export function monthStart(day: number): number {
  return dayFromDate(`${dateFromDay(day).slice(0, 7)}-01`);
}
