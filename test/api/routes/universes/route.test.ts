/** Universes over HTTP: lists, members of a day, bulk requests, screens, studies and own columns. */

import { tableFromIPC } from 'apache-arrow';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { publish } from '../../../../jobs/publish/publish.ts';
import { modePaths } from '../../../../src/base/config/data-dir.ts';
import { dayFromDate } from '../../../../src/base/time/dates.ts';
import {
  type MarketDb,
  openMarketForWriting,
} from '../../../../src/store/duckdb/connection/open.ts';
import { loadSymbols } from '../../../../src/store/duckdb/securities/symbols.ts';
import {
  delist,
  load,
  NOW_MS,
  rename,
  risingBars,
  segmentOf,
} from '../../../store/duckdb/support/fixtures.ts';
import { land, loadSegment } from '../../../store/duckdb/support/row-fixtures.ts';
import { sharedFolder } from '../../../support/folders.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';

const day = dayFromDate;
const dataDir = sharedFolder();
let server: TestServer;

const span = (symbol: string, from: string, to: string | null = null) => ({
  ...{ index: 'S&P 500', symbol, from: day(from), to: to === null ? null : day(to) },
});

/** Loads a directory in which LIVE has a name and an exchange. */
const directory = (db: MarketDb, date: string, [companyName, exchange]: string[]) => {
  const takenMs = Date.parse(`${date}T21:30:00Z`);
  const listings = [{ symbol: 'LIVE', companyName, exchange, venue: exchange, cik: null }];
  const snapshots = [{ list: 'nasdaqlisted', takenMs, listings }];
  const load = { source: 'nasdaqtrader', nowMs: NOW_MS, asOfUs: BigInt(takenMs) * 1000n };
  return loadSymbols(db, listings, { ...load, snapshots });
};

const value = (symbol: string, date: string, number: number | null) => ({
  ...{ symbol, name: 'short_interest', date: day(date), value: number },
});

beforeAll(async () => {
  const paths = modePaths(dataDir, 'sandbox');
  const db = await openMarketForWriting(paths, { verb: 'test', nowMs: NOW_MS });
  const bars = (symbol: string, from: string, count: number, close: number) =>
    load(db, segmentOf([{ symbol, bars: risingBars(from, count, close, 0.1) }], { basis: 'raw' }));
  try {
    await bars('OLD', '2026-01-05', 60, 10);
    await bars('NEW', '2026-03-06', 110, 16);
    await bars('OLD', '2026-04-01', 84, 70);
    await bars('DEAD', '2026-01-05', 90, 30);
    await bars('LIVE', '2026-02-02', 142, 40);
    await rename(db, 'OLD', 'NEW', '2026-03-06');
    await delist(db, 'DEAD', '2026-04-04');
    await directory(db, '2026-02-02', ['Living', 'NYSE']);
    await directory(db, '2026-05-04', ['Alive', 'NASDAQ']);
    await loadSegment(
      db,
      await land('members', [
        span('OLD', '2026-01-05'),
        span('DEAD', '2026-01-05'),
        span('LIVE', '2026-02-02', '2026-03-31'),
        span('LIVE', '2026-05-04'),
      ]),
    );
    await loadSegment(
      db,
      await land('values', [
        value('LIVE', '2026-03-02', 0.2),
        value('LIVE', '2026-05-01', 0.4),
        value('OLD', '2026-02-02', 0.1),
        value('DEAD', '2026-03-02', null),
      ]),
    );
  } finally {
    db.close();
  }
  await publish(paths, { verb: 'test', nowMs: NOW_MS });
  server = await startTestServer(dataDir, NOW_MS);
});

afterAll(() => server.close());

const symbolsOf = (json: unknown) =>
  (json as { data: { symbol: string }[] }).data.map(({ symbol }) => symbol).join(' ');

const members = async (date: string, name = 'sp500') =>
  symbolsOf((await server.get(`/v1/svc/universes/${name}?as_of=${date}`)).json);

