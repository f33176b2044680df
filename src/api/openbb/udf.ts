/**
 * `/udf/…`: TradingView's UDF protocol, which charts of OpenBB Workspace and of its Charting Library
 * read. Prices are those of `/svc/technical` with its default adjustment.
 */

import { MILLIS_PER_DAY } from '../../base/bars.ts';
import { ParameterError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import {
  isSession,
  newYorkDay,
  nextSession,
  sessionCloseMs,
  sessionOpenMs,
} from '../../base/time/calendar.ts';
import {
  type Interval,
  isDailyInterval,
  SESSION_CHOICES,
  type SessionChoice,
} from '../../base/time/intervals.ts';
import { periodStartMs } from '../../compute/bars/resample-daily.ts';
import type { Adapter, CallRoute } from '../contract/adapter.ts';
import type { PublicRoute } from '../contract/route.ts';
import { parametersFromQuery } from '../http/query.ts';
import { type ApiResponse, createResponse, jsonResponse } from '../http/response.ts';
import type { Candle } from '../routes/technical/schema.ts';

/** Resolutions as charts name them, the shortest first. */
const RESOLUTIONS: ReadonlyMap<string, Interval> = new Map([
  ['1', '1m'],
  ['5', '5m'],
  ['15', '15m'],
  ['60', '1h'],
  ['240', '4h'],
  ['1D', '1d'],
  ['1W', '1w'],
  ['1M', '1M'],
]);

/** Charts show receipts for foreign shares among stocks. */
const STOCKS = 'stock';
const STOCK_TYPES = 'stock,adr';

/** Symbols that a search returns if the chart sets no limit, and at most. */
const FOUND_DEFAULT = 30;
const FOUND_MAX = 100;

/** Colours of marks that read well on light and dark charts. */
const COLOR = { up: '#26a69a', down: '#ef5350', other: '#787b86' } as const;

type Parameters = Readonly<Record<string, string>>;

function required(parameters: Parameters, name: string): string {
  const value = parameters[name];
  if (!value) throw new ParameterError(name, `${name} is missing`);
  return value;
}

/** Reads a symbol, also in the form `NASDAQ:AAPL`. */
function symbolFrom(parameters: Parameters): string {
  return required(parameters, 'symbol').replace(/^[^:]*:/, '');
}

function intervalFrom(parameters: Parameters): Interval {
  const text = required(parameters, 'resolution');
  const interval = RESOLUTIONS.get(/^[DWM]$/.test(text) ? `1${text}` : text);
  if (interval) return interval;
  const known = [...RESOLUTIONS.keys()].join(', ');
  throw new ParameterError('resolution', `resolution must be one of ${known}, got "${text}"`);
}

/** The last second of a date in the year 9999. */
const LAST_S = 253402300799;

function secondsFrom(parameters: Parameters, name: string): number {
  const value = Number(required(parameters, name));
  if (Number.isInteger(value) && Math.abs(value) <= LAST_S) return value;
  throw new ParameterError(name, `${name} must be seconds since 1970 in UTC`);
}

/** Reads a number of rows; 0 and an empty text mean the default. */
function countFrom(parameters: Parameters, name: string): number | undefined {
  const text = parameters[name] || '0';
  if (/^\d{1,9}$/.test(text)) return Number(text) || undefined;
  throw new ParameterError(name, `${name} must be an integer of 0 or more, got "${text}"`);
}

/** Hours of each choice as charts write them: the overnight session begins on the day before. */
const SESSION_HOURS: Readonly<Record<SessionChoice, string>> = {
  regular: '0930-1600',
  extended: '0400-2000',
  all: '2000-2000:23456',
};

function sessionFrom({ session = 'regular' }: Parameters): SessionChoice {
  const found = SESSION_CHOICES.find((choice) => choice === session);
  if (found) return found;
  const choices = SESSION_CHOICES.join(', ');
  throw new ParameterError('session', `session must be one of ${choices}, got "${session}"`);
}

const MINUTE_MS = 60_000;

/** Returns the time of the bar that a moment falls into; outside of sessions, of the next bar. */
function barSeconds(ms: number, parameters: Parameters): number {
  const interval = intervalFrom(parameters);
  const isDaily = isDailyInterval(interval);
  let day = newYorkDay(ms);
  if (!isSession(day) || (!isDaily && ms >= sessionCloseMs(day))) day = nextSession(day);
  const dayMs = day * MILLIS_PER_DAY;
  if (interval === '1d') return dayMs / 1000;
  if (isDaily) return periodStartMs(dayMs, interval) / 1000;
  const openMs = sessionOpenMs(day);
  const stepMs = Number(parameters.resolution) * MINUTE_MS;
  return (openMs + Math.max(0, Math.floor((ms - openMs) / stepMs)) * stepMs) / 1000;
}

function secondsOf({ timestamp }: { timestamp: string }): number {
  return Date.parse(timestamp) / 1000;
}

const config = {
  supports_search: true,
  supports_group_request: false,
  supports_marks: true,
  supports_timescale_marks: true,
  supports_time: true,
  supported_resolutions: [...RESOLUTIONS.keys()],
  exchanges: [
    { value: '', name: 'All', desc: 'All exchanges' },
    ...['NYSE', 'NASDAQ', 'AMEX'].map((name) => ({ value: name, name, desc: name })),
  ],
  symbols_types: [
    { name: 'All', value: '' },
    { name: 'Stocks', value: STOCKS },
    { name: 'ETFs', value: 'etf' },
  ],
};

async function search(parameters: Parameters, call: CallRoute) {
  const { query, type, exchange } = parameters;
  const limit = Math.min(countFrom(parameters, 'limit') ?? FOUND_DEFAULT, FOUND_MAX);
  const { data } = await call('listSymbols', {
    search: query || undefined,
    type: type === STOCKS ? STOCK_TYPES : type || undefined,
    exchange: exchange || undefined,
    limit,
  });
  return data.map((row: Record<string, string | null>) => ({
    symbol: row.symbol,
    ticker: row.symbol,
    full_name: row.symbol,
    description: row.companyName ?? row.symbol,
    exchange: row.exchange ?? '',
    type: row.type ?? 'stock',
  }));
}

async function symbolInfo(parameters: Parameters, call: CallRoute) {
  const session = sessionFrom(parameters);
  const found = await call('getSymbol', { symbol: symbolFrom(parameters) });
  const known = new Set(found.intervals.map(({ interval }: { interval: string }) => interval));
  const resolutions = [...RESOLUTIONS].flatMap(([name, interval]) =>
    known.has(interval) ? [name] : [],
  );
  const intraday = resolutions.filter((name) => /^\d+$/.test(name));
  return {
    name: found.symbol,
    ticker: found.symbol,
    description: found.companyName ?? found.symbol,
    type: found.type ?? 'stock',
    exchange: found.exchange ?? '',
    listed_exchange: found.exchange ?? '',
    session: SESSION_HOURS[session],
    subsession_id: session,
    subsessions: SESSION_CHOICES.map((id) => ({ id, description: id, session: SESSION_HOURS[id] })),
    timezone: 'America/New_York',
    currency_code: 'USD',
    minmov: 1,
    pricescale: 100,
    // Cents; below a dollar hundredths of a cent, and below a cent what prices of that size need.
    variable_tick_size: '0.00000001 0.01 0.0001 1 0.01',
    volume_precision: 0,
    has_daily: resolutions.includes('1D'),
    has_weekly_and_monthly: resolutions.includes('1W'),
    has_intraday: intraday.length > 0,
    intraday_multipliers: intraday,
    supported_resolutions: resolutions,
    data_status: 'endofday',
    expired: found.delistedOn !== null,
  };
}

async function history(parameters: Parameters, call: CallRoute) {
  const symbol = symbolFrom(parameters);
  const interval = intervalFrom(parameters);
  const from = secondsFrom(parameters, 'from');
  // The end of a window is exclusive in UDF, inclusive in the API.
  const to = new Date((secondsFrom(parameters, 'to') - 1) * 1000).toISOString();
  const { rowsJsonMax } = limits.technical;
  // With `countback` the chart wants so many bars, however old.
  const count = countFrom(parameters, 'countback');
  const limit = Math.min(count ?? rowsJsonMax, rowsJsonMax);
  // Charts ask for days of any session, whose bars are of the regular one.
  const session = isDailyInterval(interval) ? 'regular' : sessionFrom(parameters);
  const { candles } = await call('getTechnical', { symbol, interval, to, limit, session });
  const found: Candle[] = candles;
  if (count === undefined && found.length === limit && secondsOf(found[0]) > from) {
    throw new ParameterError('from', `from and to must hold at most ${rowsJsonMax} bars`);
  }
  const bars = count === undefined ? found.filter((bar) => secondsOf(bar) >= from) : found;
  if (bars.length === 0) {
    const older = found.at(-1);
    return older ? { s: 'no_data', nextTime: secondsOf(older) } : { s: 'no_data' };
  }
  const column = (name: keyof Candle) => bars.map((bar) => bar[name]);
  return {
    s: 'ok',
    t: bars.map(secondsOf),
    o: column('open'),
    h: column('high'),
    l: column('low'),
    c: column('close'),
    v: column('volume'),
  };
}

/** Returns splits and dividends as marks below the chart. A mark has the time of a bar. */
async function timescaleMarks(parameters: Parameters, call: CallRoute) {
  const [from, to] = [secondsFrom(parameters, 'from'), secondsFrom(parameters, 'to')];
  const { data } = await call('listCorporateActions', { symbol: symbolFrom(parameters) });
  return data.flatMap((action: Record<string, never>) => {
    // Its noon in UTC is the same day in New York.
    const time = barSeconds(Date.parse(action.exDate) + MILLIS_PER_DAY / 2, parameters);
    if (time < from || time > to) return [];
    const isSplit = action.type === 'split';
    const text = isSplit
      ? `Split ${action.numerator}:${action.denominator}`
      : `${action.type === 'spin-off' ? 'Spin-off' : 'Dividend'} of ${action.amount} ${action.currency} a share`;
    const mark = { id: `${action.type}-${action.exDate}`, time, label: isSplit ? 'S' : 'D' };
    return [{ ...mark, color: COLOR.other, tooltip: [text, `Ex-date ${action.exDate}`] }];
  });
}

/** Returns changes of ratings as marks at their bars; a weekend's is at the next session's. */
async function marks(parameters: Parameters, call: CallRoute) {
  const [from, to] = [secondsFrom(parameters, 'from'), secondsFrom(parameters, 'to')];
  const page = await call('listRatingChanges', {
    symbol: symbolFrom(parameters),
    limit: FOUND_MAX,
  });
  return page.data.flatMap((row: Record<string, string | null>, index: number) => {
    const time = barSeconds(Date.parse(row.publishedAt ?? ''), parameters);
    if (time < from || time > to) return [];
    const color =
      row.action === 'upgrade' ? COLOR.up : row.action === 'downgrade' ? COLOR.down : COLOR.other;
    const grades = [row.fromGrade, row.toGrade].filter(Boolean).join(' → ');
    const text = `${row.firm}: ${row.action} ${grades}`;
    const looks = { color, label: 'R', labelFontColor: '#ffffff', minSize: 14 };
    return [{ id: `${row.publishedAt}-${index}`, time, text, ...looks }];
  });
}

/** Writes an error as charts read it, with the status of the API. */
function failed(status: number, message: string): ApiResponse {
  return jsonResponse(status, { s: 'error', errmsg: message }, ['Cache-Control', 'no-store']);
}

type Answer = (parameters: Parameters, call: CallRoute) => unknown;

/** @param now Milliseconds since the epoch. */
export function udfAdapters(now: () => number): Adapter[] {
  const paths: Readonly<Record<string, Answer>> = {
    search,
    symbols: symbolInfo,
    history,
    marks,
    timescale_marks: timescaleMarks,
  };
  const answers: Readonly<Record<string, Adapter['respond']>> = {
    ...mapped(paths, (read) => async ({ query }, call) => {
      return jsonResponse(200, await read(parametersFromQuery(query), call));
    }),
    time: () => createResponse(200, 'text/plain', String(Math.floor(now() / 1000))),
  };
  return ROOTS.flatMap((root) =>
    Object.entries(answers).map(([name, respond]) => {
      return { path: `${root}/${name}`, keyParameter: KEY, respond, failed };
    }),
  );
}

/** Name of the key in the query, and in the path of the second root. */
const KEY = 'apiKey';

/** TradingView's own class sends no header, and adds its paths to the address that it is given. */
const ROOTS = ['/udf', `/udf/:${KEY}`];

function mapped<From, To>(
  values: Readonly<Record<string, From>>,
  change: (value: From) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));
}

/** `/udf/config`, which needs no key: charts ask for it first. */
export const udfConfigRoutes: readonly PublicRoute[] = ROOTS.map((root) => ({
  path: `${root}/config`,
  respond: () => jsonResponse(200, config),
}));
