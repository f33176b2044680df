/** Recorded chart bodies, replayed by a local server through the real client. */

import { existsSync, readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { limits } from '../../../../src/base/limits.ts';
import { dayFromDate } from '../../../../src/base/time/dates.ts';
import type { FetchContext } from '../../../../src/ingest/contract/fetch-context.ts';
import { yahooSymbol } from '../../../../src/ingest/vendors/shared/vendor-symbols.ts';
import { fetchYahoo } from '../../../../src/ingest/vendors/yahoo/candles.ts';
import { freshFolder } from '../../../support/folders.ts';
import { hasRealdata, realdata } from '../../../support/realdata.ts';
import { useLimits } from '../../../support/use-limits.ts';
import { fetchAll, fetchOne, testContext } from '../../support/segment-rows.ts';

const NOT_FOUND = JSON.stringify({
  chart: {
    result: null,
    error: { code: 'Not Found', description: 'No data found, symbol may be delisted' },
  },
});

/** Recorded bodies by symbol; the others are made here. */
const RECORDED: Record<string, string> = {
  AAPL: 'intraday/yahoo_v8_chart/chart-AAPL-2020-08-31-to-2020-11-07.json',
  MSFT: 'daily/yahoo_v8_chart/historical-via-chart-MSFT-dividends-2021-02-01-to-2022-01-31.csv.json',
};
const BROKEN: Record<string, (response: ServerResponse) => void> = {
  NOPE: (response) => response.writeHead(404).end(NOT_FOUND),
  LIMITED: (response) => response.writeHead(429).end('Too Many Requests'),
  DOWN: (response) => response.writeHead(503).end('<html>'),
  HTML: (response) => response.end('<html>'),
  EMPTY: (response) => response.end(),
  CUT: (response) => {
    response.writeHead(200, { 'content-length': 1000 }).write('{"chart":');
    response.socket?.end();
  },
  // An ordinary ticker whose prices are in another currency.
  FOREIGN: (response) => {
    const path = realdata(RECORDED.MSFT);
    const body = readFileSync(path, 'utf8').replaceAll('MSFT', 'FOREIGN');
    response.end(body.replace(/"currency":\s*"USD"/, '"currency":"CAD"'));
  },
  NOBARS: (response) =>
    response.end(
      JSON.stringify({
        chart: {
          result: [
            {
              meta: { symbol: 'NOBARS', exchangeTimezoneName: 'UTC', dataGranularity: '1d' },
              indicators: { quote: [{}] },
            },
          ],
          error: null,
        },
      }),
    ),
};

describe.skipIf(!hasRealdata)('yahoo', () => {
  useLimits(limits.http, { backoffFirstMs: 1 });
  let root: string;
  let server: Server;
  let context: FetchContext;
  let asked: URL[];

  beforeAll(async () => {
    server = createServer((request, response) => {
      const url = new URL(request.url ?? '', 'http://localhost');
      asked.push(url);
      const symbol = url.pathname.split('/').at(-1) ?? '';
      const file = RECORDED[symbol] && realdata(RECORDED[symbol]);
      if (file && existsSync(file)) response.end(readFileSync(file));
      else (BROKEN[symbol] ?? BROKEN.NOPE)(response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => server.close());

  beforeEach(async () => {
    asked = [];
    root = freshFolder();
    const { port } = server.address() as AddressInfo;
    context = testContext(root, '2022-02-01T22:00:00Z');
    context.settings.vendorUrls = { YAHOO: `http://127.0.0.1:${port}` };
  });

  it('lands bars, splits and dividends of each symbol in a segment of its own', async () => {
    const [microsoft, apple] = await fetchAll(fetchYahoo({ symbols: ['MSFT', 'AAPL'] }, context));
    for (const { segment } of [microsoft, apple]) {
      expect(segment).toMatchObject({ source: 'yahoo', interval: '1d', basis: 'split' });
      expect(segment.asOfUs).toBe(BigInt(Date.parse('2022-02-01T22:00:00Z')) * 1000n);
    }
    const [msft] = microsoft.segment.files;
    expect([msft.symbol, msft.dataLines]).toEqual(['MSFT', 252]);
    expect(microsoft.segment.actions?.[0].dividends).toHaveLength(4);
    expect(apple.rows[0]).toMatchObject({ date: '2020-08-31', close: 129.0399932861328 });
    expect(apple.segment.actions?.[0]).toMatchObject({ symbol: 'AAPL' });
    expect(apple.segment.actions?.[0].splits).toHaveLength(1);
    const landed = [microsoft, apple].map(({ segment }) => `${segment.id}.parquet`);
    expect((await readdir(context.paths.segments)).sort()).toEqual(landed.sort());
  });

  it('asks for the whole history, to now, so that actions are known up to the vintage', async () => {
    const { segment } = await fetchOne(fetchYahoo({ symbols: ['MSFT'] }, context));
    expect(asked[0].pathname).toBe('/v8/finance/chart/MSFT');
    expect(Object.fromEntries(asked[0].searchParams)).toMatchObject({
      interval: '1d',
      events: 'div|split|capitalGains',
      period1: String(Date.parse('1900-01-01') / 1000),
      period2: String(Date.parse('2022-02-01T22:00:00Z') / 1000),
    });
    expect(segment.actions?.[0]).toMatchObject({
      coverageFromDay: dayFromDate('1900-01-01'),
      coverageToDay: dayFromDate('2022-02-01'),
    });
  });

  it('skips a symbol whose prices are not in dollars, and names it', async () => {
    const { segment } = await fetchOne(fetchYahoo({ symbols: ['FOREIGN', 'MSFT'] }, context));
    expect(segment.skipped).toEqual([
      {
        name: 'FOREIGN',
        reason: 'Yahoo has the prices of "FOREIGN" in CAD, and prices here are in US dollars',
      },
    ]);
  });

  it('continues a stored series ten sessions before its end', async () => {
    const lastStoredDays = { MSFT: dayFromDate('2022-01-28') };
    await fetchOne(fetchYahoo({ symbols: ['MSFT'], lastStoredDays }, context));
    // 17 January 2022 was a holiday.
    const from = Number(asked[0].searchParams.get('period1')) * 1000;
    expect(new Date(from).toISOString()).toBe('2022-01-13T00:00:00.000Z');
  });

  it('keeps to --from and --to', async () => {
    const options = { symbols: ['MSFT'], toDay: dayFromDate('2021-02-03') };
    const { rows } = await fetchOne(
      fetchYahoo({ ...options, fromDay: dayFromDate('2021-02-01') }, context),
    );
    expect(rows.map(({ date }) => date)).toEqual(['2021-02-01', '2021-02-02', '2021-02-03']);
    expect(asked[0].searchParams.get('period1')).toBe(String(Date.parse('2021-02-01') / 1000));
  });

  it('gives the same segment again while nothing has changed', async () => {
    const first = await fetchOne(fetchYahoo({ symbols: ['MSFT'] }, context));
    const later = { ...context, nowMs: context.nowMs + 3_600_000 };
    const second = await fetchOne(fetchYahoo({ symbols: ['MSFT'] }, later));
    expect(second.segment.id).toBe(first.segment.id);
  });

  it('names symbols that Yahoo does not know or has no bars of, and goes on', async () => {
    const symbols = ['NOPE', 'MSFT', 'NOBARS'];
    const { segment } = await fetchOne(fetchYahoo({ symbols }, context));
    expect(segment.files.map(({ symbol }) => symbol)).toEqual(['MSFT']);
    expect(segment.skipped).toEqual([
      {
        name: 'NOPE',
        reason: 'Yahoo does not know "NOPE": No data found, symbol may be delisted',
      },
      { name: 'NOBARS', reason: 'Yahoo has no bars of "NOBARS" for the time asked' },
    ]);
    await expect(fetchAll(fetchYahoo({ symbols: ['NOPE'] }, context))).rejects.toThrow(
      'Yahoo gave no bars: Yahoo does not know "NOPE"',
    );
  });

  it.each([
    ['LIMITED', 'RateLimitedError', 'Yahoo limits the rate of requests'],
    ['DOWN', 'SourceUnavailableError', 'answered with status 503'],
    ['CUT', 'SourceUnavailableError', 'or its answer broke off'],
    ['HTML', 'MalformedInputError', 'it is not JSON'],
    ['EMPTY', 'MalformedInputError', 'it is not JSON'],
  ])('gives what came before a failure: %s is a %s', async (symbol, name, message) => {
    const walk = fetchYahoo({ symbols: ['MSFT', symbol, 'AAPL'] }, context);
    const { value } = await walk.next();
    expect(value?.files.map((file: { symbol: string }) => file.symbol)).toEqual(['MSFT']);
    await expect(walk.next()).rejects.toMatchObject({
      name,
      message: expect.stringContaining(message),
    });
    expect(asked.filter(({ pathname }) => pathname.endsWith('AAPL'))).toEqual([]);
  });

  it('is unavailable where nobody listens', async () => {
    context.settings.vendorUrls = { YAHOO: 'http://127.0.0.1:1' };
    await expect(fetchAll(fetchYahoo({ symbols: ['MSFT'] }, context))).rejects.toThrow(
      'Could not reach Yahoo (127.0.0.1:1 refused the connection)',
    );
  });

  it('needs symbols', async () => {
    await expect(fetchAll(fetchYahoo({}, context))).rejects.toThrow('yahoo needs --symbols');
  });

  it.each([
    ['AAPL', 'AAPL'],
    ['BRK.B', 'BRK-B'],
    ['ABR.PRA', 'ABR-PA'],
    ['MTB.PR', 'MTB-P'],
    ['AIG.WS', 'AIG-WT'],
    ['TDW.WS.B', 'TDW-WTB'],
    ['CIC.U', 'CIC-UN'],
    ['GIG.RT', 'GIG-RI'],
    ['AMTM.WI', 'AMTM-WI'],
    ['WSU.DE', 'WSU.DE'],
  ])('spells %s as %s', (canonical, spelled) => {
    expect(yahooSymbol(canonical)).toBe(spelled);
  });
});
