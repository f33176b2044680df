/** Vendors of candles behind a local server: what they are asked, and what is landed of it. */

import { mkdir, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dayFromDate } from '../../../src/base/time/dates.ts';
import { fetchAlpaca } from '../../../src/ingest/vendors/alpaca/source.ts';
import { fetchEodhd } from '../../../src/ingest/vendors/eodhd/source.ts';
import { fetchMassive } from '../../../src/ingest/vendors/massive/source.ts';
import { fetchTiingo } from '../../../src/ingest/vendors/tiingo/source.ts';
import { scaled } from '../../faults/scale.ts';
import { hasRealdata } from '../../support/realdata.ts';
import { long } from '../../support/store-runs.ts';
import { eachTest } from '../support/each-test.ts';
import { fetchAll, fetchOne } from '../support/segment-rows.ts';
import * as samples from '../support/vendor-samples.ts';
import { startVendorServer, type VendorServer } from '../support/vendor-server.ts';

const KEYS = { ALPACA: 'PK123:secret', MASSIVE: 'key', TIINGO: 'key', EODHD: 'key' };

/** Bodies by path; a path that ends in a slash stands for all below it. */
type Bodies = Record<string, string | ((url: URL, response: ServerResponse) => void)>;

const at = eachTest('2022-01-04T22:00:00Z');
let server: VendorServer;
let bodies: Bodies;

beforeEach(async () => {
  bodies = {};
  server = await startVendorServer(({ url }, response) => {
    const path = Object.keys(bodies).find(
      (key) => url.pathname === key || (key.endsWith('/') && url.pathname.startsWith(key)),
    );
    const body = path && bodies[path];
    if (body === undefined) response.writeHead(404).end('{"detail":"Not found."}');
    else if (typeof body === 'string') response.end(body);
    else body(url, response);
  });
  const vendorUrls = Object.fromEntries(Object.keys(KEYS).map((vendor) => [vendor, server.url]));
  at.context.settings = { ...at.context.settings, vendorUrls, vendorKeys: KEYS };
});
afterEach(() => server.close());

const asked = () => server.asked.map(({ url }) => url.pathname);
const queryOf = (index: number) => Object.fromEntries(server.asked[index].url.searchParams);
const summary = (rows: { symbol: string; date: string; close: number }[]) =>
  rows.map(({ symbol, date, close }) => `${symbol} ${date} ${close}`);

