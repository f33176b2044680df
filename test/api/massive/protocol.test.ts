/** Massive's paths: the numbers of the API in Massive's form, and what is refused. */

import { expect, it } from 'vitest';
import { newYorkMidnightMs, sessionEndMs } from '../../../src/base/time/calendar.ts';
import { dayFromDate } from '../../../src/base/time/dates.ts';
import { FUND, STOCK, useContractMarket } from '../../contract/contract-market.ts';

const market = useContractMarket();

type Json = Record<string, unknown>;
type Bar = Record<'t' | 'o' | 'h' | 'l' | 'c' | 'v', number> & { dv: string };

interface Candle {
  timestamp: string;
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
}

async function read(path: string): Promise<{ status: number; json: Json }> {
  const { status, json } = await market.server.get(path);
  return { status, json: json as Json };
}

async function candles(query: string, symbol = STOCK): Promise<Candle[]> {
  return (
    await read(
      `/v1/svc/technical/${symbol}?${query.includes('limit') ? query : `${query}&limit=50000`}`,
    )
  ).json.candles as Candle[];
}

const midnight = (timestamp: string) => newYorkMidnightMs(dayFromDate(timestamp.slice(0, 10)));

const massiveBar = ({ timestamp, open, high, low, close, volume }: Candle, t: number): Bar => ({
  v: Math.round(volume),
  dv: String(volume),
  o: open,
  c: close,
  h: high,
  l: low,
  t: t || Date.parse(timestamp),
});

/** Reads all pages, by the addresses that each one names. */
async function pages(path: string): Promise<{ pages: number; results: unknown[] }> {
  const results: unknown[] = [];
  let count = 0;
  for (let next: string | undefined = path; next; count++) {
    const { json } = await read(next.replace(market.server.address, ''));
    expect(json.status).toBe('OK');
    results.push(...(json.results as unknown[]));
    next = json.next_url as string | undefined;
  }
  return { pages: count, results };
}

it('gives the bars of every length, at the times that Massive gives them', async () => {
  const spans = { day: '1d', week: '1w', month: '1M', hour: '1h', minute: '1m' };
  for (const [timespan, interval] of Object.entries(spans)) {
    // The month that contains the start is part of the window.
    const from = timespan === 'month' ? '2026-10-01' : '2026-10-05';
    const bars = await candles(`interval=${interval}&from=${from}&to=2026-11-13`);
    const isDay = !['hour', 'minute'].includes(timespan);
    const path = `/v2/aggs/ticker/${STOCK}/range/1/${timespan}/2026-10-05/2026-11-13?limit=50000`;
    const { json } = await read(path);
    expect(json.results).toEqual(
      bars.map((bar) => massiveBar(bar, isDay ? midnight(bar.timestamp) : 0)),
    );
    expect(json).toMatchObject({
      ticker: STOCK,
      adjusted: true,
      status: 'OK',
      resultsCount: bars.length,
    });
  }
});

it('walks pages in both orders, to the same bars', async () => {
  const path = `/v2/aggs/ticker/${STOCK}/range/1/day/2026-01-05/2026-11-13`;
  const bars = (await candles('from=2026-01-05&to=2026-11-13')).map((bar) =>
    massiveBar(bar, midnight(bar.timestamp)),
  );
  const up = await pages(`${path}?limit=50`);
  expect(up.results).toEqual(bars);
  expect(up.pages).toBe(Math.ceil(bars.length / 50));
  expect((await pages(`${path}?limit=50&sort=desc`)).results).toEqual(bars.reverse());
  const minutes = `/v2/aggs/ticker/${STOCK}/range/1/minute/2026-11-12/2026-11-13`;
  const all = (await candles('interval=1m&from=2026-11-12&to=2026-11-13')).map((bar) =>
    massiveBar(bar, 0),
  );
  expect(all.length).toBeGreaterThan(700);
  expect((await pages(`${minutes}?limit=100`)).results).toEqual(all);
});

it('gives prices as traded if they are asked for', async () => {
  const raw = await candles('adjustment=raw&from=2026-11-02&to=2026-11-03');
  const path = `/v2/aggs/ticker/${STOCK}/range/1/day/2026-11-02/2026-11-03?adjusted=false`;
  const { json } = await read(path);
  expect(json.adjusted).toBe(false);
  expect(json.results).toEqual(raw.map((bar) => massiveBar(bar, midnight(bar.timestamp))));
});

