/** Bars as Massive has them: windows of one ticker, a day of all, the previous day, one day. */

import { crc32 } from 'node:zlib';
import { MILLIS_PER_DAY } from '../../base/bars.ts';
import { HttpError, ParameterError } from '../../base/errors.ts';
import { newYorkDay, sessionEndMs } from '../../base/time/calendar.ts';
import { dateFromDay, dayFromDate } from '../../base/time/dates.ts';
import { SESSION_CHOICES } from '../../base/time/intervals.ts';
import { type CallRoute, piecesOf } from '../contract/adapter.ts';
import { CONTENT_TYPES } from '../http/format.ts';
import type { AdmittedContext } from '../http/request-context.ts';
import { type ApiResponse, createResponse, streamedResponse } from '../http/response.ts';
import type { Candle } from '../routes/technical/schema.ts';
import {
  barMillis,
  basisFrom,
  checkNames,
  chosen,
  firstMoment,
  flag,
  intervalFrom,
  limitFrom,
  momentText,
  nextUrl,
  otherBasis,
  type Parameters,
  type Read,
  spanFrom,
  success,
  technical,
} from './protocol.ts';

/** Bars of a response: by default, and at most. */
const BARS_DEFAULT = 5000;
const BARS_MAX = 50_000;

/** Yields the rows of a CSV of candles as fields by name, a list per piece. */
function* csvRows(response: ApiResponse): Generator<Record<string, string>[]> {
  let names: string[] | undefined;
  let rest = '';
  for (const piece of piecesOf(response)) {
    const lines = (rest + Buffer.from(piece).toString('latin1')).split('\r\n');
    rest = lines.pop() ?? '';
    names ??= lines.shift()?.split(',');
    const header = names ?? [];
    yield lines.map((line) =>
      Object.fromEntries(line.split(',').map((field, at) => [header[at], field])),
    );
  }
}

/** Writes a bar; its numbers keep the text of the API. `v` has whole shares, `dv` fractions too. */
function barText(row: Readonly<Record<string, unknown>>, ms: number, more = ''): string {
  const { open, high, low, close, volume } = row;
  return `{${more}"v":${Math.round(Number(volume))},"dv":"${volume}","o":${open},"c":${close},"h":${high},"l":${low},"t":${ms}}`;
}

/** A bar of a page as text, beside the milliseconds of its start. */
interface PageBar {
  ms: number;
  text: string;
}

/**
 * Names a bar that ends a page, for the address of the next page. Splits and other sources change
 * the bars of a series as a whole, so a bar that is still the same belongs to the pages before it.
 */
function markOf({ text }: PageBar): string {
  return crc32(text).toString(36);
}

/** Parameter of the next page: the mark of the bar that it begins after, and the version of both. */
const AFTER = 'after';
const AFTER_VALUE = /^(?<mark>[0-9a-z]+)\.(?<version>[0-9a-z]+-[0-9a-z]+)$/;

/**
 * Checks the bar that a page begins after.
 *
 * @throws {HttpError} 409: it has changed, so the bars of this page don't go with those before it.
 */
function checkAfter(first: PageBar | undefined, mark: string): void {
  if (first && markOf(first) === mark) return;
  const remedy = 'read all pages again from the first one';
  throw new HttpError(409, `The bars have changed since the page before this one: ${remedy}`);
}

/** `/v2/aggs/ticker/{ticker}/range/{multiplier}/{timespan}/{from}/{to}` */
export const range: Read = async (context, parameters, newest) => {
  checkNames(parameters, ['adjusted', 'sort', 'limit', 'include_otc', 'session', AFTER]);
  flag(parameters, 'include_otc', false);
  const { ticker, multiplier, timespan, from, to } = context.params;
  const interval = intervalFrom(multiplier, timespan);
  const basis = basisFrom(parameters);
  const { adjusted } = basis;
  const sort = chosen(parameters, 'sort', ['asc', 'desc'], 'asc');
  const session = chosen(parameters, 'session', SESSION_CHOICES, 'regular');
  const { [AFTER]: after, ...others } = parameters;
  const { mark, version } = AFTER_VALUE.exec(after ?? '')?.groups ?? {};
  if (after !== undefined && mark === undefined) {
    throw new ParameterError(AFTER, `${AFTER} must be that of a next_url, got "${after}"`);
  }
  const { id, call } = await newest.onVersion(version);
  const limit = limitFrom(parameters, BARS_DEFAULT, BARS_MAX);
  const window = {
    from: firstMoment(from, interval, session),
    to: momentText(spanFrom(to, 'to')[1], interval),
  };
  const pathOf = (first: string | number, last: string | number) =>
    `/v2/aggs/ticker/${encodeURIComponent(ticker)}/range/${multiplier}/${timespan}/${first}/${last}`;
  const headOf = (other: ReturnType<typeof otherBasis>) =>
    `${JSON.stringify({ ticker, adjusted, ...other }).slice(0, -1)},"results":[`;
  const endOf = (count: number, path: string | undefined, last: PageBar | undefined) =>
    tail(count, context, path, { ...others, ...(last && { [AFTER]: `${markOf(last)}.${id}` }) });

  if (sort === 'desc') {
    // One bar more than the page: the one that it begins after, or one that shows there is another.
    const most = Math.min(limit + 1, BARS_MAX);
    const values = { symbol: ticker, interval, to: window.to, limit: most, session };
    const { candles, other } = await technical(call, basis, values);
    const start = Date.parse(window.from);
    const bars = (candles as Candle[])
      .filter((bar) => Date.parse(bar.timestamp) >= start)
      .reverse()
      .map((bar): PageBar => {
        const ms = barMillis(bar.timestamp, interval);
        return { ms, text: barText({ ...bar }, ms) };
      });
    const isFull = bars.length === most;
    if (mark !== undefined) checkAfter(bars.shift(), mark);
    else if (bars.length > limit) bars.pop();
    const last = bars.at(-1);
    const next = isFull && last ? pathOf(from, last.ms) : undefined;
    const texts = bars.map(({ text }) => text);
    const end = endOf(texts.length, next, last);
    return createResponse(200, CONTENT_TYPES.json, `${headOf(other)}${texts.join()}${end}`);
  }

  const { adjustment } = basis;
  const values = { symbols: ticker, interval, adjustment, session, ...window, format: 'csv' };
  const barOf = (row: Record<string, string>): PageBar => {
    const ms = barMillis(row.timestamp, interval);
    return { ms, text: barText(row, ms) };
  };
  if (mark !== undefined) {
    const response = await call.response('getCandles', { ...values, to: window.from });
    const [first] = [...csvRows(response)].flat();
    checkAfter(first && barOf(first), mark);
  }
  const rows = csvRows(await call.response('getCandles', values));
  return streamedResponse(CONTENT_TYPES.json, function* () {
    let count = mark === undefined ? 0 : -1;
    let last: PageBar | undefined;
    let next: string | undefined;
    let hasHead = false;
    for (const piece of rows) {
      if (piece.length === 0) continue;
      if (!hasHead) yield Buffer.from(headOf(otherBasis(basis, piece[0].adjustment)));
      hasHead = true;
      const texts: string[] = [];
      for (const row of piece) {
        if (count === limit) {
          next = last && pathOf(last.ms, to);
          break;
        }
        if (count++ < 0) continue;
        last = barOf(row);
        texts.push(`${count === 1 ? '' : ','}${last.text}`);
      }
      yield Buffer.from(texts.join(''));
      if (next) break;
    }
    if (!hasHead) yield Buffer.from(headOf({}));
    yield Buffer.from(endOf(Math.max(0, count), next, last));
  });
};