describe('alpaca', () => {
  beforeEach(() => {
    bodies['/v1/corporate-actions'] = samples.ALPACA_ACTIONS;
    bodies['/v2/stocks/bars'] = (url, response) =>
      response.end(
        url.searchParams.has('page_token') ? samples.ALPACA_LAST_PAGE : samples.ALPACA_BARS,
      );
  });
  const symbols = ['AAPL', 'BRK.B', 'MSFT'];

  it('asks for many symbols at once and lands a segment a page', async () => {
    const [first, second] = await fetchAll(fetchAlpaca({ symbols }, at.context));
    expect(summary(first.rows)).toEqual([
      'AAPL 2022-01-03 182.01',
      'AAPL 2022-01-04 179.7',
      'BRK.B 2022-01-03 300.79',
    ]);
    expect(summary(second.rows)).toEqual(['MSFT 2022-01-03 334.75']);
    expect(first.segment).toMatchObject({ source: 'alpaca', interval: '1d', basis: 'raw' });
    expect(queryOf(1)).toEqual({
      symbols: 'AAPL,BRK.B,MSFT',
      timeframe: '1Day',
      start: '2016-01-01',
      end: '2022-01-04T21:44:00Z',
      limit: '10000',
      adjustment: 'raw',
      feed: 'sip',
    });
    expect(queryOf(2)).toMatchObject({ page_token: 'QUFQTHxEfDIwMjI' });
    expect(server.asked[0].headers).toMatchObject({
      'apca-api-key-id': 'PK123',
      'apca-api-secret-key': 'secret',
    });
    const aapl = first.segment.actions?.find(({ symbol }) => symbol === 'AAPL');
    expect(aapl).toMatchObject({
      splits: [{ numerator: 4, denominator: 1 }],
      dividends: [{ amount: 1.22 }],
      coverageFromDay: dayFromDate('2016-01-01'),
      coverageToDay: dayFromDate('2022-01-04'),
    });
  });

  // The volume of an evening is provisional: vendors correct it until the next sessions.
  it('asks again for the newest stored sessions, and for nothing of a symbol that is up to date', async () => {
    const stored: Record<string, string> = {
      AAPL: '2022-01-04',
      'BRK.B': '2022-01-03',
      MSFT: '2022-01-03',
    };
    const lastStoredDays = Object.fromEntries(
      symbols.map((symbol) => [symbol, dayFromDate(stored[symbol])]),
    );
    await fetchAll(fetchAlpaca({ symbols, lastStoredDays }, at.context));
    expect(queryOf(0)).toMatchObject({ symbols: 'BRK.B,MSFT', start: '2021-12-01' });
    expect(queryOf(1)).toMatchObject({ symbols: 'BRK.B,MSFT', start: '2021-12-28' });
  });

  // Minutes of the last tick of a day lack the evening, and keep its first volumes.
  long(
    'asks of scheduled minutes for the newest stored day too, and for the first day of others',
    async () => {
      const stored: Record<string, number> = { AAPL: dayFromDate('2022-01-03') };
      const options = {
        interval: '1m' as const,
        symbols: ['AAPL', 'MSFT'],
        firstDay: dayFromDate('2022-01-04'),
        lastStoredDays: stored,
      };
      await fetchAll(fetchAlpaca(options, at.context));
      const starts = server.asked.flatMap(({ url: { pathname, searchParams } }) =>
        pathname === '/v2/stocks/bars'
          ? [`${searchParams.get('symbols')} ${searchParams.get('start')}`]
          : [],
      );
      expect([...new Set(starts)]).toEqual(['AAPL 2022-01-03', 'MSFT 2022-01-04']);
    },
  );

  long('goes on without a symbol that Alpaca calls invalid', async () => {
    const page = bodies['/v2/stocks/bars'] as (url: URL, response: ServerResponse) => void;
    bodies['/v2/stocks/bars'] = (url, response) =>
      url.searchParams.get('symbols')?.includes('MSFT')
        ? response.writeHead(400).end('{"message":"invalid symbol: MSFT"}')
        : page(url, response);
    const [{ segment }] = await fetchAll(fetchAlpaca({ symbols }, at.context));
    expect(segment.skipped).toEqual([{ name: 'MSFT', reason: 'Alpaca does not know "MSFT"' }]);
  });

  it('names symbols that were asked for and have no bars', async () => {
    const [, { segment }] = await fetchAll(
      fetchAlpaca({ symbols: [...symbols, 'NONE'] }, at.context),
    );
    expect(segment.skipped).toEqual([
      { name: 'NONE', reason: 'Alpaca has no bars of it for the time asked' },
    ]);
  });

  it('stamps minutes with their start and keeps the hours apart', async () => {
    const barAt = (t: string) => ({ t, o: 1, h: 2, l: 1, c: 2, v: 10 });
    bodies['/v2/stocks/bars'] = JSON.stringify({
      bars: {
        AAPL: [
          barAt('2022-01-03T14:29:00Z'),
          barAt('2022-01-03T14:30:00Z'),
          barAt('2022-01-03T14:30:30Z'),
        ],
      },
      next_page_token: null,
    });
    const fetched = await fetchAll(fetchAlpaca({ symbols: ['AAPL'], interval: '1m' }, at.context));
    expect(fetched.map(({ segment, rows }) => [segment.hours, rows.length])).toEqual([
      ['regular', 1],
      ['extended', 1],
    ]);
    expect(fetched[0].reasons).toEqual({ 'stamp is on no whole minute': 1 });
    expect(queryOf(1)).toMatchObject({ timeframe: '1Min' });
  });

  it('asks for the symbols of the directory, and needs some', async () => {
    await fetchAll(fetchAlpaca({ knownSymbols: ['AAPL'] }, at.context));
    expect(queryOf(0)).toMatchObject({ symbols: 'AAPL' });
    await expect(fetchAll(fetchAlpaca({}, at.context))).rejects.toThrow('alpaca needs --symbols');
  });

  it('needs a key, and a message never holds one', async () => {
    const { settings } = at.context;
    at.context.settings = { ...settings, vendorKeys: {} };
    await expect(fetchAll(fetchAlpaca({ symbols }, at.context))).rejects.toThrow(
      'Alpaca needs an API key: set TAPEWORKS_ALPACA_KEY and TAPEWORKS_ALPACA_SECRET (free at https://alpaca.markets)',
    );
    at.context.settings = settings;
    bodies['/v1/corporate-actions'] = (_url, response) =>
      response.writeHead(403).end('{"message":"secret of PK123: subscription does not permit it"}');
    await expect(fetchAll(fetchAlpaca({ symbols }, at.context))).rejects.toMatchObject({
      name: 'SubscriptionNeededError',
      message: expect.stringContaining('*** of ***: subscription does not permit it'),
    });
  });
});

