/** Bar intervals as the API spells them, and their names on disks that ignore case. */

export const INTERVALS = ['1m', '5m', '15m', '1h', '4h', '1d', '1w', '1M'] as const;

export type Interval = (typeof INTERVALS)[number];

/** Intervals made from daily bars; indicator columns are published for these. */
export const DAILY_INTERVALS = ['1d', '1w', '1M'] as const satisfies readonly Interval[];

export type DailyInterval = (typeof DAILY_INTERVALS)[number];

/** Returns true for bars of days, weeks and months, which the API stamps with 00:00 UTC. */
export function isDailyInterval(interval: Interval): interval is DailyInterval {
  return (DAILY_INTERVALS as readonly Interval[]).includes(interval);
}

/** Intraday intervals that sources give and the store keeps; longer ones are made from them. */
export const STORED_INTRADAY = ['1m', '5m'] as const satisfies readonly Interval[];

export type StoredIntraday = (typeof STORED_INTRADAY)[number];

/** Bars outside of regular sessions, which are series of their own in the store and its files. */
export const EXTENDED_INTRADAY = [
  '1m-extended',
  '5m-extended',
] as const satisfies readonly `${StoredIntraday}-extended`[];

export type ExtendedIntraday = (typeof EXTENDED_INTRADAY)[number];

/** Intraday series of the store and of serving files. */
export const INTRADAY_SERIES = [...STORED_INTRADAY, ...EXTENDED_INTRADAY] as const;

export type IntradaySeriesInterval = (typeof INTRADAY_SERIES)[number];

/** Returns true for bars outside of regular sessions, which no quote follows from. */
export function isExtended(interval: StoredInterval): interval is ExtendedIntraday {
  return (EXTENDED_INTRADAY as readonly string[]).includes(interval);
}

export function isIntradaySeries(
  interval: Interval | ServedInterval,
): interval is IntradaySeriesInterval {
  return (INTRADAY_SERIES as readonly string[]).includes(interval);
}

/** Intervals that sources give and the store keeps as rows; all others are derived from them. */
export const BASE_INTERVALS = ['1d', ...STORED_INTRADAY] as const satisfies readonly Interval[];

export type BaseInterval = (typeof BASE_INTERVALS)[number];

/** Intervals of series in the store. */
export const STORED_INTERVALS = ['1d', ...INTRADAY_SERIES] as const;

export type StoredInterval = (typeof STORED_INTERVALS)[number];

/** Words of messages: a `daily` bar. */
export const BAR_NAMES: Readonly<Record<BaseInterval, string>> = {
  '1d': 'daily',
  '1m': '1-minute',
  '5m': '5-minute',
};

/** Intervals whose bars are in serving files; the place here is the number in the files' index. */
export const SERVED_INTERVALS = [...DAILY_INTERVALS, ...INTRADAY_SERIES] as const;

export type ServedInterval = (typeof SERVED_INTERVALS)[number];

/** Hours of a bar. Bars outside of the exchange's sessions are stored separately. */
export const HOURS = ['regular', 'extended'] as const;

export type Hours = (typeof HOURS)[number];

/** Returns the name of an interval in files: `1m` and `1M` differ only in case. */
export function diskNameFromInterval(interval: Interval | ServedInterval): string {
  if (interval === '1m') return '1min';
  if (interval === '1M') return '1mon';
  return interval;
}

/** Sessions of a trade date, in order of time. */
export const TRADING_SESSIONS = ['overnight', 'pre', 'regular', 'post'] as const;

export type TradingSession = (typeof TRADING_SESSIONS)[number];

/**
 * Bars that a request takes: of the regular session, of those from 04:00 to 20:00, or of all hours,
 * also bars outside of every session.
 */
export const SESSION_CHOICES = ['regular', 'extended', 'all'] as const;

export type SessionChoice = (typeof SESSION_CHOICES)[number];