function tail(
  count: number,
  context: AdmittedContext,
  nextPath: string | undefined,
  parameters: Parameters,
): string {
  const fields = {
    queryCount: count,
    resultsCount: count,
    count,
    status: 'OK',
    request_id: context.requestId,
    ...(nextPath ? { next_url: nextUrl(context, nextPath, parameters) } : {}),
  };
  return `],${JSON.stringify(fields).slice(1)}`;
}

/** `/v2/aggs/grouped/locale/us/market/stocks/{date}` */
export const grouped: Read = async (context, parameters, call) => {
  // The last two repeat fixed parts of the path.
  checkNames(parameters, ['adjusted', 'include_otc', 'locale', 'market_type']);
  flag(parameters, 'include_otc', false);
  const { date } = context.params;
  const day = dayFromDate(date, 'date');
  const basis = basisFrom(parameters);
  const { adjusted, adjustment } = basis;
  const values = { symbols: '*', interval: '1d', from: date, to: date, adjustment, format: 'csv' };
  const rows = csvRows(await call.response('getCandles', values));
  const closeMs = sessionEndMs(day);
  return streamedResponse(CONTENT_TYPES.json, function* () {
    yield Buffer.from(`{"adjusted":${adjusted},"results":[`);
    let count = 0;
    for (const piece of rows) {
      const texts = piece.map((row) => {
        const { adjustment: name } = otherBasis(basis, row.adjustment);
        const other = name === undefined ? '' : `"adjustment":"${name}",`;
        return `${count++ === 0 ? '' : ','}${barText(row, closeMs, `"T":"${row.symbol}",${other}`)}`;
      });
      yield Buffer.from(texts.join(''));
    }
    yield Buffer.from(tail(count, context, undefined, parameters));
  });
};

/** `/v2/aggs/ticker/{ticker}/prev`: the newest daily bar before today in New York. */
export async function previous(
  context: AdmittedContext,
  parameters: Parameters,
  call: CallRoute,
  nowMs: number,
): Promise<ApiResponse> {
  checkNames(parameters, ['adjusted', 'include_otc']);
  flag(parameters, 'include_otc', false);
  const { ticker } = context.params;
  const basis = basisFrom(parameters);
  const to = dateFromDay(newYorkDay(nowMs) - 1);
  const { candles, other } = await technical(call, basis, { symbol: ticker, to, limit: 1 });
  const results = (candles as Candle[]).map(({ timestamp, open, high, low, close, volume }) => {
    const t = sessionEndMs(Math.round(Date.parse(timestamp) / MILLIS_PER_DAY));
    const volumes = { v: Math.round(volume), dv: String(volume) };
    return { T: ticker, ...volumes, o: open, c: close, h: high, l: low, t };
  });
  const count = results.length;
  const counts = { queryCount: count, resultsCount: count, count };
  return success(context, { ticker, adjusted: basis.adjusted, ...other, ...counts, results });
}

/** `/v1/open-close/{ticker}/{date}` */
export const openClose: Read = async (context, parameters, call) => {
  checkNames(parameters, ['adjusted', 'include_otc']);
  flag(parameters, 'include_otc', false);
  const { ticker, date } = context.params;
  const values = { symbol: ticker, from: date, to: date };
  const { candles, other } = await technical(call, basisFrom(parameters), values);
  const [bar] = candles as Candle[];
  if (!bar) throw new HttpError(404, `${ticker} has no bar of ${date}`);
  const { timestamp: _timestamp, ...prices } = bar;
  return success(context, { symbol: ticker, from: date, ...other, ...prices });
};
