/** Words that people and vendors put beside a ticker in the name of a file, or instead of one. */

import type { Basis } from '../../base/bars.ts';

/** Words that are no ticker in any letter case. No exchange lists them. */
const NEVER_TICKERS = words(
  'daily weekly monthly quarterly yearly hourly intraday ohlc ohlcv price prices stock stocks ' +
    'history historical candle candles candlestick bars quotes table chart dataset',
);

/** Words that are a ticker only in capitals: `DATA.csv`, but not `data.csv`. */
const COMMON = words(
  'data day days week month quarter year hour hours minute minutes min mins tick ticks eod dly ' +
    'hist quote bar share shares equity equities etf etfs fund funds ticker tickers ' +
    'symbol symbols trade trades file files download downloads export table sample test example ' +
    'market markets series timeseries full dividends bid ask mid part chunk batch page out output input rth ' +
    'ususd universe portfolio watchlist list index df tmp temp frame nyse nasdaq amex arca bats cboe otc us usa ' +
    'yahoo yf yfinance stooq tiingo alpaca polygon massive quandl wiki iex av alphavantage fmp ' +
    'eodhd finnhub finam dukascopy tradingview investing barchart kibot firstrate databento ' +
    'twelvedata google ibkr udf api response schwab tradier robinhood webull moomoo norgate sharadar openbb pdr noheader mt4 mt5 snappy zstd quotechart nas xnas xnys xase arcx scid bbg bloomberg factset capiq',
);

/**
 * Words about the adjustment of prices. `adjusted` may be for splits alone, or for dividends too;
 * FirstRate says which.
 */
const BASIS: Readonly<Record<string, BasisWord | undefined>> = {
  ...{ raw: 'raw', unadj: 'raw', unadjusted: 'raw' },
  ...{ adjsplit: 'split', adjsplitdiv: 'all', adj: 'adjusted', adjusted: 'adjusted' },
  ...{ split: undefined, splits: undefined },
};

/** Words of sentences, in small letters: `my_data`, `no ticker`. */
export const SENTENCE = words('a an and for my no of our the to your');

/** Words that mean nothing beside a ticker. Alone, they are one in any letter case. */
const BESIDE_TICKERS = words(
  'all backup bak copy csv div dividend txt json parquet last latest max merged new old clean ' +
    'cleaned final sorted',
);

/** The number of a version: `AAPL_v2`. */
const VERSION = /^v\d{1,2}$/;

/** Titles of Investing.com's files before or behind a ticker, by edition. */
const HISTORY_TITLES = [
  ...['historische daten', 'données historiques', 'datos históricos', 'dati storici'],
  ...['dados históricos', 'historische gegevens', 'dane historyczne dla', 'dane historyczne'],
  ...['geçmiş verileri', 'прошлые данные', 'historisk prisdata', 'historiska data'],
  ...['historialliset tiedot', 'ιστορικά στοιχεία', 'historiske data', 'dữ liệu lịch sử'],
  ...['data historis', '過去データ', 'の過去データ', '历史数据', '歷史數據', '과거 데이터'],
].join('|');
const TITLE = new RegExp(`^(?:${HISTORY_TITLES})[ _-]*|[ _-]*(?:${HISTORY_TITLES})$`, 'i');

/** Cuts a title of a file off; returns undefined for a name without one. */
export function withoutTitle(stem: string): string | undefined {
  const name = stem.normalize('NFC');
  return TITLE.test(name) ? name.replace(TITLE, '') : undefined;
}

const MONTHS = words('jan feb mar apr may jun jul aug sep sept oct nov dec');

/** Names of a company stand beside these: `tesla-stock-price`. */
export const PROSE = words('stock stocks share shares price prices company');

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}

/** Lengths of bars by their words. A single letter is a word only behind a ticker. */
const PERIODS: Readonly<Record<string, readonly string[]>> = {
  '1d': ['d', 'd1', 'day', 'daily', 'dly', 'eod'],
  '1w': ['w', 'w1', 'wk', 'week', 'weekly'],
  '1mo': ['m', 'mn', 'mn1', 'mo', 'month', 'monthly'],
  '3mo': ['q', 'quarter', 'quarterly'],
  '1y': ['y', 'year', 'yearly', 'annual'],
  '1h': ['h', 'hour', 'hourly'],
  '1m': ['min', 'minute', 'minutely'],
};