describe('massive', () => {
  const DAY = '/v2/aggs/grouped/locale/us/market/stocks/';
  beforeEach(() => {
    bodies[DAY] = (url, response) => {
      const date = url.pathname.slice(DAY.length);
      response.end(samples.massiveDay(Date.parse(`${date}T21:00:00Z`)));
    };
    bodies['/stocks/v1/splits'] = samples.MASSIVE_SPLITS;
    bodies['/stocks/v1/dividends'] = samples.MASSIVE_DIVIDENDS;
    bodies['/v2/aggs/ticker/'] = samples.MASSIVE_BARS;
  });

  it('asks for every missing session of the whole market after the newest stored one, and states actions at the end', async () => {
    const options = { wholeMarketDay: dayFromDate('2021-12-31') };
    const [friday, monday, tuesday] = await fetchAll(fetchMassive(options, at.context));
    expect(asked().slice(2)).toEqual([`${DAY}2021-12-31`, `${DAY}2022-01-03`, `${DAY}2022-01-04`]);
    expect(summary(friday.rows)[0]).toBe('AAPL 2021-12-31 182.01');
    expect(summary(monday.rows)).toEqual([
      'AAPL 2022-01-03 182.01',
      'ABR.PRA 2022-01-03 25.2',
      'BRK.B 2022-01-03 300.79',
    ]);
    expect(monday.segment.actions).toBeUndefined();
    expect(tuesday.segment.actions?.[0]).toMatchObject({
      symbol: 'AAPL',
      splits: [{ numerator: 4 }],
      dividends: [{ amount: 0.22 }],
      coverageFromDay: dayFromDate('2021-12-17'),
      coverageToDay: dayFromDate('2022-01-04'),
    });
    expect(server.asked[0].headers.authorization).toBe('Bearer key');
  });

  it('makes three requests of an evening, and knows both lists from the second evening on', async () => {
    const evening = async (now: string, stored: string) => {
      at.context.nowMs = Date.parse(now);
      server.asked.length = 0;
      const wholeMarketDay = dayFromDate(stored);
      const [again, session] = await fetchAll(fetchMassive({ wholeMarketDay }, at.context));
      expect(again.rows[0].date).toBe(stored);
      return session;
    };
    const monday = await evening('2022-01-03T22:00:00Z', '2021-12-31');
    expect(asked()).toEqual(['/stocks/v1/splits', `${DAY}2021-12-31`, `${DAY}2022-01-03`]);
    expect(monday.segment.actions).toBeUndefined();
    const tuesday = await evening('2022-01-04T22:00:00Z', '2022-01-03');
    expect(asked()).toEqual(['/stocks/v1/dividends', `${DAY}2022-01-03`, `${DAY}2022-01-04`]);
    expect(tuesday.segment.actions?.[0]).toMatchObject({
      symbol: 'AAPL',
      splits: [{ numerator: 4 }],
      dividends: [{ amount: 0.22 }],
      coverageFromDay: dayFromDate('2021-12-20'),
      coverageToDay: dayFromDate('2022-01-04'),
    });
    await evening('2022-01-05T22:00:00Z', '2022-01-04');
    expect(asked()).toEqual(['/stocks/v1/splits', `${DAY}2022-01-04`, `${DAY}2022-01-05`]);
    expect(queryOf(0)).toMatchObject({ 'execution_date.gte': '2021-12-20', limit: '5000' });
  });

  it('forgets what a list no longer says, and keeps what it was not asked of again', async () => {
    const run = async (now: string, stored: string) => {
      at.context.nowMs = Date.parse(now);
      const options = {
        wholeMarketDay: dayFromDate(stored),
        toDay: dayFromDate(now.slice(0, 10)),
      };
      const all = await fetchAll(fetchMassive(options, at.context));
      return all.at(-1)?.segment.actions?.[0].splits.map(({ numerator }) => numerator);
    };
    const split = samples.MASSIVE_SPLITS;
    const none = '{"results":[]}';
    const evenings = [
      [split, '2022-01-04', '2021-12-31', [4]],
      [none, '2022-02-01', '2022-01-27', []],
      [split.replace('2022-01-04', '2022-02-02'), '2022-02-03', '2022-02-01', [4]],
      [none, '2022-03-03', '2022-03-01', []],
      [none, '2022-04-05', '2022-04-01', []],
    ] as const;
    for (const [list, day, stored, expected] of evenings.slice(0, scaled(2, 5))) {
      bodies['/stocks/v1/splits'] = list;
      expect(await run(`${day}T22:00:00Z`, stored)).toEqual(expected);
    }
  });

  it('asks again for the newest stored sessions of single symbols, and of minutes for the day', async () => {
    const lastStoredDays = { AAPL: dayFromDate('2022-01-03') };
    const options = { symbols: ['AAPL'], lastStoredDays };
    await fetchAll(fetchMassive(options, at.context));
    expect(asked()[2]).toBe('/v2/aggs/ticker/AAPL/range/1/day/2021-12-28/2022-01-04');
    await fetchAll(fetchMassive({ ...options, interval: '1m' }, at.context));
    expect(asked()[5]).toBe('/v2/aggs/ticker/AAPL/range/1/minute/2022-01-03/2022-01-04');
  });

  it('asks for histories of single symbols, page by page, on the host of the settings', async () => {
    bodies['/v2/aggs/ticker/'] = (url, response) => {
      const page = JSON.parse(samples.MASSIVE_BARS);
      const next = 'https://api.massive.com/v2/aggs/ticker/AAPL/next?cursor=abc';
      const isFirst = !url.searchParams.has('cursor');
      response.end(JSON.stringify({ ...page, ...(isFirst && { next_url: next }) }));
    };
    const fetched = await fetchAll(fetchMassive({ symbols: ['AAPL'] }, at.context));
    expect(fetched.map(({ rows }) => summary(rows))).toEqual([
      ['AAPL 2022-01-03 182.01', 'AAPL 2022-01-04 179.7'],
      ['AAPL 2022-01-03 182.01', 'AAPL 2022-01-04 179.7'],
    ]);
    expect(asked()).toEqual([
      '/stocks/v1/splits',
      '/stocks/v1/dividends',
      '/v2/aggs/ticker/AAPL/range/1/day/2020-01-05/2022-01-04',
      '/v2/aggs/ticker/AAPL/next',
    ]);
    expect(queryOf(0)).toMatchObject({ 'ticker.any_of': 'AAPL' });
    expect(queryOf(2)).toEqual({ adjusted: 'false', sort: 'asc', limit: '50000' });
  });

  long('reads flat files: open and close by name, nanoseconds, fractions of a share', async () => {
    const header = 'ticker,volume,open,close,high,low,window_start,transactions';
    const nanos = (time: string) => `${Date.parse(time)}000000`;
    const folders = ['day_aggs_v1', 'minute_aggs_v1'].map((name) => join(at.root, name));
    for (const folder of folders) await mkdir(folder);
    const day = [
      header,
      `AAPL,104701220.5,178.26,182.01,182.88,177.71,${nanos('2022-01-03T05:00:00Z')},7`,
      `ABRpA,120,25.1,25.2,25.3,25,${nanos('2022-01-03T05:00:00Z')},1`,
    ];
    await writeFile(join(folders[0], '2022-01-03.csv.gz'), gzipSync(day.join('\n')));
    const minutes = ['14:29', '14:30', '14:31'].map(
      (time) => `AAPL,10.5,178,179,180,177,${nanos(`2022-01-03T${time}:00Z`)},1`,
    );
    await writeFile(
      join(folders[1], '2022-01-03.csv.gz'),
      gzipSync([header, ...minutes].join('\n')),
    );
    at.context.settings = { ...at.context.settings, vendorKeys: {} };
    const daily = await fetchOne(fetchMassive({ path: folders[0] }, at.context));
    expect(daily.segment).toMatchObject({ source: 'massive', interval: '1d', basis: 'raw' });
    expect(daily.rows).toMatchObject([
      { symbol: 'AAPL', date: '2022-01-03', open: 178.26, close: 182.01, volume: 104701220.5 },
      { symbol: 'ABR.PRA', open: 25.1, high: 25.3, low: 25, close: 25.2 },
    ]);
    const fetched = await fetchAll(fetchMassive({ path: folders[1] }, at.context));
    const byHours = fetched.map(
      ({ segment, rows }) => `${segment.interval} ${segment.hours} ${rows.length}`,
    );
    expect(byHours.sort()).toEqual(['1m extended 1', '1m regular 2']);
    expect(server.asked).toEqual([]);
  });

  it('says that two splits of a day contradict one another, and covers the days after it', async () => {
    const split = { ticker: 'AAPL', execution_date: '2022-01-03', split_from: 1, split_to: 4 };
    bodies['/stocks/v1/splits'] = JSON.stringify({ results: [split, { ...split, split_to: 3 }] });
    for (const interval of ['1d', '1m'] as const) {
      const [{ segment }] = await fetchAll(
        fetchMassive({ symbols: ['AAPL'], interval }, at.context),
      );
      expect(segment.notes).toEqual([
        'AAPL: it has two splits on 2022-01-03, 4:1 and 3:1, so neither is read: prices before it ' +
          'are adjusted only by what an earlier load states. State the right one in a file ' +
          '(backfill files corporate-actions)',
      ]);
      expect(segment.actions).toMatchObject([
        { splits: [], coverageFromDay: dayFromDate('2022-01-04') },
      ]);
    }
  });

  it('names symbols without bars', async () => {
    bodies = { '/v2/aggs/ticker/NOPE/': '{"status":"OK","resultsCount":0}', ...bodies };
    const { segment } = await fetchOne(fetchMassive({ symbols: ['NOPE', 'AAPL'] }, at.context));
    expect(segment.skipped).toEqual([
      { name: 'NOPE', reason: 'Massive has no bars of it for the time asked' },
    ]);
    await expect(fetchAll(fetchMassive({ symbols: ['NOPE'] }, at.context))).rejects.toMatchObject({
      name: 'SourceEmptyError',
    });
  });

  it('gives what came before a failure, and no more', async () => {
    bodies[DAY] = (url, response) => {
      if (url.pathname.endsWith('2022-01-04')) response.writeHead(403).end('{"message":"upgrade"}');
      else response.end(samples.massiveDay());
    };
    const walk = fetchMassive({ wholeMarketDay: dayFromDate('2022-01-03') }, at.context);
    expect((await walk.next()).value?.files).toHaveLength(3);
    await expect(walk.next()).rejects.toMatchObject({ name: 'SubscriptionNeededError' });
  });
});

