/** Random files of bars: what is written, and what must be read of it. */

import fc from 'fast-check';
import type { Row } from '../ingest/support/segment-rows.ts';

/** A bar as it is written, and as it must be read. */
export type WrittenBar = Row;

/** Tickers that are also words, values of other types, or have a class. */
export const TICKERS = ['QXA', 'F', 'BRK.B', 'TRUE', 'NA', 'LOW', 'ALL', 'GOOGL', 'ON', 'E'];

const two = (n: number) => String(n).padStart(2, '0');
const MONTHS =
  'January February March April May June July August September October November December'.split(
    ' ',
  );

/** The clock of a bar as a writer shows it. */
export interface Clock {
  y: number;
  m: number;
  d: number;
  h: number;
  min: number;
  /** Unix time of the moment. */
  ms: number;
}

const ymd = ({ y, m, d }: Clock, sign: string) => `${y}${sign}${two(m)}${sign}${two(d)}`;
const hm = ({ h, min }: Clock) => `${two(h)}:${two(min)}`;

/** Dates of days, by the form that a person would name. */
export const DAY_FORMS: Record<string, (at: Clock) => string> = {
  ISO: (at) => ymd(at, '-'),
  compact: (at) => ymd(at, ''),
  'ymd slashes': (at) => ymd(at, '/'),
  'ymd dots': (at) => ymd(at, '.'),
  mdy: ({ y, m, d }) => `${two(m)}/${two(d)}/${y}`,
  'mdy short': ({ y, m, d }) => `${m}/${d}/${y}`,
  'mdy hyphens': ({ y, m, d }) => `${two(m)}-${two(d)}-${y}`,
  'dmy slashes': ({ y, m, d }) => `${two(d)}/${two(m)}/${y}`,
  'dmy dots': ({ y, m, d }) => `${two(d)}.${two(m)}.${y}`,
  'dmy dots short': ({ y, m, d }) => `${d}.${m}.${y}`,
  'dmy hyphens': ({ y, m, d }) => `${two(d)}-${two(m)}-${y}`,
  'mdy two digits': ({ y, m, d }) => `${m}/${d}/${two(y % 100)}`,
  'dmy two digits': ({ y, m, d }) => `${two(d)}.${two(m)}.${two(y % 100)}`,
  words: ({ y, m, d }) => `${MONTHS[m - 1].slice(0, 3)} ${d}, ${y}`,
  'long words': ({ y, m, d }) => `${MONTHS[m - 1]} ${d}, ${y}`,
  'day word year': ({ y, m, d }) => `${two(d)}-${MONTHS[m - 1].slice(0, 3)}-${y}`,
  SAS: ({ y, m, d }) => `${two(d)}${MONTHS[m - 1].slice(0, 3).toUpperCase()}${y}`,
  midnight: (at) => `${ymd(at, '-')} 00:00:00`,
  'midnight Z': (at) => `${ymd(at, '-')}T00:00:00Z`,
  'midnight millis': (at) => `${ymd(at, '-')}T00:00:00.000Z`,
  'midnight short': ({ y, m, d }) => `${m}/${d}/${y} 0:00`,
  close: (at) => `${ymd(at, '-')} 16:00:00`,
  'midnight offset': (at) => `${ymd(at, '-')} 00:00:00-05:00`,
  Unix: ({ ms }) => String(ms / 1000),
  'Unix ms': ({ ms }) => String(ms),
  'Unix ns': ({ ms }) => `${ms}000000`,
  'New York midnight in Z': ({ y, m, d }) => {
    const isSummer = m > 3 && m < 11;
    return `${y}-${two(m)}-${two(d)}T0${isSummer ? 4 : 5}:00:00Z`;
  },
  'Unix of Berlin': ({ ms }) => String(ms / 1000 - 3600),
  'Unix of Kolkata': ({ ms }) => String(ms / 1000 - 19_800),
  'Unix of a close': ({ ms }) => String(ms / 1000 + 75_600),
  'weekday and ISO': (at) => `${new Date(at.ms).toUTCString().slice(0, 3)} ${ymd(at, '-')}`,
  HTTP: ({ ms }) => new Date(ms).toUTCString(),
  Excel: ({ ms }) => String(ms / 86_400_000 + 25_569),
  float: (at) => `${ymd(at, '')}.0`,
};