describe('a name and a market that changed', () => {
  const namesOf = (json: unknown) =>
    (json as { data: { companyName: string | null }[] }).data.map((row) => row.companyName);

  it.each([
    ['2026-02-02', 'Living', 'NYSE'],
    ['2026-05-03', 'Living', 'NYSE'],
    ['2026-05-04', 'Alive', 'NASDAQ'],
  ])('are those of %s', async (date, name, exchange) => {
    const active = await server.get(`/v1/svc/universes/active?as_of=${date}`);
    expect(namesOf(active.json)).toContain(name);
    const listed = await server.get(`/v1/svc/symbols?as_of=${date}&exchange=${exchange}`);
    expect(namesOf(listed.json)).toEqual([name]);
    const where = encodeURIComponent(`exchange = '${exchange}' and company_name = '${name}'`);
    const screened = await server.get(`/v1/svc/screener?as_of=${date}&where=${where}`);
    expect(namesOf(screened.json)).toEqual([name]);
    const filtered = await server.get(`/v1/svc/screener?as_of=${date}&exchange=${exchange}`);
    expect(namesOf(filtered.json)).toEqual([name]);
  });

  it('are the newest without a day', async () => {
    const listed = await server.get('/v1/svc/symbols?exchange=NASDAQ');
    expect(namesOf(listed.json)).toEqual(['Alive']);
  });
});

describe('GET /svc/universes', () => {
  it('lists those of files, and those that follow from the bars', async () => {
    const { json } = await server.get('/v1/svc/universes');
    expect(json).toEqual({
      data: [
        expect.objectContaining({ name: 'active', members: 3, from: '2026-01-05', to: null }),
        expect.objectContaining({ name: 'all', members: 4, from: '2026-01-05', to: null }),
        { name: 'sp500', title: 'S&P 500', members: 2, from: '2026-01-05', to: null },
      ],
    });
  });

  it.each([
    ['2026-01-04', ''],
    ['2026-02-02', 'DEAD LIVE OLD'],
    ['2026-03-06', 'DEAD LIVE NEW'],
    ['2026-04-02', 'DEAD NEW'],
    ['2026-04-06', 'NEW'],
    ['2026-06-01', 'LIVE NEW'],
    ['1970-01-02', ''],
  ])('has the members of %s by the tickers of then: %s', async (date, expected) => {
    expect(await members(date)).toBe(expected);
  });

  it('has the days of the membership in force, in all formats', async () => {
    const path = '/v1/svc/universes/sp500?as_of=2026-02-10';
    const { text } = await server.get(`${path}&format=csv`);
    expect(text.split('\r\n').slice(0, 3)).toEqual([
      'symbol,companyName,from,to',
      'DEAD,,2026-01-05,2026-04-04',
      'LIVE,Living,2026-02-02,2026-03-31',
    ]);
    const { bytes } = await server.get(`${path}&format=arrow`);
    expect(tableFromIPC(bytes).numRows).toBe(3);
    expect((await server.get(`${path}&format=parquet`)).status).toBe(200);
  });

  it('knows bars alone: all that began, and those that trade', async () => {
    expect(await members('2026-02-01', 'all')).toBe('DEAD OLD');
    expect(await members('2026-06-01', 'all')).toBe('DEAD LIVE NEW OLD');
    expect(await members('2026-06-01', 'active')).toBe('LIVE NEW OLD');
    const { json } = await server.get('/v1/svc/symbols?as_of=2026-02-02');
    expect(symbolsOf(json)).toBe('DEAD LIVE OLD');
  });

  it.each([
    ['universes/sp501', 404, 'Unknown universe "sp501" in sandbox data: did you mean sp500?'],
    ['universes/sp500?as_of=2030-01-01', 400, 'as_of must not lie in the future, got "2030-01-01"'],
    ['symbols?as_of=2026-02-02&active=true', 400, 'active is about today'],
    ['candles?symbols=@none', 404, 'Unknown universe "none" in sandbox data'],
    [
      'candles?symbols=LIVE,@sp500',
      400,
      'symbols must be tickers, or one universe alone, as @sp500, got "LIVE,@sp500"',
    ],
    [
      'study?where=close>1&universe=sp501',
      400,
      'universe must be a condition or one of active, all',
    ],
    ["screener?where=in universe('sp501')", 400, 'expected a universe (active, all, sp500)'],
    ["screener?where=in universe('sp500') for 3", 400, "in universe('sp500') has one value and"],
    ['screener?where=short_intrest > 1', 400, 'did you mean "short_interest"?'],
    ['screener?where=short_interest[2] > 1', 400, 'short_interest has one value and can'],
  ])('refuses %s', async (path, status, message) => {
    const reply = await server.get(`/v1/svc/${encodeURI(path)}`);
    const { error } = reply.json as { error: { message: string } };
    expect([reply.status, error.message]).toEqual([status, expect.stringContaining(message)]);
  });
});