const UNITS: Readonly<Record<string, string>> = { d: 'd', w: 'w', h: 'h', m: 'm', s: 's' };

/** `1min`, `5m`, `1D`, `1wk`; MetaTrader's `M15` and `H4` have the unit first. */
const COUNTED =
  /^(\d{1,4})(d|day|days|w|wk|week|weeks|h|hr|hour|hours|m|min|mins|minute|minutes|s|sec|second|seconds|mo|month|months|y|yr|year|years)$/;
const METATRADER = /^(m|h)(\d{1,2})$/;

/**
 * Returns the length of bars that a word states: `1d`, `5m`, `1mo`; empty for a word about the
 * range of a file, such as `5y` or `30d`; undefined for other words.
 */
export function periodOfWord(word: string): string | undefined {
  if (word === '1M') return '1mo';
  const lower = word.toLowerCase();
  const named = Object.entries(PERIODS).find(([, names]) => names.includes(lower));
  if (named) return named[0];
  const [, minutesOrHours, times] = METATRADER.exec(lower) ?? [];
  if (times !== undefined) return `${Number(times)}${minutesOrHours}`;
  const [, count, unit] = COUNTED.exec(lower) ?? [];
  if (count === undefined) return undefined;
  // yfinance calls ranges of days, months and years so; a bar of several days is rare.
  const isRange = /^(?:mo|y)/.test(unit) || (/^[dw]/.test(unit) && Number(count) !== 1);
  return isRange || isOddCount(count, unit) ? '' : `${Number(count)}${UNITS[unit[0]]}`;
}

/** A number that counts no minutes or seconds of a bar: `0703m`, `703m`. */
function isOddCount(count: string, unit: string): boolean {
  const number = Number(count);
  const isShort = unit.startsWith('s') || (unit.startsWith('m') && !unit.startsWith('mo'));
  return /^0/.test(count) || (isShort && number > 60 && number % 30 !== 0);
}

/** A number, date, half-year or quarter, or a random id: a piece of a larger whole. */
const PIECE = /^(?:\d+|(?:19|20)\d\d[qhw]?\d+|[qh][1-4]|part\d+|(?=.*\d)[0-9a-f]{12,})$/;

export function isPiece(word: string): boolean {
  return PIECE.test(word.toLowerCase());
}

/** Returns true for a word that stands beside a ticker and is no part of it. */
export function isBesideTicker(word: string): boolean {
  const lower = word.toLowerCase();
  if (isPiece(word) || periodOfWord(word) !== undefined) return true;
  if (BESIDE_TICKERS.has(lower) || VERSION.test(lower)) return true;
  return isCommon(word) || lower in BASIS || (MONTHS.has(lower) && word !== word.toUpperCase());
}

/** Returns true for a word, or words run together such as `HistoricalData`. */
function isCommon(word: string): boolean {
  const parts = word.split(/(?<=[a-z])(?=[A-Z])/).map((part) => part.toLowerCase());
  return parts.every((part) => COMMON.has(part) || NEVER_TICKERS.has(part));
}

/** Returns true for a whole name that is a word, a number or a period, and no ticker. */
export function isNoTicker(name: string): boolean {
  if (isPiece(name) || /\d/.test(name)) return isPiece(name) || periodOfWord(name) !== undefined;
  const lower = name.toLowerCase();
  if (NEVER_TICKERS.has(lower)) return true;
  if (name === name.toUpperCase()) return false;
  // No US ticker has six letters, and nobody writes one like a sentence.
  return /^[a-z]{6,}$/.test(lower) || isCommon(name) || lower in BASIS;
}

/** Returns what a word about the adjustment of prices says. */
export function basisOfWord(name: string): BasisWord | undefined {
  return BASIS[name.toLowerCase()];
}

export type BasisWord = Basis | 'adjusted';

/** Returns true for the name of a month. */
export function isMonthName(name: string): boolean {
  return MONTHS.has(name.toLowerCase());
}
