/** Reads dates of feeds: RFC 822 with all its broken forms, and ISO 8601. Pure. */

import { MILLIS_PER_DAY } from '../../../base/bars.ts';
import { newYorkOffsetMs } from '../../../base/time/calendar.ts';

const MILLIS_PER_HOUR = 3_600_000;
const MILLIS_PER_MINUTE = 60_000;

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** Matches `Fri, 20 Nov 2026 09:30:05 EST`. Weekday, seconds, time and zone may be missing. */
const RFC_822 =
  /^(?:[a-z]{3,9}\.?,?\s+)?(\d{1,2})[\s-]([a-z]{3})[a-z]*\.?,?[\s-](\d{4}|\d{2})(?:,?\s+(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?\s*([ap]m)?)?\s*(.*)$/i;

/** Matches `2026-11-20T09:30:05.123Z`. A blank instead of the T and a missing zone are common. */
const ISO_8601 =
  /^(\d{4})-(\d{2})-(\d{2})(?:(?:T|\s+)(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?)?\s*(.*)$/i;

const OFFSET = /^(?:GMT|UTC|UT)?\s*([+-])(\d{1,2}):?(\d{2})?\b/i;

/** Hours from UTC. Names for standard time and for daylight time keep their own offset all year. */
const ZONE_HOURS: Readonly<Record<string, number>> = {
  EST: -5,
  EDT: -4,
  CST: -6,
  CDT: -5,
  MST: -7,
  MDT: -6,
  PST: -8,
  PDT: -7,
  AKST: -9,
  AKDT: -8,
  HST: -10,
  BST: 1,
  WET: 0,
  WEST: 1,
  CET: 1,
  CEST: 2,
  EET: 2,
  EEST: 3,
  JST: 9,
  HKT: 8,
  SGT: 8,
  AEST: 10,
  AEDT: 11,
};

/** Hours from New York of zone names that fit both standard and daylight time. */
const US_ZONES: Readonly<Record<string, number>> = {
  ET: 0,
  EASTERN: 0,
  CT: -1,
  CENTRAL: -1,
  MT: -2,
  MOUNTAIN: -2,
  PT: -3,
  PACIFIC: -3,
};

/**
 * Milliseconds since the epoch, or undefined for a text that is not a date. A missing or unknown
 * zone counts as UTC. Two-digit years are in 1950 to 2049.
 */
export function millisFromFeedDate(text: string): number | undefined {
  const trimmed = text.trim().slice(0, 100);
  const iso = ISO_8601.exec(trimmed);
  if (iso) {
    const [, year, month, day, ...clock] = iso;
    return moment([Number(year), Number(month), Number(day)], clock);
  }
  const rfc = RFC_822.exec(trimmed);
  if (!rfc) return undefined;
  const [, day, name, year, hour, minute, second, half, zone] = rfc;
  const month = MONTHS.indexOf(name.toLowerCase()) + 1;
  const clock = [hourOfHalf(hour, half), minute, second, zone];
  return moment([fullYear(year), month, Number(day)], clock);
}

function fullYear(text: string): number {
  if (text.length === 4) return Number(text);
  return Number(text) + (Number(text) < 50 ? 2000 : 1900);
}

function hourOfHalf(hour: string | undefined, half: string | undefined): string | undefined {
  if (hour === undefined || half === undefined) return hour;
  return String((Number(hour) % 12) + (half.toLowerCase() === 'pm' ? 12 : 0));
}

function moment(
  [year, month, day]: [year: number, month: number, day: number],
  [hour = '0', minute = '0', second = '0', zone = '']: readonly (string | undefined)[],
): number | undefined {
  const dayMs = Date.UTC(year, month - 1, day);
  const date = new Date(dayMs);
  const isDate = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  const clockMs =
    Number(hour) * MILLIS_PER_HOUR + Number(minute) * MILLIS_PER_MINUTE + Number(second) * 1000;
  // A leap second is the first second of the next minute.
  const isClock = Number(minute) < 60 && Number(second) <= 60 && clockMs <= MILLIS_PER_DAY;
  return isDate && isClock ? dayMs + clockMs - offsetMs(zone, dayMs + clockMs) : undefined;
}

function offsetMs(zone: string, clockMs: number): number {
  const offset = OFFSET.exec(zone);
  if (offset) {
    const [, sign, hours, minutes = '0'] = offset;
    const ms = Number(hours) * MILLIS_PER_HOUR + Number(minutes) * MILLIS_PER_MINUTE;
    return ms >= MILLIS_PER_DAY ? 0 : sign === '-' ? -ms : ms;
  }
  const name = /^[a-z]+/i.exec(zone)?.[0].toUpperCase() ?? '';
  if (Object.hasOwn(US_ZONES, name)) {
    // Clocks change at night. Five hours later the offset is the same, except in two nights a year.
    const newYorkMs = newYorkOffsetMs(clockMs + 5 * MILLIS_PER_HOUR);
    return newYorkMs + US_ZONES[name] * MILLIS_PER_HOUR;
  }
  return (Object.hasOwn(ZONE_HOURS, name) ? ZONE_HOURS[name] : 0) * MILLIS_PER_HOUR;
}