it('gives a day of all tickers, the previous day, and one day', async () => {
  const { json } = await read('/v2/aggs/grouped/locale/us/market/stocks/2026-11-13');
  const rows = json.results as (Bar & { T: string })[];
  const { text } = await market.server.get(
    '/v1/svc/candles?symbols=*&from=2026-11-13&to=2026-11-13&format=csv',
  );
  expect(rows.map(({ T }) => T)).toEqual(
    text
      .trim()
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(',')[0]),
  );
  const [bar] = await candles('from=2026-11-13&to=2026-11-13');
  const closeMs = sessionEndMs(dayFromDate('2026-11-13'));
  expect(rows.find(({ T }) => T === STOCK)).toEqual({ T: STOCK, ...massiveBar(bar, closeMs) });
  const [newest] = await candles('limit=1');
  const previous = await read(`/v2/aggs/ticker/${STOCK}/prev`);
  const newestMs = sessionEndMs(dayFromDate(newest.timestamp.slice(0, 10)));
  expect(previous.json.results).toEqual([{ T: STOCK, ...massiveBar(newest, newestMs) }]);
  const { timestamp: _timestamp, ...prices } = bar;
  const day = await read(`/v1/open-close/${STOCK}/2026-11-13`);
  expect(day.json).toMatchObject({ status: 'OK', symbol: STOCK, from: '2026-11-13', ...prices });
  const holiday = await read(`/v1/open-close/${STOCK}/2026-11-14`);
  expect(holiday).toMatchObject({ status: 404, json: { status: 'NOT_FOUND' } });
});

it('gives the values of indicators that the API gives', async () => {
  const asked = { sma: 'sma:20', ema: 'ema:20', rsi: 'rsi:20', macd: 'macd:12:26:9' };
  for (const [name, text] of Object.entries(asked)) {
    const { json } = await read(`/v1/svc/technical/${STOCK}?indicators=${text}&limit=7`);
    const points = (json.indicators as Record<string, (Json & { timestamp: string })[]>)[text];
    const window = name === 'macd' ? '' : 'window=20&';
    const path = `/v1/indicators/${name}/${STOCK}?${window}limit=7`;
    const expected = points.map((point) => ({ ...point, timestamp: midnight(point.timestamp) }));
    const down = (await read(path)).json.results as { values: unknown[] };
    expect(down.values).toEqual([...expected].reverse());
    const [{ timestamp }] = points;
    const up = await read(`${path}&order=asc&timestamp.gte=${timestamp.slice(0, 10)}`);
    expect((up.json.results as { values: unknown[] }).values).toEqual(expected);
    const after = await read(`${path}&order=asc&timestamp.gt=${timestamp.slice(0, 10)}`);
    expect((after.json.results as { values: unknown[] }).values).toEqual(expected.slice(1));
  }
});

it('walks values of an indicator to all of them, once', async () => {
  const { json } = await read(`/v1/svc/technical/${STOCK}?indicators=sma:5&from=2026-09-01`);
  const points = (json.indicators as Record<string, { timestamp: string; value: number }[]>)[
    'sma:5'
  ].map(({ timestamp, value }) => ({ timestamp: midnight(timestamp), value }));
  for (const order of ['asc', 'desc']) {
    const values: unknown[] = [];
    let next: string | undefined =
      `/v1/indicators/sma/${STOCK}?window=5&limit=9&order=${order}&timestamp.gte=2026-09-01`;
    while (next) {
      const page: Json = (await read(next.replace(market.server.address, ''))).json;
      values.push(...(page.results as { values: unknown[] }).values);
      next = page.next_url as string | undefined;
    }
    expect(values).toEqual(order === 'asc' ? points : [...points].reverse());
  }
});

it('lists tickers, splits and dividends', async () => {
  const { data } = (await read('/v1/svc/symbols?limit=100')).json as { data: Json[] };
  const all = await pages('/v3/reference/tickers?limit=5');
  expect(all.results.map((row) => (row as Json).ticker)).toEqual(data.map(({ symbol }) => symbol));
  const details = await read(`/v3/reference/tickers/${STOCK}`);
  const quote = await read(`/v1/svc/quotes/${STOCK}`);
  expect(details.json.results).toMatchObject({
    ticker: STOCK,
    market: 'stocks',
    active: true,
    market_cap: quote.json.marketCap,
  });
  for (const symbol of [STOCK, FUND]) {
    const actions = (await read(`/v1/svc/corporate-actions/${symbol}`)).json.data as Json[];
    const splits = actions.filter(({ type }) => type === 'split');
    const dividends = actions.filter(({ type }) => type === 'dividend');
    for (const root of ['/v3/reference', '/stocks/v1']) {
      const found = await pages(`${root}/dividends?ticker=${symbol}&limit=2`);
      expect(found.results).toMatchObject(
        dividends.map(({ exDate, amount }) => ({ ex_dividend_date: exDate, cash_amount: amount })),
      );
      expect((await pages(`${root}/splits?ticker=${symbol}`)).results).toHaveLength(splits.length);
    }
  }
});

