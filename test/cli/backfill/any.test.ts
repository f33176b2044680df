/** `backfill any` against a local server that stands in for all vendors; the bodies are synthetic. */

import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import {
  latestCompletedSession,
  newYorkMidnightMs,
  sessionOpenMs,
  sessionsBetween,
} from '../../../src/base/time/calendar.ts';
import { dateFromDay } from '../../../src/base/time/dates.ts';
import { BAR_SOURCES } from '../../../src/ingest/sources/bar-sources.ts';
import { anySourceLimits } from '../../../src/ingest/sources/limits.ts';
import { isLong } from '../../faults/scale.ts';
import { startVendorServer } from '../../ingest/support/vendor-server.ts';
import { long } from '../../support/store-runs.ts';
import { createCliFolder } from '../support/run-cli.ts';

/** Responds as the vendor in the first part of the path; `undefined` stands for the usual body. */
type Stand = (url: URL, response: ServerResponse) => boolean;

const newest = latestCompletedSession(Date.now());
/** The newest ten sessions, oldest first. */
const sessions = [...sessionsBetween(newest - 30, newest)].slice(-10);
const closeOf = (day: number) => 100 + (day % 7);

const yahooBody = (symbol: string) => {
  const timestamp = sessions.map((day) => sessionOpenMs(day) / 1000);
  const close = sessions.map(closeOf);
  const quote = [{ open: close, high: close, low: close, close, volume: close }];
  const meta = { symbol, exchangeTimezoneName: 'America/New_York', dataGranularity: '1d' };
  const result = [{ meta, timestamp, indicators: { quote } }];
  return JSON.stringify({ chart: { result, error: null } });
};
const alpacaBody = (symbols: string[], days = sessions, next_page_token: string | null = null) => {
  const bars = days.map((day) => {
    const [t, c] = [new Date(newYorkMidnightMs(day)).toISOString(), closeOf(day)];
    return { t, o: c, h: c, l: c, c, v: c, n: 1, vw: c };
  });
  const bySymbol = Object.fromEntries(symbols.map((symbol) => [symbol, bars]));
  return JSON.stringify({ bars: bySymbol, next_page_token });
};

let stands: Record<string, Stand> = {};

const server = await startVendorServer(({ url }, response) => {
  const [, vendor] = url.pathname.split('/');
  const isDone = stands[vendor]?.(url, response) ?? false;
  if (!isDone) response.writeHead(500).end('nothing stands here');
});
const vendorUrls = Object.fromEntries(
  BAR_SOURCES.map((id) => [`TAPEWORKS_${id.toUpperCase()}_URL`, `${server.url}/${id}`]),
);
const folders: { remove(): Promise<void> }[] = [];
function newFolder(env: Record<string, string> = {}) {
  const folder = createCliFolder({ ...vendorUrls, ...env });
  folders.push(folder);
  return folder;
}
const ALPACA = { TAPEWORKS_ALPACA_KEY: 'PK123', TAPEWORKS_ALPACA_SECRET: 'sesame' };

afterEach(() => {
  stands = {};
  server.asked.length = 0;
});
afterAll(async () => {
  await Promise.all(folders.map((folder) => folder.remove()));
  await server.close();
});

/** Alpaca with bars of some symbols, and no corporate actions. */
function alpacaWith(known: readonly string[]): Stand {
  return (url, response) => {
    const asked = (url.searchParams.get('symbols') ?? '').split(',');
    const isBars = url.pathname.endsWith('/v2/stocks/bars');
    const body = isBars ? alpacaBody(asked.filter((symbol) => known.includes(symbol))) : '{}';
    response.end(isBars ? body : '{"corporate_actions":{},"next_page_token":null}');
    return true;
  };
}

function yahooWith(known: readonly string[]): Stand {
  return (url, response) => {
    const symbol = url.pathname.split('/').at(-1) ?? '';
    if (known.includes(symbol)) response.end(yahooBody(symbol));
    else {
      const error = { code: 'Not Found', description: 'No data found, symbol may be delisted' };
      response.writeHead(404).end(JSON.stringify({ chart: { result: null, error } }));
    }
    return true;
  };
}

const status =
  (code: number, headers: Record<string, string> = {}): Stand =>
  (_url, response) => {
    response.writeHead(code, headers).end('{"message":"no"}');
    return true;
  };

const vendorsAsked = () => [...new Set(server.asked.map(({ url }) => url.pathname.split('/')[1]))];

