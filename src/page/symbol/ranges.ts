/** Spans of time that the chart's buttons show, and the bars that they need. */

import type { Interval, SessionChoice } from '../../base/time/intervals.ts';
import type { Series } from '../chart/series.ts';
import { newYorkDayMs } from '../parts/times.ts';
import type { Range } from './chart-address.ts';

interface RangeRow {
  label: string;
  title: string;
  /** Days of the calendar; infinite for everything. */
  days: number;
  /** Intervals that suit the range, the best first. */
  intervals: readonly Interval[];
}

export const RANGE_ROWS: Readonly<Record<Range, RangeRow>> = {
  '1d': { label: '1D', title: 'One session', days: 4, intervals: ['1m', '5m', '1d'] },
  '5d': { label: '5D', title: 'Five sessions', days: 9, intervals: ['5m', '1m', '1d'] },
  '1m': { label: '1M', title: 'One month', days: 31, intervals: ['15m', '1h', '1d'] },
  '6m': { label: '6M', title: 'Six months', days: 184, intervals: ['1d'] },
  ytd: { label: 'YTD', title: 'Since 1 January', days: 366, intervals: ['1d'] },
  '1y': { label: '1Y', title: 'One year', days: 366, intervals: ['1d'] },
  '5y': { label: '5Y', title: 'Five years', days: 1827, intervals: ['1w', '1d'] },
  max: { label: 'Max', title: 'All bars', days: Number.POSITIVE_INFINITY, intervals: ['1w', '1d'] },
};

/** Bars of a session, and of a calendar day for longer intervals. */
const BARS_PER_SESSION: Readonly<Record<Interval, number>> = {
  '1m': 390,
  '5m': 78,
  '15m': 26,
  '1h': 7,
  '4h': 2,
  '1d': 1,
  '1w': 1 / 5,
  '1M': 1 / 21,
};

const SESSIONS_PER_DAY = 253 / 365;

/** Hours of a trading day of each choice, over those of the regular session. */
const HOURS_FACTOR: Readonly<Record<SessionChoice, number>> = {
  regular: 1,
  extended: 16 / 6.5,
  all: 24 / 6.5,
};

/** Bars that one request loads at least: enough to scroll at once. */
const ROWS_MIN = 500;

/**
 * Bars below a day that one request loads at most. Drawing 98,000 at once, a year of minutes, keeps
 * the page busy for a second; scrolling back loads the rest.
 */
const INTRADAY_ROWS_MAX = 20_000;

function barsOfRange(range: Range, interval: Interval): number {
  return RANGE_ROWS[range].days * SESSIONS_PER_DAY * BARS_PER_SESSION[interval];
}

/** Bars that a chart of a thousand pixels shows apart, with room to zoom. */
const SHOWN_MAX = 3000;

const USUAL_RANGES: Readonly<Record<Interval, Range>> = {
  '1m': '1d',
  '5m': '5d',
  '15m': '1m',
  '1h': '6m',
  '4h': '1y',
  '1d': '1y',
  '1w': '5y',
  '1M': 'max',
};

/** Returns the range to show after a change of the interval: the same one if it fits. */
export function rangeForInterval(range: Range, interval: Interval): Range {
  const bars = barsOfRange(range, interval);
  const isDaily = interval === '1d' || interval === '1w' || interval === '1M';
  if (bars < 20 || (bars > SHOWN_MAX && !isDaily)) return USUAL_RANGES[interval];
  return range;
}

/** Returns the `limit` of a request whose newest bars fill the range. */
export function limitOfRange(
  range: Range,
  interval: Interval,
  session: SessionChoice = 'regular',
): number | 'all' {
  const bars = barsOfRange(range, interval) * HOURS_FACTOR[session];
  const limit = Math.max(ROWS_MIN, Math.ceil(bars * 1.1) + 50);
  if (BARS_PER_SESSION[interval] > 1) return Math.min(limit, INTRADAY_ROWS_MAX);
  return Number.isFinite(limit) ? limit : 'all';
}

function monthsBefore(dayMs: number, months: number): number {
  const day = new Date(dayMs);
  return day.setUTCMonth(day.getUTCMonth() - months);
}

/** Returns the row from which the range shows bars. */
export function firstRowOfRange({ timeMs }: Series, range: Range, isDaily: boolean): number {
  const last = timeMs.length - 1;
  if (last < 0 || range === 'max') return 0;
  const dayOf = (row: number) => (isDaily ? timeMs[row] : newYorkDayMs(timeMs[row]));
  const lastDay = dayOf(last);
  const rowFrom = (dayMs: number) => {
    let row = last;
    while (row > 0 && dayOf(row - 1) >= dayMs) row--;
    return row;
  };
  if (range === '1d' || range === '5d') {
    const sessions = range === '1d' ? 1 : 5;
    let seen = 1;
    let row = last;
    for (; row > 0; row--) if (dayOf(row - 1) !== dayOf(row) && seen++ === sessions) break;
    return row;
  }
  if (range === 'ytd') return rowFrom(Date.UTC(new Date(lastDay).getUTCFullYear(), 0, 1));
  const months = { '1m': 1, '6m': 6, '1y': 12, '5y': 60 }[range];
  return rowFrom(monthsBefore(lastDay, months));
}
