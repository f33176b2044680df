/** Network sources from the command line, against a local server that stands in for the vendors. */

import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  latestCompletedSession,
  previousSession,
  sessionCloseMs,
} from '../../../src/base/time/calendar.ts';
import { dateFromDay, dayFromDate } from '../../../src/base/time/dates.ts';
import * as samples from '../../ingest/support/vendor-samples.ts';
import { startVendorServer, type VendorServer } from '../../ingest/support/vendor-server.ts';
import { long } from '../../support/store-runs.ts';
import { type CliFolder, createCliFolder, QUICK_CLI } from '../support/run-cli.ts';

const DAY = '/v2/aggs/grouped/locale/us/market/stocks/';

describe('network sources', () => {
  const today = latestCompletedSession(Date.now());
  const yesterday = previousSession(today);
  let server: VendorServer;
  let folder: CliFolder;
  let finalVolumes = false;
  let answer: (url: URL, response: ServerResponse) => void;

  function massive(url: URL, response: ServerResponse): void {
    if (url.pathname.startsWith(DAY)) {
      const closeMs = sessionCloseMs(dayFromDate(url.pathname.slice(DAY.length)));
      const day = samples.massiveDay(closeMs);
      response.end(finalVolumes ? day.replace('104701220.5', '104701399') : day);
    } else if (url.pathname === '/stocks/v1/splits') {
      const execution_date = dateFromDay(yesterday);
      const split = { ticker: 'AAPL', execution_date, split_from: 1, split_to: 4 };
      response.end(JSON.stringify({ results: [split] }));
    } else response.end('{"results":[]}');
  }

  beforeAll(async () => {
    answer = massive;
    server = await startVendorServer(({ url }, response) => answer(url, response));
    const vendors = ['YAHOO', 'SEC', 'ALPACA', 'MASSIVE', 'EODHD', 'RSS', 'NASDAQ', 'CBOE'];
    const env = {
      ...Object.fromEntries(vendors.map((vendor) => [`TAPEWORKS_${vendor}_URL`, server.url])),
      TAPEWORKS_MASSIVE_KEY: 'sesame',
      TAPEWORKS_ALPACA_KEY: 'PK123',
      TAPEWORKS_ALPACA_SECRET: 'sesame',
      TAPEWORKS_EODHD_KEY: 'sesame',
      TAPEWORKS_CONTACT: 'me@example.com',
    };
    folder = createCliFolder(env, QUICK_CLI);
  });
  afterAll(async () => {
    await folder.remove();
    await server.close();
  });

  it('plans without asking anybody', async () => {
    const from = dateFromDay(previousSession(yesterday));
    const plan = await folder.json(
      'backfill',
      'massive',
      '--plan',
      '--from',
      from,
      '--to',
      dateFromDay(today),
    );
    expect(plan).toMatchObject({ requests: 5, limit: null, bars: 33_000, diskBytes: 7_095_000 });
    const { stdout } = await folder.run(
      ...['backfill', 'alpaca', '--symbols', 'AAPL,MSFT', '--plan'],
    );
    expect(stdout).toMatch(
      /^requests: 2 \(no limit\)\ntime: at least 1 s\nbars: at most 5,\d{3}\ndisk: /,
    );
    expect(server.asked).toEqual([]);
  });

  long('fills days of the whole market, and an evening in three requests', async () => {
    const dates = [previousSession(yesterday), yesterday].map(dateFromDay);
    const filled = await folder.json('backfill', 'polygon', '--from', dates[0], '--to', dates[1]);
    expect(filled).toMatchObject({ segments: 2, accepted: 6, rejected: 0 });
    server.asked.length = 0;
    // Trades that were reported late: the volume of the evening before was provisional.
    finalVolumes = true;
    const evening = await folder.json('backfill', 'massive');
    expect(evening).toMatchObject({ segments: 2, accepted: 6 });
    expect(server.asked).toHaveLength(3);
    const volumes = await folder.json(
      'sql',
      "SELECT ts::DATE::VARCHAR AS date, volume FROM candles WHERE symbol = 'AAPL' ORDER BY ts",
    );
    expect(volumes).toEqual([
      { date: dates[0], volume: 104701220.5 },
      { date: dates[1], volume: 104701399 },
      { date: dateFromDay(today), volume: 104701399 },
    ]);
    server.asked.length = 0;
    expect(await folder.json('backfill', 'massive')).toMatchObject({ segments: 0, accepted: 0 });
    expect(server.asked).toEqual([]);
    const rows = await folder.json(
      'sql',
      'SELECT symbol, source, basis, count(*)::INTEGER AS n FROM candles GROUP BY ALL ORDER BY ALL',
    );
    expect(rows).toEqual(
      ['AAPL', 'ABR.PRA', 'BRK.B'].map((symbol) => ({
        symbol,
        source: 'massive',
        basis: 'raw',
        n: 3,
      })),
    );
    const story = await folder.json('explain', 'AAPL', dates[0]);
    expect(JSON.stringify(story)).toContain('"numerator":4');
    const out = join(folder.dataDir, 'candles.csv');
    await folder.json('export', 'candles', '--symbols', 'AAPL', '--format', 'csv', '--out', out);
    const closes = readFileSync(out, 'utf8')
      .split('\n')
      .slice(1, 4)
      .map((line) => line.split(',')[6]);
    expect(closes).toEqual(['45.5025', '182.01', '182.01']);
  });

  long('loses one request at most when it is interrupted', async () => {
    const bar = { t: `${dateFromDay(today)}T05:00:00Z`, o: 1, h: 2, l: 1, c: 2, v: 10 };
    const page = (symbol: string, token: string | null) =>
      JSON.stringify({ bars: { [symbol]: [bar] }, next_page_token: token });
    let isDown = true;
    answer = ({ pathname, searchParams }, response) => {
      if (pathname === '/v1/corporate-actions') response.end(samples.ALPACA_ACTIONS);
      else if (searchParams.get('symbols') === 'AAPL,MSFT' && !searchParams.has('page_token')) {
        response.end(page('AAPL', 'next'));
      } else response.writeHead(isDown ? 500 : 200).end(isDown ? '' : page('MSFT', null));
    };
    const args = ['backfill', 'alpaca', '--symbols', 'AAPL,MSFT'];
    const { code, stderr } = await folder.run(...args);
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('/v2/stocks/bars answered with status 500'),
    ]);
    isDown = false;
    server.asked.length = 0;
    expect(await folder.json(...args)).toMatchObject({ segments: 1, accepted: 1 });
    expect(server.asked.map(({ url }) => url.searchParams.get('symbols'))).toEqual([
      'MSFT',
      'MSFT',
    ]);
    answer = massive;
  });

  it('keeps what came before a failure, exits 1 and names the reason without the key', async () => {
    answer = (_url, response) => response.writeHead(403).end('{"message":"sesame has no plan"}');
    const { code, stderr } = await folder.run(
      ...['backfill', 'massive', '--from', '2024-01-02', '--to', '2024-01-02'],
    );
    expect(code).toBe(1);
    expect(stderr).toContain(
      'Massive refuses: the key is missing or wrong, or its plan lacks this',
    );
    expect(stderr).toContain('*** has no plan');
    expect(stderr).not.toContain('sesame');
    answer = massive;
  });

  it('doctor finds a sound set-up, and says what each source answers', async () => {
    answer = (url, response) => {
      if (url.pathname.startsWith('/v2/aggs'))
        response.end(samples.MASSIVE_BARS.replaceAll('"c":', '"close":'));
      else if (url.pathname.startsWith('/v2/stocks')) response.end(samples.ALPACA_BARS);
      else if (url.pathname.startsWith('/files')) response.writeHead(403).end('slow down');
      else if (url.pathname.startsWith('/api/eod')) response.writeHead(402).end('Payment required');
      else response.writeHead(400).end();
    };
    const { code, stdout } = await folder.run('doctor', '--sources', '--json');
    const report = JSON.parse(stdout);
    expect(report.checks.filter(({ state }: { state: string }) => state === 'failed')).toEqual([]);
    const states = Object.fromEntries(
      report.sources.map((one: { source: string }) => [one.source, one]),
    );
    expect(states).toMatchObject({
      yahoo: { state: 'unavailable' },
      alpaca: { state: 'works', detail: '2 rows' },
      massive: {
        state: 'format changed',
        detail: expect.stringContaining('no bar has a value in "c"'),
      },
      tiingo: {
        state: 'not configured',
        detail: expect.stringContaining('TAPEWORKS_TIINGO_KEY'),
      },
      eodhd: { state: 'needs plan', detail: expect.stringContaining('Payment required') },
      symbols: { state: 'blocked' },
      // Left alone after that, like every source that asks the same vendor.
      sec: { state: 'blocked' },
      form4: { state: 'blocked' },
    });
    expect(stdout).not.toContain('sesame');
    expect(code).toBe(1);
    answer = massive;
    expect(await folder.run('doctor')).toMatchObject({ code: 0 });
  });
});