it('refuses what the data does not have, and never ignores a filter', async () => {
  const refused = async (path: string) => {
    const { status, json } = await read(path);
    return [status, json.status, json.error ?? json.message];
  };
  expect(await refused(`/v2/aggs/ticker/${STOCK}/range/2/day/2026-01-01/2026-02-01`)).toEqual([
    400,
    'ERROR',
    'Bars must be one of 1 minute, 5 minute, 15 minute, 1 hour, 4 hour, 1 day, 1 week, 1 month, got "2 day"',
  ]);
  expect(await refused('/v3/reference/tickers?cusip=1')).toContain('ERROR');
  expect((await refused('/v3/reference/splits?execution_date.gte=2026-01-01'))[2]).toContain(
    'ticker or ticker.any_of must name 1 to 50 symbols',
  );
  expect(await refused(`/v1/indicators/sma/${STOCK}?series_type=open`)).toContain(
    'series_type must be one of close, got "open"',
  );
  expect((await refused('/v2/aggs/ticker/NONE/range/1/day/2026-01-01/2026-02-01'))[1]).toBe(
    'NOT_FOUND',
  );
});

it('takes the key from the query too, and keeps it out of the log', async () => {
  const rawKey = await market.server.newKey({ label: 'massive', scopes: ['technicals:read'] });
  const path = `/v2/aggs/ticker/${STOCK}/prev?adjusted=true&apiKey=${rawKey}`;
  const { status, headers } = await market.server.request(path);
  expect(status).toBe(200);
  const line = market.server.log.find(
    ({ request_id }) => request_id === headers.get('X-Request-Id'),
  );
  expect(line?.target).toBe(`/v2/aggs/ticker/${STOCK}/prev?adjusted=true`);
  const wrong = await market.server.request(`/v3/reference/tickers?apiKey=${rawKey}`);
  expect([wrong.status, (wrong.json as Json).status]).toEqual([403, 'NOT_AUTHORIZED']);
  const none = await market.server.request('/v3/reference/tickers');
  expect([none.status, (none.json as Json).status]).toEqual([401, 'ERROR']);
});

it('refuses several keys instead of taking the first one', async () => {
  const { rawKey } = market.server;
  const path = `/v2/aggs/ticker/${STOCK}/prev?apiKey=${rawKey}`;
  const other = 'svc_test_other';
  const twice = await market.server.request(`${path}&apiKey=${other}`);
  expect([twice.status, (twice.json as Json).error]).toEqual([
    401,
    'apiKey must be sent once, with one API key',
  ]);
  const line = market.server.log.find(
    ({ request_id }) => request_id === twice.headers.get('X-Request-Id'),
  );
  expect(line?.target).toBe(`/v2/aggs/ticker/${STOCK}/prev?`);
  const both = await market.server.request(path, { headers: { 'X-API-Key': other } });
  expect([both.status, (both.json as Json).error]).toEqual([
    401,
    'apiKey and X-API-Key carry different API keys; send one',
  ]);
  expect((await market.server.request(path, { headers: { 'X-API-Key': rawKey } })).status).toBe(
    200,
  );
});

const RANGE = `/v2/aggs/ticker/${STOCK}/range/1`;
const DAYS = '2026-10-05/2026-11-13';

it.each([
  `${RANGE}/day/${DAYS}?`,
  `/v2/aggs/grouped/locale/us/market/stocks/2026-11-13?`,
  `/v2/aggs/ticker/${STOCK}/prev?`,
  `/v1/open-close/${STOCK}/2026-11-13?`,
  `/v1/indicators/sma/${STOCK}?window=5&`,
  `/v1/indicators/macd/${STOCK}?`,
])('%s reads truth values as Python writes them, and leaves out empty parameters', async (path) => {
  const withoutId = ({ request_id: _id, next_url: _next, results, ...rest }: Json) => {
    const { underlying: _url, ...values } = results as Json;
    return { ...rest, results: Array.isArray(results) ? results : values };
  };
  for (const adjusted of ['true', 'false']) {
    const { json } = await read(`${path}adjusted=${adjusted}`);
    if (path.includes('open-close')) json.results ??= [];
    for (const text of [adjusted.toUpperCase(), adjusted[0].toUpperCase() + adjusted.slice(1)]) {
      const other = await read(`${path}adjusted=${text}&cik=&limit=&sort=&cusip=&timestamp.gte=`);
      expect(other.status, JSON.stringify(other.json)).toBe(200);
      if (path.includes('open-close')) other.json.results ??= [];
      expect(withoutId(other.json)).toEqual(withoutId(json));
    }
  }
  expect((await read(`${path}adjusted=yes`)).json.error).toContain(
    'adjusted must be true or false, got "yes"',
  );
});