/** Times of minutes; those with an offset state their zone. */
export const MINUTE_FORMS: Record<string, (at: Clock) => string> = {
  ISO: (at) => `${ymd(at, '-')} ${hm(at)}:00`,
  'ISO T': (at) => `${ymd(at, '-')}T${hm(at)}:00`,
  'no seconds': (at) => `${ymd(at, '-')} ${hm(at)}`,
  Z: ({ ms }) => new Date(ms).toISOString(),
  offset: (at) => `${ymd(at, '-')}T${hm(at)}:00${offsetOf(at)}`,
  mdy: ({ y, m, d, h, min }) => `${m}/${d}/${y} ${h}:${two(min)}`,
  'dmy dots': ({ y, m, d, h, min }) => `${two(d)}.${two(m)}.${y} ${two(h)}:${two(min)}:00`,
  'AM and PM': ({ y, m, d, h, min }) =>
    `${m}/${d}/${y} ${h % 12 || 12}:${two(min)}:00 ${h < 12 ? 'AM' : 'PM'}`,
  compact: (at) => `${ymd(at, '')} ${hm(at).replace(':', '')}00`,
  Unix: ({ ms }) => String(ms / 1000),
  'Unix ms': ({ ms }) => String(ms),
  'two columns': (at) => `${ymd(at, '-')}\0${hm(at)}`,
  'two columns compact': (at) => `${ymd(at, '')}\0${hm(at).replace(':', '')}00`,
};