describe('backfill any', () => {
  it('takes each symbol from the first vendor that has it, and says what the others said', async () => {
    const folder = newFolder(ALPACA);
    stands = { alpaca: alpacaWith(['AAPL', 'BRK.B']), yahoo: yahooWith(['QQQ']) };
    const { code, stdout } = await folder.run('backfill', 'any', '--symbols', 'AAPL,BRK-B,QQQ');
    expect(code).toBe(0);
    expect(stdout).toContain('from alpaca: AAPL, BRK.B\n');
    expect(stdout).toContain(
      [
        'from yahoo: QQQ',
        '  alpaca, unknown symbol: Alpaca has no bars of it for the time asked',
        '  not configured: Massive: set TAPEWORKS_MASSIVE_KEY (free at https://massive.com); Tiingo:',
      ].join('\n'),
    );
    const query = 'SELECT DISTINCT symbol, source FROM candles ORDER BY symbol';
    const rows = await folder.json('sql', query);
    expect(rows).toEqual([
      { symbol: 'AAPL', source: 'alpaca' },
      { symbol: 'BRK.B', source: 'alpaca' },
      { symbol: 'QQQ', source: 'yahoo' },
    ]);
  });

  it('requests nothing for what a vendor has given, and continues with the rest', async () => {
    const folder = newFolder(ALPACA);
    stands = { alpaca: alpacaWith(['AAPL']), yahoo: status(429) };
    const first = await folder.run('backfill', 'any', '--symbols', 'AAPL,QQQ');
    expect([first.code, first.stdout]).toEqual([1, expect.stringContaining('from no source: QQQ')]);
    stands = { alpaca: alpacaWith(['AAPL']), yahoo: yahooWith(['QQQ']) };
    server.asked.length = 0;
    const { sourced } = await folder.json('backfill', 'any', '--symbols', 'AAPL,QQQ');
    expect(sourced).toMatchObject([
      { symbol: 'AAPL', source: 'alpaca', isUpToDate: true, tried: [] },
      { symbol: 'QQQ', source: 'yahoo', isUpToDate: false },
    ]);
    const asked = server.asked.map(({ url }) => url.searchParams.get('symbols') ?? url.pathname);
    expect(asked.join()).not.toContain('AAPL');
  });

  long('passes over a vendor that refuses, limits or fails, after few requests', async () => {
    const folder = newFolder({
      ...ALPACA,
      TAPEWORKS_MASSIVE_KEY: 'sesame',
      TAPEWORKS_TIINGO_KEY: 'sesame',
      TAPEWORKS_EODHD_KEY: 'sesame',
    });
    stands = {
      alpaca: status(401),
      massive: status(429, { 'retry-after': '3600' }),
      tiingo: status(404),
      eodhd: (_url, response) => Boolean(response.end('not JSON')),
      yahoo: yahooWith(['AAPL']),
    };
    const { sourced } = await folder.json('backfill', 'any', '--symbols', 'AAPL');
    expect(sourced[0].source).toBe('yahoo');
    const outcomes = sourced[0].tried.map((one: { source: string; outcome: string }) => [
      one.source,
      one.outcome,
    ]);
    expect(outcomes).toEqual([
      ['alpaca', 'refused'],
      ['massive', 'rate limited'],
      ['tiingo', 'unknown symbol'],
      ['eodhd', 'malformed'],
    ]);
    expect(vendorsAsked()).toEqual([...BAR_SOURCES]);
    expect(server.asked.length).toBeLessThanOrEqual(5 * anySourceLimits.triesMax);
    expect(JSON.stringify(sourced)).not.toContain('sesame');
  });

  long('takes whole histories from the next vendor where one breaks off', async () => {
    const folder = newFolder({ TAPEWORKS_ALPACA_KEY: 'a', TAPEWORKS_ALPACA_SECRET: 'b' });
    stands = {
      // The first page lacks two sessions, and names a second page, which fails.
      alpaca: (url, response) => {
        if (url.searchParams.has('page_token')) return status(500)(url, response);
        const isBars = url.pathname.endsWith('/v2/stocks/bars');
        const body = alpacaBody(['AAPL', 'BRK.B'], sessions.slice(0, 8), 'QUFQTA');
        return Boolean(response.end(isBars ? body : '{"corporate_actions":{}}'));
      },
      yahoo: yahooWith(['AAPL', 'BRK-B', 'MSFT']),
    };
    const { sourced } = await folder.json('backfill', 'any', '--symbols', 'AAPL,BRK.B,MSFT');
    expect(sourced.map((one: { source: string }) => one.source)).toEqual(Array(3).fill('yahoo'));
    const query =
      'SELECT symbol, source, count(*)::INT AS bars FROM candles GROUP BY ALL ORDER BY ALL';
    expect(await folder.json('sql', query)).toEqual([
      { symbol: 'AAPL', source: 'yahoo', bars: 10 },
      { symbol: 'BRK.B', source: 'yahoo', bars: 10 },
      { symbol: 'MSFT', source: 'yahoo', bars: 10 },
    ]);
  });

  it.runIf(isLong)('keeps the whole histories of a vendor that fails later', async () => {
    const folder = newFolder({ TAPEWORKS_TIINGO_KEY: 'sesame' });
    stands = {
      tiingo: (url, response) => {
        if (url.pathname.includes('/QQQ/')) return status(429)(url, response);
        const bars = sessions.map((day) => ({
          date: `${dateFromDay(day)}T00:00:00.000Z`,
          ...{ open: 1, high: 1, low: 1, close: 1, volume: 1, divCash: 0, splitFactor: 1 },
        }));
        return Boolean(response.end(JSON.stringify(bars)));
      },
      yahoo: yahooWith(['AAPL', 'IBM', 'QQQ']),
    };
    const { sourced } = await folder.json('backfill', 'any', '--symbols', 'AAPL,IBM,QQQ');
    const sources = sourced.map((one: { symbol: string; source: string | null }) => [
      one.symbol,
      one.source,
    ]);
    // More pages of IBM might have been to come.
    expect(sources).toEqual([
      ['AAPL', 'tiingo'],
      ['IBM', 'yahoo'],
      ['QQQ', 'yahoo'],
    ]);
  });

  it('exits 1 and names the setting for a key where no vendor has the symbol', async () => {
    const folder = newFolder();
    stands = { yahoo: yahooWith([]) };
    const { code, stdout } = await folder.run('backfill', 'any', '--symbols', 'ZZZZ');
    expect(code).toBe(1);
    expect(stdout).toContain('from no source: ZZZZ');
    expect(stdout).toContain(
      'set TAPEWORKS_ALPACA_KEY and TAPEWORKS_ALPACA_SECRET (free at https://alpaca.markets)',
    );
  });

  it('refuses a run without symbols, and of a whole market', async () => {
    const folder = newFolder();
    expect(await folder.run('backfill', 'any')).toMatchObject({
      code: 2,
      stderr: 'tapeworks: any needs --symbols A,B\n',
    });
    const many = Array.from({ length: anySourceLimits.symbolsMax + 1 }, (_, i) => `S${i}`);
    const { code, stderr } = await folder.run('backfill', 'any', '--symbols', many.join());
    expect([code, stderr]).toEqual([2, expect.stringContaining('1 to 500 symbols, got 501')]);
  });

  it('shows the order with --plan, and sends nothing', async () => {
    const folder = newFolder(ALPACA);
    const { stdout } = await folder.run('backfill', 'any', '--symbols', 'AAPL,MSFT', '--plan');
    expect(stdout).toBe(
      [
        '1. alpaca: at most 2 requests',
        '2. massive: set TAPEWORKS_MASSIVE_KEY (free at https://massive.com)',
        '3. tiingo: set TAPEWORKS_TIINGO_KEY (free at https://www.tiingo.com)',
        '4. eodhd: set TAPEWORKS_EODHD_KEY (free at https://eodhd.com/register)',
        '5. yahoo: at most 2 requests',
        'each symbol comes from the first one that has it\n',
      ].join('\n'),
    );
    const one = await folder.run('backfill', 'any', '--symbols', 'AAPL', '--plan');
    expect(one.stdout).toContain('5. yahoo: at most 1 request\n');
    const { order } = await folder.json(
      ...['backfill', 'any', '--symbols', 'AAPL', '--interval', '1m', '--plan'],
    );
    expect(order.at(-1)).toMatchObject({
      source: 'yahoo',
      missing: 'it has no 1-minute bars here',
      plan: null,
    });
    expect(server.asked).toEqual([]);
  });
});

it('docs/vendors.md has the order of backfill any', () => {
  const page = readFileSync('docs/vendors.md', 'utf8');
  const [, section] = page.split('## The order of `backfill any`');
  const listed = [...section.split('\n## ')[0].matchAll(/^\| \d+ \| `([a-z]+)` \|/gm)];
  expect(listed.map(([, id]) => id)).toEqual([...BAR_SOURCES]);
});