it.each([
  [`${RANGE}/day/${DAYS}`, 500_000],
  [`${RANGE}/day/${DAYS}?sort=desc`, 50_001],
  [`/v1/indicators/rsi/${STOCK}`, 50_000],
  ['/v3/reference/tickers', 5000],
  [`/v3/reference/dividends?ticker=${STOCK}`, 50_000],
  [`/stocks/v1/splits?ticker=${STOCK}`, 50_000],
])('%s takes a limit beyond the most as the most', async (path, limit) => {
  const { status, json } = await read(`${path}${path.includes('?') ? '&' : '?'}limit=${limit}`);
  expect(status, JSON.stringify(json)).toBe(200);
  for (const wrong of ['0', '-1', 'ten', '1.5']) {
    const refused = await read(`${path}${path.includes('?') ? '&' : '?'}limit=${wrong}`);
    expect([refused.status, refused.json.status]).toEqual([400, 'ERROR']);
  }
});

const times = async (path: string) =>
  ((await read(path)).json.results as Bar[]).map(({ t }) => new Date(t).toISOString());

it('gives the bar that contains the start of the window', async () => {
  // 2026-10-07 is a Wednesday.
  for (const sort of ['asc', 'desc']) {
    const order = sort === 'desc' ? 'toReversed' : 'slice';
    const weeks = await times(`${RANGE}/week/2026-10-07/2026-10-16?sort=${sort}`);
    expect(weeks[order]()).toEqual(['2026-10-05T04:00:00.000Z', '2026-10-12T04:00:00.000Z']);
    const months = await times(`${RANGE}/month/2026-09-15/2026-10-02?sort=${sort}`);
    expect(months[order]()).toEqual(['2026-09-01T04:00:00.000Z', '2026-10-01T04:00:00.000Z']);
    const fromMs = Date.parse('2026-11-12T16:10:20.500Z');
    const toMs = Date.parse('2026-11-12T17:00:00Z');
    const window = `${fromMs}/${toMs}?sort=${sort}`;
    const hours = await times(`${RANGE}/hour/${window}`);
    expect(hours[order]()).toEqual(['2026-11-12T15:30:00.000Z', '2026-11-12T16:30:00.000Z']);
    const minutes = await times(`${RANGE}/minute/${window}`);
    expect(minutes[order]()[0]).toBe('2026-11-12T16:10:00.000Z');
    const quarters = await read(`/v2/aggs/ticker/${STOCK}/range/15/minute/${window}`);
    const starts = (quarters.json.results as Bar[]).map(({ t }) => t)[order]();
    expect(new Date(starts[0]).toISOString()).toBe('2026-11-12T16:00:00.000Z');
    const days = await times(`${RANGE}/day/${fromMs}/${toMs}?sort=${sort}`);
    expect(days).toEqual(['2026-11-12T05:00:00.000Z']);
  }
  // A week of Massive begins on Sunday, so that Sunday is in the week of the next Monday.
  expect(await times(`${RANGE}/week/2026-10-11/2026-10-16`)).toEqual(['2026-10-12T04:00:00.000Z']);
  expect((await times(`${RANGE}/week/2026-10-10/2026-10-16`))[0]).toBe('2026-10-05T04:00:00.000Z');
});

