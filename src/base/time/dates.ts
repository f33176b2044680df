/** Calendar dates as day numbers: days since 1970-01-01. */

import { MICROS_PER_MILLI, MILLIS_PER_DAY, millisFromMicros } from '../bars.ts';
import { ParameterError } from '../errors.ts';
import { quoted } from '../quoted.ts';

const DATE_SHAPE = /^\d{4}-\d{2}-\d{2}$/;

/**
 * Returns the day number of a `YYYY-MM-DD` date.
 *
 * @param field Name of the parameter in the error.
 * @throws {ParameterError} `text` is not a date of the calendar.
 */
export function dayFromDate(text: string, field = 'date'): number {
  if (!DATE_SHAPE.test(text)) {
    throw new ParameterError(field, `${field} must be a date like 2026-01-31, got ${quoted(text)}`);
  }
  const ms = Date.parse(`${text}T00:00:00Z`);
  // Date.parse rolls 2026-02-30 over to March on some engines; the round trip shows it.
  if (Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== text) {
    throw new ParameterError(field, `${field} must be a day of the calendar, got ${quoted(text)}`);
  }
  return ms / MILLIS_PER_DAY;
}

/** Days from 1970 to 2051, whose dates are kept: a megabyte at most. */
const KEPT_DAYS = 30_000;
const keptDates = new Array<string | undefined>(KEPT_DAYS);

/** Returns the `YYYY-MM-DD` date of a day number. Writing one takes a microsecond, lists have many. */
export function dateFromDay(day: number): string {
  const kept = keptDates[day];
  if (kept !== undefined) return kept;
  const date = new Date(day * MILLIS_PER_DAY).toISOString().slice(0, 10);
  if (Number.isInteger(day) && day >= 0 && day < KEPT_DAYS) keptDates[day] = date;
  return date;
}

/** Returns the day number, in UTC, of a moment in milliseconds. */
export function dayFromMillis(ms: number): number {
  return Math.floor(ms / MILLIS_PER_DAY);
}

/** Returns the day number, in UTC, of a moment in microseconds. */
export function dayFromMicros(us: number): number {
  return Math.floor(us / (MICROS_PER_MILLI * MILLIS_PER_DAY));
}

/** Returns the midnight UTC of a day number, in microseconds. */
export function microsFromDay(day: number): number {
  return day * MILLIS_PER_DAY * MICROS_PER_MILLI;
}

/** Returns the day numbers, in UTC, of a column of timestamps in microseconds. */
export function daysOfTimestamps(timestampUs: BigInt64Array): Int32Array {
  const days = new Int32Array(timestampUs.length);
  const millis = millisFromMicros(timestampUs);
  for (let i = 0; i < days.length; i++) days[i] = dayFromMillis(millis[i]);
  return days;
}

/** Returns the weekday of a day number: 0 = Sunday … 6 = Saturday. */
export function weekdayFromDay(day: number): number {
  return (((day + 4) % 7) + 7) % 7;
}

/** Returns a moment as an ISO date-time in UTC. */
export function isoOrNull(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}

/** Returns the same day of an earlier month, or of a later one below 0; undefined for none, as 30 February. */
export function monthsEarlier(day: number, months: number): number | undefined {
  const date = new Date(day * MILLIS_PER_DAY);
  const dayOfMonth = date.getUTCDate();
  date.setUTCMonth(date.getUTCMonth() - months);
  return date.getUTCDate() === dayOfMonth ? date.getTime() / MILLIS_PER_DAY : undefined;
}
