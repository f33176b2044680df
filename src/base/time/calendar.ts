/**
 * Exchange calendar (XNYS): the days with a session from 1962 to 2035, and their opening and
 * closing times. Days are numbers since the epoch, moments are milliseconds UTC.
 *
 * The first call builds the table from `calendar-rules.ts`, in about 10 ms.
 */

import { MILLIS_PER_DAY } from '../bars.ts';
import { ParameterError } from '../errors.ts';
import {
  CLOSURES,
  earlyCloses,
  holidays,
  nthWeekday,
  paperworkWednesdays,
  regularHours,
} from './calendar-rules.ts';
import { dateFromDay, dayFromDate, dayFromMillis, weekdayFromDay } from './dates.ts';
import type { StoredIntraday } from './intervals.ts';

const MILLIS_PER_MINUTE = 60_000;
const MILLIS_PER_HOUR = 3_600_000;
const SUNDAY = 0;
const USUAL_CLOSE_MS = 16 * MILLIS_PER_HOUR;

/** First and last day of the calendar; both included. */
export const CALENDAR_FIRST_DAY = dayFromDate('1962-01-01');
export const CALENDAR_LAST_DAY = dayFromDate('2035-12-31');

interface SessionTable {
  /** Days with a session, ascending. */
  days: Int32Array;
  /** Minutes after midnight in New York, by session. */
  open: Int16Array;
  close: Int16Array;
  /** Number of earlier sessions, by day since `CALENDAR_FIRST_DAY`. */
  sessionsBefore: Int32Array;
}

let table: SessionTable | undefined;

function sessions(): SessionTable {
  table ??= buildTable();
  return table;
}

function buildTable(): SessionTable {
  const closed = new Set(CLOSURES.map(([date]) => dayFromDate(date)));
  const early = new Map<number, number>();
  const lastYear = new Date(CALENDAR_LAST_DAY * MILLIS_PER_DAY).getUTCFullYear();
  for (let year = 1962; year <= lastYear; year++) {
    for (const day of holidays(year)) closed.add(day);
    for (const [day, minutes] of earlyCloses(year)) early.set(day, minutes);
  }
  for (const day of paperworkWednesdays((d) => closed.has(d))) closed.add(day);

  const days: number[] = [];
  const sessionsBefore = new Int32Array(CALENDAR_LAST_DAY - CALENDAR_FIRST_DAY + 2);
  for (let day = CALENDAR_FIRST_DAY; day <= CALENDAR_LAST_DAY; day++) {
    sessionsBefore[day - CALENDAR_FIRST_DAY] = days.length;
    const weekday = weekdayFromDay(day);
    if (weekday >= 1 && weekday <= 5 && !closed.has(day)) days.push(day);
  }
  sessionsBefore[sessionsBefore.length - 1] = days.length;
  const open = new Int16Array(days.length);
  const close = new Int16Array(days.length);
  for (let i = 0; i < days.length; i++) {
    const hours = regularHours(days[i]);
    open[i] = hours.open;
    close[i] = early.get(days[i]) ?? hours.close;
  }
  return { days: Int32Array.from(days), open, close, sessionsBefore };
}

/** Counts the sessions before a day; `day` may be one past the last. */
function sessionsBefore(day: number): number {
  if (!(day >= CALENDAR_FIRST_DAY && day <= CALENDAR_LAST_DAY + 1)) {
    throw new ParameterError(
      'day',
      `the exchange calendar covers 1962-01-01 to 2035-12-31, got day ${day}`,
    );
  }
  return sessions().sessionsBefore[day - CALENDAR_FIRST_DAY];
}

/** Returns the session at a position of the table. */
function sessionAt(index: number): number {
  const { days } = sessions();
  if (index < 0 || index >= days.length) {
    throw new ParameterError('day', 'the exchange calendar covers 1962-01-01 to 2035-12-31');
  }
  return days[index];
}

function indexOfSession(day: number): number {
  const index = sessionsBefore(day);
  if (sessions().days[index] !== day) {
    throw new ParameterError('day', `${dateFromDay(day)} has no session`);
  }
  return index;
}

/** Returns true if the exchange trades on a day. @throws {ParameterError} as all here. */
export function isSession(day: number): boolean {
  return sessions().days[sessionsBefore(day)] === day;
}

/** Returns the start of a day's session. @throws {ParameterError} the day has none. */
export function sessionOpenMs(day: number): number {
  return newYorkMomentMs(day, sessions().open[indexOfSession(day)]);
}

/** Returns the end of a day's session, when its bar is complete; earlier on half days. */
export function sessionCloseMs(day: number): number {
  return newYorkMomentMs(day, sessions().close[indexOfSession(day)]);
}