it('sorts actions by every field of a list', async () => {
  const ofSymbols = `ticker.any_of=${STOCK},${FUND}`;
  const rows = async (list: string, query: string) => {
    const { status, json } = await read(`${list}?${ofSymbols}&${query}`);
    expect(status, JSON.stringify(json)).toBe(200);
    return json.results as Json[];
  };
  for (const root of ['/v3/reference', '/stocks/v1']) {
    const list = `${root}/dividends`;
    const newest = await rows(list, '');
    expect(newest.length).toBeGreaterThan(3);
    for (const sort of ['pay_date', 'record_date', 'declaration_date', 'ex_dividend_date']) {
      expect(await rows(list, `sort=${sort}`)).toEqual(newest);
      const dates = (await rows(list, `sort=${sort}&order=asc`)).map((row) => row.ex_dividend_date);
      expect(dates).toEqual([...dates].sort());
      expect((await rows(list, `sort=${sort}.asc`)).map((row) => row.ex_dividend_date)).toEqual(
        dates,
      );
    }
    const amounts = (await rows(list, 'sort=cash_amount.asc')).map((row) =>
      Number(row.cash_amount),
    );
    expect(amounts).toEqual(amounts.toSorted((a, b) => a - b));
    const both = await rows(list, 'sort=ticker.asc,ex_dividend_date.desc');
    const keys = both.map(({ ticker }) => ticker);
    expect(keys).toEqual([...keys].sort());
    const refused = await read(`${list}?${ofSymbols}&sort=colour`);
    expect([refused.status, refused.json.status]).toEqual([400, 'ERROR']);
    const splits = await rows(`${root}/splits`, 'sort=ticker');
    expect(splits.map(({ ticker }) => ticker)).toEqual(
      splits
        .map(({ ticker }) => ticker)
        .sort()
        .reverse(),
    );
    const reverse = await rows(`${root}/splits`, 'reverse_split=True');
    const others = await rows(`${root}/splits`, 'reverse_split=False');
    expect(reverse.length + others.length).toBe(splits.length);
  }
});

it('filters one ticker by the other parameters too', async () => {
  const found = async (query: string) =>
    ((await read(`/v3/reference/tickers?ticker=${STOCK}&${query}`)).json.results as Json[]).length;
  expect(await found('active=True')).toBe(1);
  expect(await found('active=False')).toBe(0);
  expect(await found('type=CS')).toBe(1);
  expect(await found('type=ETF')).toBe(0);
});

it.each([
  '/v2/last/trade/AAPL',
  '/v1/meta/symbols',
  '/v1/marketstatus/now',
  '/v1',
  '/v2',
  '/v3/trades/AAPL?limit=1',
  '/vX/reference/financials',
  '/stocks/v1/short-interest',
  '/v3/snapshot/%',
])('%s is 404 or 400 in the form of Massive, with and without a key', async (path) => {
  for (const { status, json, headers } of [
    await market.server.get(path),
    await market.server.request(path),
  ]) {
    expect([404, 400]).toContain(status);
    expect((json as Json).status).toBe(status === 404 ? 'NOT_FOUND' : 'ERROR');
    expect((json as Json).request_id).toBe(headers.get('X-Request-Id'));
  }
});

it.each(['/v1/svc/none', '/v1/svc', '/v4/none', '/v10/svc'])('%s keeps its form', async (path) => {
  const { json } = await market.server.get(path);
  expect(typeof (json as { error: unknown }).error).toBe('object');
});

it('links with the scheme of the client behind a proxy', async () => {
  for (const [sent, scheme] of [
    ['https', 'https'],
    ['https, http', 'https'],
    ['http', 'http'],
    ['ftp', 'http'],
  ]) {
    const { json } = await market.server.get(`${RANGE}/day/${DAYS}?limit=2`, {
      'X-Forwarded-Proto': sent,
    });
    expect(new URL(String((json as Json).next_url)).protocol).toBe(`${scheme}:`);
  }
});

it('bounds tickers, page by page', async () => {
  const { json } = await read('/v1/svc/symbols?limit=100');
  const all = (json.data as { symbol: string }[]).map(({ symbol }) => symbol);
  const tickersOf = async (query: string) =>
    ((await pages(`/v3/reference/tickers?${query}`)).results as { ticker: string }[]).map(
      ({ ticker }) => ticker,
    );
  const [low, high] = [all[3], all[9]];
  expect(await tickersOf(`ticker.gte=${low}&ticker.lt=${high}&limit=2`)).toEqual(all.slice(3, 9));
  expect(await tickersOf(`ticker.gt=${low}&ticker.lte=${high}&limit=4`)).toEqual(all.slice(4, 10));
  expect(await tickersOf(`ticker.gt=${all.at(-1)}`)).toEqual([]);
  expect(await tickersOf(`ticker=${low}&ticker.gt=${low}`)).toEqual([]);
  const some = await tickersOf(`ticker.gte=A&type=ETF&limit=1`);
  expect(some).toEqual(await tickersOf('type=ETF'));
});
