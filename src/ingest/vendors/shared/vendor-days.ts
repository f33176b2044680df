/** From which day on a vendor is asked, so that only what is new is fetched. Pure. */

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

/** @throws {ParameterError} `--interval` is one that the vendors are not asked for. */
export function vendorInterval({ interval = '1d' }: SourceOptions): VendorInterval {
  if (interval === '1d' || interval === '1m') return interval;
  throw new ParameterError('interval', `interval must be 1d or 1m here, got "${interval}"`);
}

/**
 * The days that are missing of a symbol whose bars are stored through `storedDay`.
 *
 * @param firstDay Where the vendor's history starts, for a symbol of which nothing is stored.
 * @returns undefined when nothing is missing. The last stored day is asked again for bars of
 *   minutes: it may not be complete.
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

/**
 * The first day of a day's month. What is said of splits and dividends starts there, so that the
 * statements of a month replace one another instead of piling up.
 */
export function monthStart(day: number): number {
  return dayFromDate(`${dateFromDay(day).slice(0, 7)}-01`);
}