describe.skipIf(!hasRealdata)('tiingo', () => {
  const PATH = '/tiingo/daily/GOOGL/prices';

  it('lands the bars of each symbol and names those it does not know', async () => {
    bodies[PATH] = samples.tiingoBody('ticker_price_with_date');
    const { segment, rows } = await fetchOne(
      fetchTiingo({ symbols: ['NOPE', 'GOOGL'], fromDay: dayFromDate('2015-01-01') }, at.context),
    );
    expect(summary(rows)).toEqual(['GOOGL 2015-01-02 529.55', 'GOOGL 2015-01-05 519.46']);
    expect(segment).toMatchObject({ source: 'tiingo', basis: 'raw' });
    expect(segment.actions).toMatchObject([{ symbol: 'GOOGL', splits: [], dividends: [] }]);
    expect(segment.skipped).toEqual([
      { name: 'NOPE', reason: 'Tiingo does not know "NOPE" (status 404: Not found.)' },
    ]);
    expect(server.asked[1].headers.authorization).toBe('Token key');
    expect(queryOf(1)).toMatchObject({ startDate: '2015-01-01', endDate: '2022-01-04' });
  });

  it('refreshes from the start of the last stored month, and not at all when up to date', async () => {
    bodies[PATH] = samples.tiingoBody('ticker_price');
    const lastStoredDays = { GOOGL: dayFromDate('2021-12-30') };
    await fetchAll(fetchTiingo({ symbols: ['GOOGL'], lastStoredDays }, at.context));
    expect(queryOf(0)).toMatchObject({ startDate: '2021-12-01' });
    // On the first session of a month, the sessions before it are in the month before.
    const firstOfMonth = { GOOGL: dayFromDate('2022-01-03') };
    await fetchAll(fetchTiingo({ symbols: ['GOOGL'], lastStoredDays: firstOfMonth }, at.context));
    expect(queryOf(1)).toMatchObject({ startDate: '2021-12-01' });
    const upToDate = { GOOGL: dayFromDate('2022-01-04') };
    expect(
      await fetchAll(fetchTiingo({ symbols: ['GOOGL'], lastStoredDays: upToDate }, at.context)),
    ).toEqual([]);
    expect(server.asked).toHaveLength(2);
  });
});

