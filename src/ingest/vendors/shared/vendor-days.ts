import { ParameterError } from '../../../base/errors.ts';
import { latestCompletedSession, nextSession } from '../../../base/time/calendar.ts';
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

/**
 * Returns the missing days of a symbol; undefined where nothing is missing. For minutes the last
 * stored day comes again: it may not be complete.
 * @param firstDay Start of the vendor's history, for a symbol without stored bars.
 */
export function missingDays(
  storedDay: number | undefined,
  firstDay: number,
  { fromDay, toDay }: SourceOptions,
  { interval, nowMs }: { interval: VendorInterval; nowMs: number },
): DayRange | undefined {
  const newest = interval === '1d' ? latestCompletedSession(nowMs) : dayFromMillis(nowMs);
  const afterStored =
    storedDay === undefined ? firstDay : interval === '1d' ? nextSession(storedDay) : storedDay;
  const range = { fromDay: fromDay ?? afterStored, toDay: Math.min(newest, toDay ?? newest) };
  return range.fromDay <= range.toDay ? range : undefined;
}

/** Returns the first day of a month, on which records of splits and dividends start. */
export function monthStart(day: number): number {
  return dayFromDate(`${dateFromDay(day).slice(0, 7)}-01`);
}