function offsetOf({ y, m, d, h, min, ms }: Clock): string {
  const minutes = (Date.UTC(y, m - 1, d, h, min) - ms) / 60_000;
  const size = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

/** Headers: date, open, high, low, close, volume. */
export const HEADERS: Record<string, readonly string[]> = {
  plain: ['date', 'open', 'high', 'low', 'close', 'volume'],
  capitals: ['Date', 'Open', 'High', 'Low', 'Close', 'Volume'],
  shouted: ['DATE', 'OPEN', 'HIGH', 'LOW', 'CLOSE', 'VOL'],
  stamp: ['timestamp', 'o', 'h', 'l', 'c', 'v'],
  prices: ['Trade Date', 'Open Price', 'High Price', 'Low Price', 'Close Price', 'Total Volume'],
  last: ['Time', 'Open', 'High', 'Low', 'Last', 'Vol.'],
  German: ['Datum', 'Eröffn.', 'Hoch', 'Tief', 'Zuletzt', 'Vol.'],
  'German words': ['Datum', 'Eröffnung', 'Hoch', 'Tief', 'Schluss', 'Volumen'],
  French: ['Date', 'Ouv.', 'Plus Haut', 'Plus Bas', 'Dernier', 'Vol.'],
  Spanish: ['Fecha', 'Apertura', 'Máximo', 'Mínimo', 'Último', 'Vol.'],
  Polish: ['Data', 'Otwarcie', 'Najwyzszy', 'Najnizszy', 'Zamkniecie', 'Wolumen'],
  Dutch: ['Datum', 'Open', 'Hoog', 'Laag', 'Slot', 'Volume'],
  brackets: ['<DATE>', '<OPEN>', '<HIGH>', '<LOW>', '<CLOSE>', '<VOL>'],
  numbered: ['timestamp', '1. open', '2. high', '3. low', '4. close', '5. volume'],
};

/** Marks between thousands and before decimals. */
export const MARKS: Record<string, readonly [thousands: string, decimal: string]> = {
  point: ['', '.'],
  'comma between thousands': [',', '.'],
  apostrophe: ["'", '.'],
  blank: [' ', '.'],
  'decimal comma': ['', ','],
  'point between thousands': ['.', ','],
  'blank and comma': [' ', ','],
  'no-break space': ['\u00a0', ','],
  'narrow space': ['\u202f', ','],
};

/** Volume columns: the unit of a number, and its name instead of the header's own. */
export const VOLUMES: Record<string, { unit: number; name?: string; suffix?: string }> = {
  shares: { unit: 1 },
  none: { unit: 0 },
  thousands: { unit: 1000, name: 'Volume (000)' },
  hundreds: { unit: 100, name: 'Volume (100s)' },
  millions: { unit: 1e6, name: 'Volume (M)' },
  K: { unit: 1000, suffix: 'K' },
  M: { unit: 1e6, suffix: 'M' },
};

/** Columns beside the bars, none of which is a part of them. */
export const EXTRAS: Record<
  string,
  readonly [name: string, cell: (bar: WrittenBar, row: number) => string]
> = {
  change: ['Change %', (bar) => `${((bar.close / bar.open - 1) * 100).toFixed(2)}%`],
  vwap: ['vwap', (bar) => ((bar.high + bar.low) / 2).toFixed(4)],
  trades: ['Trades', (bar) => String(Math.round(bar.volume / 100))],
  turnover: ['Turnover', (bar) => (bar.volume * bar.close).toFixed(0)],
  count: ['count', (bar) => String(Math.round(bar.volume / 90))],
  currency: ['currency', () => 'USD'],
  name: ['name', () => 'A Company, Inc.'],
  exchange: ['exchange', () => 'NASDAQ'],
  note: ['note', (_, row) => (row % 3 === 0 ? 'ex "div"' : '')],
  'open interest': ['Open Interest', () => '0'],
  previous: ['Prev Close', (bar) => bar.open.toFixed(2)],
  'row number': ['#', (_, row) => String(row)],
  last: ['Last Price', (bar) => (bar.close * 1.01).toFixed(2)],
  settlement: ['Settle', (bar) => (bar.close * 0.99).toFixed(2)],
  bid: ['Bid', (bar) => (bar.close * 0.999).toFixed(2)],
  average: ['Average', (bar) => ((bar.high + bar.low) / 2).toFixed(3)],
  money: ['Volume USD', (bar) => (bar.volume * bar.close).toFixed(2)],
  value: ['Value', (bar) => (bar.volume * bar.close).toFixed(0)],
  'mean volume': ['Avg Volume', (bar) => String(bar.volume * 2 + 7)],
  ticks: ['Tick Volume', (bar) => String(Math.round(bar.volume / 50))],
  'market cap': ['Market Cap', (bar) => (bar.close * 1e9).toFixed(0)],
  earlier: ['close_lag1', (bar) => bar.open.toFixed(2)],
  mean: ['sma_20', (bar) => (bar.close * 0.98).toFixed(4)],
  weekday: ['day_name', (bar) => new Date(bar.date).toUTCString().slice(0, 3)],
  year: ['year', (bar) => bar.date.slice(0, 4)],
  updated: ['updated_at', () => '2026-11-02 18:00:00'],
  sector: ['sector', () => 'TECH'],
  type: ['type', () => 'CS'],
  session: ['session', () => 'RTH'],
  id: ['id', (_, row) => String(70_000 + row)],
  'high of the year': ['52 Week High', (bar) => (bar.high * 1.4).toFixed(2)],
};

/** Columns and texts that state the basis. */
export const BASES: Record<
  string,
  { basis: string; extra?: readonly [string, (bar: WrittenBar) => string] }
> = {
  nothing: { basis: 'raw' },
  'adjustment raw': { basis: 'raw', extra: ['adjustment', () => 'raw'] },
  'adjustment split': { basis: 'split', extra: ['adjustment', () => 'split'] },
  'adjustment all': { basis: 'all', extra: ['adjustment', () => 'all'] },
  'Adj Close': { basis: 'split', extra: ['Adj Close', (bar) => bar.close.toFixed(2)] },
  OpenInt: { basis: 'all', extra: ['OpenInt', () => '0'] },
};

/** Places of the symbol: a column, or a path. */
export const SYMBOLS: Record<
  string,
  {
    column?: string;
    isFirst?: boolean;
    path?: (s: string) => string;
    written?: (s: string) => string;
  }
> = {
  name: { path: (s) => s },
  'small name': { path: (s) => s.toLowerCase() },
  'name of days': { path: (s) => `${s}_daily` },
  Investing: { path: (s) => `${s} Historical Data` },
  Stooq: { path: (s) => `${s.toLowerCase().replace('.', '-')}.us` },
  folder: { path: (s) => `${s}/2024` },
  'hive folder': { path: (s) => `symbol=${s}/part-0` },
  symbol: { column: 'symbol', isFirst: true },
  'Ticker at the end': { column: 'Ticker' },
  tic: { column: 'tic' },
  Code: { column: 'Code', isFirst: true },
  Company: { column: 'Company' },
  'small symbols': { column: 'symbol', isFirst: true, written: (s) => s.toLowerCase() },
  hyphens: { column: 'Ticker', written: (s) => s.replace('.', '-') },
  venues: { column: 'symbol', written: (s) => `NYSE:${s}` },
  Reuters: { column: 'RIC', isFirst: true, written: (s) => (s.includes('.') ? s : `${s}.O`) },
  Bloomberg: {
    column: 'ticker',
    isFirst: true,
    written: (s) => `${s.replace('.', '/')} US Equity`,
  },
  US: { column: 'code', isFirst: true, written: (s) => `${s.replace('.', '-')}.US` },
  'odd column': { column: 'which', isFirst: true },
  'numbered file': { path: (s) => `${s}_2024-01-02` },
  browser: { path: (s) => `${s} (1)` },
  vendor: { path: (s) => `NASDAQ_${s}, 1D` },
};

/** Ways to write a number that is no whole one. */
export const NUMBERS: Record<string, (text: string) => string> = {
  'as it is': (text) => text,
  dollars: (text) => `$${text}`,
  'blanks around': (text) => ` ${text} `,
  exponent: (text) => (text.length > 3 && /^\d+(\.\d+)?$/.test(text) ? exactExponent(text) : text),
  'more zeros': (text) => (/\.\d+$/.test(text) ? `${text}000` : text),
};

function exactExponent(text: string): string {
  const [whole, rest = ''] = text.split('.');
  return `${whole[0]}.${whole.slice(1)}${rest}E+${two(whole.length - 1)}`;
}

/** Lines above the header and below the rows. */
export const FRAMES: Record<string, { above?: readonly string[]; below?: readonly string[] }> = {
  none: {},
  title: { above: ['Historical prices'] },
  comment: { above: ['# made by a tool', '# 2026-11-02'] },
  separator: { above: ['sep=,'] },
  'blank lines': { above: ['', ''], below: [''] },
  footer: { below: ['"Downloaded from a portal on 11-02-2026"'] },
  total: { below: ['Total'] },
};

export const ENCODINGS = ['utf8', 'latin1', 'utf16le'] as const;

/** Types of Parquet columns: dates, prices, volumes. */
export const TYPES: Record<string, readonly [date: string, price: string, volume: string]> = {
  plain: ['VARCHAR', 'DOUBLE', 'DOUBLE'],
  dates: ['DATE', 'DOUBLE', 'BIGINT'],
  timestamps: ['TIMESTAMP', 'DOUBLE', 'BIGINT'],
  nanoseconds: ['TIMESTAMP_NS', 'DECIMAL(18,4)', 'INTEGER'],
  instants: ['TIMESTAMPTZ', 'DOUBLE', 'UBIGINT'],
  texts: ['VARCHAR', 'VARCHAR', 'VARCHAR'],
};

export const CONTAINERS = [
  'csv',
  'txt',
  'gz',
  'zip',
  'tsv',
  'json',
  'jsonl',
  'json columns',
  'parquet',
] as const;

const keysOf = <T extends object>(table: T) =>
  fc.constantFrom(...(Object.keys(table) as (keyof T & string)[]));
/** The first of a table in half of the cases, so that few odd choices meet. */
const mostly = <T extends object>(table: T) => {
  const [first] = Object.keys(table) as (keyof T & string)[];
  return fc.oneof(
    { weight: 1, arbitrary: fc.constant(first) },
    { weight: 1, arbitrary: keysOf(table) },
  );
};

/** Choices that make a file; a failed case shrinks towards the first of each table. */
const everyChoice = {
  seed: fc.nat(1e6),
  interval: fc.constantFrom('1d', '1d', '1d', '1d', '1d', '1m', '5m', '1w', '1w', '1mo'),
  symbols: fc.constantFrom(1, 1, 2, 4),
  bars: fc.constantFrom(2, 4, 12, 40, 90),
  from: fc.constantFrom('2024-01-02', '2023-08-28', '2020-02-24', '2008-09-10', '2016-12-20'),
  holes: fc.constantFrom(0, 0, 0.1, 0.4),
  price: fc.constantFrom(50, 3, 0.4, 900, 4000, 180_000),
  decimals: fc.constantFrom(2, 2, 3, 4),
  isTrimmed: fc.boolean(),
  isWhole: fc.constantFrom(false, false, false, true),
  zeroVolumes: fc.constantFrom(0, 0, 0.2),
  header: mostly(HEADERS),
  number: mostly(NUMBERS),
  frame: mostly(FRAMES),
  encoding: fc.constantFrom('utf8' as const, 'utf8' as const, 'utf8' as const, ...ENCODINGS),
  types: mostly(TYPES),
  anchor: fc.constantFrom('first', 'last', 'Monday', 'Friday', 'Sunday'),
  split: fc.constantFrom(0, 0, 0, 2, 10, 0.1, 1.5),
  extended: fc.constantFrom(false, false, true),
  marks: mostly(MARKS),
  volume: mostly(VOLUMES),
  extras: fc.uniqueArray(keysOf(EXTRAS), { maxLength: 3 }),
  basis: mostly(BASES),
  symbol: keysOf(SYMBOLS),
  order: fc.constantFrom('rising', 'newest first', 'shuffled', 'by day'),
  delimiter: fc.constantFrom(',', ',', ';', '\t', '|'),
  quoting: fc.constantFrom('none', 'none', 'all', 'header', 'texts'),
  end: fc.constantFrom('\n', '\n', '\r\n'),
  hasBom: fc.constantFrom(false, false, true),
  hasEndLine: fc.constantFrom(true, true, false),
  hasIndex: fc.constantFrom(false, false, false, true),
  isMixed: fc.constantFrom(false, false, true),
  container: fc.oneof(fc.constant(CONTAINERS[0]), fc.constantFrom(...CONTAINERS)),
  days: mostly(DAY_FORMS),
  minutes: mostly(MINUTE_FORMS),
  zone: fc.constantFrom(
    'America/New_York',
    'America/New_York',
    'UTC',
    'America/Chicago',
    'Europe/Berlin',
    'Asia/Kolkata',
  ),
  isAtEnd: fc.boolean(),
  density: fc.constantFrom(1, 1, 0.6, 0.2),
};

type Chosen<T> = { [Name in keyof T]: T[Name] extends fc.Arbitrary<infer Value> ? Value : never };
export type FileChoices = Chosen<typeof everyChoice>;

/** Names the choices that differ from those of a plain file. */
function unusual(choices: FileChoices): string {
  const plain = [
    'plain',
    'point',
    'shares',
    'nothing',
    'rising',
    ',',
    'none',
    '\n',
    'csv',
    'ISO',
    'as it is',
    'utf8',
    'first',
  ];
  const isPlain = (value: unknown) =>
    [false, 0, 1].includes(value as number) || plain.includes(String(value));
  return JSON.stringify(
    Object.fromEntries(Object.entries(choices).filter(([, value]) => !isPlain(value))),
  );
}

export const fileChoices = fc
  .record(everyChoice)
  .map((choices) => ({ ...choices, [fc.toStringMethod]: () => unusual(choices) }));