describe('@ and a universe', () => {
  const csvSymbols = async (query: string) => {
    const { text } = await server.get(`/v1/svc/${query}&format=csv`);
    const rows = text.trim().split('\r\n').slice(1);
    return [...new Set(rows.map((row) => row.split(',')[0]))].join(' ');
  };

  it('is all that were members on any day of a bulk request', async () => {
    expect(await csvSymbols('candles?symbols=@sp500')).toBe('DEAD LIVE NEW');
    expect(await csvSymbols('candles?symbols=@SP500&from=2026-04-10&to=2026-04-20')).toBe('NEW');
    const technical = 'technical?indicators=rsi&symbols=@sp500';
    expect(await csvSymbols(`${technical}&from=2026-03-02&to=2026-03-03`)).toBe('DEAD LIVE NEW');
    expect(await csvSymbols(`${technical}&latest=true`)).toBe('LIVE NEW');
  });
});

describe('screens and studies', () => {
  const screened = async (where: string, asOf?: string, columns = 'short_interest') => {
    const query = new URLSearchParams({ where, columns, ...(asOf && { as_of: asOf }) });
    const { json } = await server.get(`/v1/svc/screener?${query}`);
    const { data } = json as { data: { symbol: string; columns: Record<string, unknown> }[] };
    return Object.fromEntries(data.map(({ symbol, columns: own }) => [symbol, own[columns]]));
  };

  it('have members and own values of their day', async () => {
    expect(await screened("in universe('S&P 500')")).toEqual({ LIVE: 0.4, NEW: 0.1 });
    const past = (date: string) => screened("in universe('sp500')", date);
    expect(await past('2026-02-02')).toEqual({ DEAD: null, LIVE: null, OLD: 0.1 });
    expect(await past('2026-03-10')).toEqual({ DEAD: null, LIVE: 0.2, NEW: 0.1 });
    expect(await screened("not in universe('sp500')")).toMatchObject({ OLD: null });
    expect(await screened('short_interest between 0.3 and 0.5')).toEqual({ LIVE: 0.4 });
  });

  it('count the bars of a security up to the day', async () => {
    const days = await screened('listed_days >= 100', undefined, 'listed_days');
    expect(days).toEqual({ LIVE: 142, NEW: 170 });
    expect(await screened('listed_days <= 30', '2026-02-02', 'listed_days')).toEqual({
      ...{ DEAD: 29, LIVE: 1, OLD: 29 },
    });
  });

  it('have members and own values over all days', async () => {
    const where = "in universe('sp500') and short_interest is not null";
    const query = new URLSearchParams({ where, columns: 'short_interest' });
    const path = `/v1/svc/screener?${query}&from=2026-03-30&to=2026-05-06&limit=100&format=csv`;
    const { text } = await server.get(path);
    const live = text.split('\r\n').filter((row) => row.startsWith('LIVE,'));
    expect(live).toEqual([
      ...['LIVE,2026-03-30,0.2', 'LIVE,2026-03-31,0.2'],
      ...['LIVE,2026-05-04,0.4', 'LIVE,2026-05-05,0.4', 'LIVE,2026-05-06,0.4'],
    ]);
  });

  it('take a universe by its name, with the members of each day', async () => {
    const ask = async (universe: string) => {
      const query = new URLSearchParams({ where: 'close > 1', universe, mode: 'matches' });
      const path = `/v1/svc/study?${query}&rows=events&format=csv&horizons=1`;
      return (await server.get(path)).text.split('\r\n');
    };
    const byName = await ask('sp500');
    expect(byName).toEqual(await ask("in universe('sp500')"));
    const live = byName.filter((row) => row.startsWith('LIVE,'));
    expect(live.some((row) => row.startsWith('LIVE,2026-03-31,'))).toBe(true);
    expect(live.some((row) => row.startsWith('LIVE,2026-04-'))).toBe(false);
    expect(byName.some((row) => row.startsWith('OLD,2026-03-0'))).toBe(true);
    expect(byName.some((row) => row.startsWith('OLD,2026-05-'))).toBe(false);
  });
});