/** Returns the end of a day's session; 16:00 in New York if the calendar has none. */
export function sessionEndMs(day: number): number {
  const isKnown = day >= CALENDAR_FIRST_DAY && day <= CALENDAR_LAST_DAY;
  if (isKnown && isSession(day)) return sessionCloseMs(day);
  return momentFromNewYorkClock(day * MILLIS_PER_DAY + USUAL_CLOSE_MS);
}

const INTRADAY_MS = { '1m': MILLIS_PER_MINUTE, '5m': 5 * MILLIS_PER_MINUTE } as const;

/** Returns the end of a regular-session bar; the last of a session may be short. */
export function intradayBarEndMs(startMs: number, interval: StoredIntraday): number {
  return Math.min(startMs + INTRADAY_MS[interval], sessionEndMs(newYorkDay(startMs)));
}

/** Returns the moment at which New York's clocks show a time of a date, in minutes. */
export function newYorkMomentMs(day: number, minutes: number): number {
  return momentFromNewYorkClock(day * MILLIS_PER_DAY + minutes * MILLIS_PER_MINUTE);
}

/** Returns the first session after a day. */
export function nextSession(day: number): number {
  return sessionAt(sessionsBefore(day + 1));
}

/** Returns the last session before a day. */
export function previousSession(day: number): number {
  return sessionAt(sessionsBefore(day) - 1);
}

/**
 * Returns the sessions of a range, both ends included, as a view of the table. Bars may be older
 * than the calendar, which has no session then.
 */
export function sessionsBetween(fromDay: number, toDay: number): Int32Array {
  const [from, to] = [fromDay, toDay + 1].map((day) =>
    Math.min(Math.max(day, CALENDAR_FIRST_DAY), CALENDAR_LAST_DAY + 1),
  );
  const start = sessionsBefore(from);
  return sessions().days.subarray(start, Math.max(start, sessionsBefore(to)));
}

/** Returns the last session that has closed by a moment: later daily bars are not complete. */
export function latestCompletedSession(nowMs: number): number {
  const day = newYorkDay(nowMs);
  return isSession(day) && sessionCloseMs(day) <= nowMs ? day : previousSession(day);
}

/** Returns the date on New York's clocks at a moment. */
export function newYorkDay(nowMs: number): number {
  return dayFromMillis(newYorkClockMs(nowMs));
}

/** Returns the moment at which a date begins in New York. */
export function newYorkMidnightMs(day: number): number {
  return momentFromNewYorkClock(day * MILLIS_PER_DAY);
}

/** Returns the date and time on New York's clocks at a moment, written as if it were UTC. */
export function newYorkClockMs(ms: number): number {
  return ms + newYorkOffsetMs(ms);
}

/**
 * Returns the moment at which New York's clocks show a date and time; the later one of two.
 *
 * @param clockMs The date and time, written as if it were UTC.
 */
export function momentFromNewYorkClock(clockMs: number): number {
  // In winter the moment is five hours later; clocks change by an hour at 6 or 7 o'clock UTC.
  return clockMs - newYorkOffsetMs(clockMs + 5 * MILLIS_PER_HOUR);
}

/** Start and end of daylight saving time by year, for years used so far. */
const daylightByYear = new Map<number, { startMs: number; endMs: number }>();

/**
 * Returns New York's time minus UTC: −5 h, or −4 h in daylight saving time.
 *
 * It follows the law of each era since 1955; earlier moments get the rule of 1955.
 */
export function newYorkOffsetMs(ms: number): number {
  const year = new Date(ms).getUTCFullYear();
  let daylight = daylightByYear.get(year);
  if (!daylight) {
    const { start, end } = daylightSundays(year);
    daylight = {
      // Both changes happen at 2 o'clock of the time that ends.
      startMs: start * MILLIS_PER_DAY + 7 * MILLIS_PER_HOUR,
      endMs: end * MILLIS_PER_DAY + 6 * MILLIS_PER_HOUR,
    };
    daylightByYear.set(year, daylight);
  }
  const isDaylight = ms >= daylight.startMs && ms < daylight.endMs;
  return (isDaylight ? -4 : -5) * MILLIS_PER_HOUR;
}

function daylightSundays(year: number): { start: number; end: number } {
  if (year >= 2007) {
    return { start: nthWeekday(year, 3, SUNDAY, 2), end: nthWeekday(year, 11, SUNDAY, 1) };
  }
  const end = nthWeekday(year, 10, SUNDAY, -1);
  if (year >= 1987) return { start: nthWeekday(year, 4, SUNDAY, 1), end };
  // The oil crisis brought two early springs.
  if (year === 1974) return { start: dayFromDate('1974-01-06'), end };
  if (year === 1975) return { start: dayFromDate('1975-02-23'), end };
  return { start: nthWeekday(year, 4, SUNDAY, -1), end };
}
