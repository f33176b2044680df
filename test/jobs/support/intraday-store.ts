/** Stores with days and minutes, and what is published of them. */

import { nextSession, sessionOpenMs } from '../../../src/base/time/calendar.ts';
import { dateFromDay, dayFromDate } from '../../../src/base/time/dates.ts';
import type { CandleSegment } from '../../../src/store/duckdb/connection/candle-segment.ts';
import {
  type SegmentOptions,
  segmentOf,
  type TestBar,
  type TestFile,
} from '../../store/duckdb/support/fixtures.ts';

export const MONDAY = '2026-03-02';
export const TUESDAY = '2026-03-03';

/** Time of a session's minute, as segments spell it. */
export function minuteTs(date: string, minute: number): string {
  const ms = sessionOpenMs(dayFromDate(date)) + minute * 60_000;
  return new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
}

/** Bars of minutes [from, to) of a session, every `step` minutes; closes rise by a cent each. */
export function minutes(date: string, from: number, to: number, close = 100, step = 1): TestBar[] {
  const count = Math.ceil((to - from) / step);
  return Array.from({ length: count }, (_, i): TestBar => {
    const minute = from + i * step;
    return [minuteTs(date, minute), close + minute / 100, 10 + (minute % 7)];
  });
}

export function sessions(first: string, count: number): string[] {
  const days = [dayFromDate(first)];
  while (days.length < count) days.push(nextSession(days[days.length - 1]));
  return days.map(dateFromDay);
}

export function minuteSegment(files: TestFile[], options: SegmentOptions = {}): CandleSegment {
  return segmentOf(files, { interval: '1m', basis: 'raw', ...options });
}

/** Minutes of one symbol. */
export function minutesOf(symbol: string, bars: TestBar[], name?: string): CandleSegment {
  return minuteSegment([{ symbol, bars }], { name });
}

export function daySegment(
  symbol: string,
  bars: TestBar[],
  options: SegmentOptions = {},
): CandleSegment {
  return segmentOf([{ symbol, bars }], { basis: 'raw', ...options });
}
