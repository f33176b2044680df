/**
 * The market of the soak. Every number follows from what it is of and from the publish that brought
 * it: minutes, corrections of one day, and rows are numbered, each kind from 0.
 */

import { nextSession, sessionOpenMs, sessionsBetween } from '../../../src/base/time/calendar.ts';
import { dayFromDate } from '../../../src/base/time/dates.ts';

/** Number of the newest published entry of each kind. */
export interface Marks {
  minute: number;
  correction: number;
  row: number;
}

export const MARKS = ['minute', 'correction', 'row'] as const satisfies (keyof Marks)[];

/** The day that corrections are of: the last with daily bars. */
export const LAST_DAY = dayFromDate('2025-06-30');

/** The session whose minutes come. */
export const SESSION_OPEN_MS = sessionOpenMs(nextSession(LAST_DAY));

/** Minutes of a session; no more come after them. */
export const MINUTES_MAX = 390;

/** Symbols that are corrected: the first ones. */
export const CORRECTED = 20;

/** Companies that rows are of: the first ones. */
export const COMPANIES = 10;

const ROWS_FROM_MS = Date.parse('2025-06-01T12:00:00Z');

/** Returns the moment at which a row became known: a minute after the row before. */
export function rowMs(row: number): number {
  return ROWS_FROM_MS + row * 60_000;
}

export const titleOf = (row: number) => `Story ${row}`;

export const firmOf = (row: number) => `Firm ${row}`;

export const revenueOf = (row: number) => 1_000_000 + row;

/** `SAAA`, `SBAA`, …: they do not ascend with their numbers. */
export function symbolOf(number: number): string {
  const letter = (power: number) => 65 + (Math.floor(number / 26 ** power) % 26);
  return `S${String.fromCharCode(letter(0), letter(1), letter(2))}`;
}

/** Returns the number of a symbol. */
export function numberOf(symbol: string): number {
  const letter = (at: number) => symbol.charCodeAt(at) - 65;
  return letter(1) + 26 * letter(2) + 26 ** 2 * letter(3);
}

/** Sessions up to the last day. */
export function historyDays(count: number): number[] {
  return [...sessionsBetween(LAST_DAY - 2 * count, LAST_DAY)].slice(-count);
}

/** @param correction Counts on the last day alone, of symbols that are corrected. */
export function dailyClose(symbol: number, day: number, correction: number): number {
  const corrected = day === LAST_DAY && symbol < CORRECTED ? correction : 0;
  return (5000 + ((symbol * 7) % 4000) + ((day * 37) % 500) + corrected) / 100;
}

/** The same in SQL, of symbol `s` and day `t`. */
export const DAILY_CENTS_SQL = '5000 + (s * 7) % 4000 + (t * 37) % 500';

export function minuteClose(symbol: number, minute: number): number {
  return (6000 + ((symbol * 7) % 4000) + minute) / 100;
}

/** The same in SQL, of symbol `s`. */
export const MINUTE_CENTS_SQL = '6000 + (s * 7) % 4000';
