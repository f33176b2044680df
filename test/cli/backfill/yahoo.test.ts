/** `backfill yahoo` against recorded bodies behind a local server, to an answered request. */

import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasRealdata, realdata } from '../../support/realdata.ts';
import { type CliFolder, createCliFolder } from '../support/run-cli.ts';
import { served } from '../support/served.ts';

const BODIES: Record<string, string> = {
  MSFT: 'daily/yahoo_v8_chart/historical-via-chart-MSFT-dividends-2021-02-01-to-2022-01-31.csv.json',
  AAPL: 'intraday/yahoo_v8_chart/chart-AAPL-2020-08-31-to-2020-11-07.json',
};

interface Recorded {
  chart: { result: { indicators: { quote: { close: number[] }[] } }[] };
}

function recordedCloses(symbol: string): number[] {
  const body: Recorded = JSON.parse(readFileSync(realdata(BODIES[symbol]), 'utf8'));
  return body.chart.result[0].indicators.quote[0].close;
}

describe.skipIf(!hasRealdata)('backfill yahoo', () => {
  let server: Server;
  let folder: CliFolder;

  beforeAll(async () => {
    server = createServer((request, response) => {
      const symbol = /\/chart\/([^?]+)/.exec(request.url ?? '')?.[1] ?? '';
      response.setHeader('Content-Type', 'application/json');
      response.end(readFileSync(realdata(BODIES[symbol])));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    folder = createCliFolder({ TAPEWORKS_YAHOO_URL: `http://127.0.0.1:${port}` });
  });
  afterAll(async () => {
    await folder.remove();
    server.close();
  });

  it('serves the quote and SMA of the bars that Yahoo gave', async () => {
    const report = await folder.json('backfill', 'yahoo', '--symbols', 'MSFT,AAPL');
    expect(report).toMatchObject({ segments: 2, accepted: 252 + 49, rejected: 0, skipped: [] });
    const get = await served(folder);
    const closes = recordedCloses('MSFT');
    const [previous, last] = closes.slice(-2);
    expect((await get('quotes/MSFT')).body).toMatchObject({ price: last, previousClose: previous });
    const mean = closes.slice(-14).reduce((sum, close) => sum + close, 0) / 14;
    const { indicators } = (await get('technical/MSFT?indicators=sma&limit=1')).body;
    expect(indicators.sma[0].value / mean).toBeCloseTo(1, 12);
  });

  it('stores the split of Apple that the body states', async () => {
    const rows = await folder.json(
      'sql',
      `SELECT symbol, ex_date, numerator, denominator, source FROM corporate_actions
       WHERE type = 'split'`,
    );
    expect(rows).toEqual([
      { symbol: 'AAPL', ex_date: '2020-08-31', numerator: 4, denominator: 1, source: 'yahoo' },
    ]);
  });

  it('asked again, joins the refresh with what is stored', async () => {
    const before = 'SELECT count(*) AS n, bit_xor(hash(ts, close)) AS content FROM candles';
    const stored = await folder.json('sql', before);
    const report = await folder.json('backfill', 'yahoo', '--symbols', 'MSFT');
    expect(report.rejected).toBe(0);
    expect(await folder.json('sql', before)).toEqual(stored);
  });
});
