/** Names of bar lengths, as columns, file names and vendors spell them. */

import { BASE_INTERVALS, type BaseInterval } from '../../base/time/intervals.ts';

const PERIODS: Record<BaseInterval, readonly string[]> = {
  '1d': ['d', '1d', 'd1', 'day', '1day', 'daily', '1440', '86400', 'b', 'bday'],
  '1m': ['1', '1m', 'm1', '1min', '1minute', 'minute'],
  '5m': ['5', '5m', 'm5', '5min', '5minute', '5minutes'],
};

/** Lengths that are no stored interval, and their bars in words. Numbers are of minutes. */
const OTHERS: Readonly<Record<string, readonly string[]>> = {
  'weekly bars': ['w', '1w', 'w1', 'wk', '1wk', 'week', '1week', 'weekly', '10080', '604800'],
  'monthly bars': [
    'mo',
    '1mo',
    'mn',
    'mn1',
    'mon',
    '1mon',
    'month',
    '1month',
    'monthly',
    'me',
    'ms',
    '43200',
  ],
  'quarterly bars': ['q', '1q', '3mo', '3mon', '3month', 'quarter', 'quarterly'],
  'yearly bars': ['y', '1y', 'yr', '1yr', 'year', '1year', 'yearly', 'annual'],
};

/** `15m`, `15Min`, `1h`, `60`, `4Hour`; a `2d` or longer is rare, and told by the dates. */
const INTRADAY = /^(?:(\d{1,3})\s*(s|secs?|seconds?|min|minutes?|m|h|hr|hours?)?|([mh])(\d{1,3}))$/;

/** Reads `D`, `5`, `1Min` and so on; undefined for other bars, such as `1M` for a month. */
export function intervalFromPeriod(text: string): BaseInterval | undefined {
  if (isMonth(text)) return undefined;
  return BASE_INTERVALS.find((interval) => PERIODS[interval].includes(plainPeriod(text)));
}

/** Returns bars of another length in words, as `weekly bars`; undefined if the text names none. */
export function otherBarsFromPeriod(text: string): string | undefined {
  if (isMonth(text)) return 'monthly bars';
  const lower = plainPeriod(text);
  if (intervalFromPeriod(lower) !== undefined) return undefined;
  const long = Object.entries(OTHERS).find(([, names]) => names.includes(lower));
  if (long !== undefined) return long[0];
  const match = INTRADAY.exec(lower);
  // A bare number may count anything, except Stooq's minutes.
  if (match === null || (match[1] !== undefined && match[2] === undefined)) return undefined;
  return `bars of ${text}`;
}

/** Returns the text in one spelling: Interactive Brokers writes `1 day`, pandas `W-FRI`. */
function plainPeriod(text: string): string {
  return text
    .toLowerCase()
    .replace(/[\s_-]/g, '')
    .replace(/(?<=min)s$/, '')
    .replace(/^(\d?w)(mon|tue|wed|thu|fri|sat|sun)$/, '$1');
}

/** In capitals, an M after a number or alone is a month; Stooq and TradingView write it so. */
function isMonth(text: string): boolean {
  return text === 'M' || /^1?M$/.test(text);
}