describe('eodhd', () => {
  it('lands a symbol with raw volumes and declared dividends', async () => {
    bodies = {
      '/api/eod/AAPL.US': samples.EODHD_BARS,
      '/api/splits/AAPL.US': samples.EODHD_SPLITS,
      '/api/div/AAPL.US': samples.EODHD_DIVIDENDS,
    };
    const { segment, rows } = await fetchOne(fetchEodhd({ symbols: ['AAPL', 'NOPE'] }, at.context));
    expect(rows.map(({ date, close, volume }) => [date, close, volume])).toEqual([
      ['2022-01-03', 182.01, 104701220],
      ['2022-01-04', 44.93, 99310438],
    ]);
    expect(segment.actions).toMatchObject([
      { symbol: 'AAPL', splits: [{ numerator: 4 }], dividends: [{ amount: 0.22 }] },
    ]);
    expect(segment.skipped).toEqual([
      { name: 'NOPE', reason: 'EODHD does not know "NOPE.US" (status 404: Not found.)' },
    ]);
    expect(queryOf(0)).toMatchObject({ api_token: 'key', fmt: 'json' });
  });

  // Its volumes contain its splits: with an unknown one they can't be those of the day.
  it('skips a symbol whose splits contradict one another', async () => {
    const [split] = JSON.parse(samples.EODHD_SPLITS);
    const splits = JSON.stringify([split, { ...split, split: '2.000000/1.000000' }]);
    for (const symbol of ['AAPL', 'MSFT']) {
      bodies[`/api/eod/${symbol}.US`] = samples.EODHD_BARS;
      bodies[`/api/splits/${symbol}.US`] = symbol === 'AAPL' ? splits : '[]';
      bodies[`/api/div/${symbol}.US`] = '[]';
    }
    const { segment } = await fetchOne(fetchEodhd({ symbols: ['AAPL', 'MSFT'] }, at.context));
    expect(segment.skipped).toMatchObject([
      { name: 'AAPL', reason: expect.stringContaining('two splits on 2022-01-04, 4:1 and 2:1') },
    ]);
  });

  it('lands the missing days of the whole market', async () => {
    bodies['/api/eod-bulk-last-day/US'] = (url, response) => {
      const type = url.searchParams.get('type');
      if (type === 'splits') response.end(samples.EODHD_DAY_SPLITS);
      else response.end(type ? samples.EODHD_DAY_DIVIDENDS : samples.EODHD_DAY);
    };
    at.context.nowMs = Date.parse('2022-01-03T22:00:00Z');
    const [, { segment, rows }] = await fetchAll(
      fetchEodhd({ wholeMarketDay: dayFromDate('2021-12-31') }, at.context),
    );
    expect(server.asked.map(({ url }) => url.searchParams.get('date'))).toEqual([
      ...Array(3).fill('2021-12-31'),
      ...Array(3).fill('2022-01-03'),
    ]);
    expect(summary(rows)).toEqual(['AAPL 2022-01-03 182.01', 'BRK.B 2022-01-03 300.79']);
    // From the Saturday on: between sessions nothing happens.
    expect(segment.actions?.[0]).toMatchObject({
      coverageFromDay: dayFromDate('2022-01-01'),
      coverageToDay: dayFromDate('2022-01-03'),
    });
  });
});
