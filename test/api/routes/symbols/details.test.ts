/** `GET /svc/symbols/{symbol}`: facts of one symbol and the intervals that have bars. */

import { expect, it } from 'vitest';
import { FUND, STOCK, useContractMarket } from '../../../contract/contract-market.ts';
import { useFixtureServer } from '../../support/fixture-server.ts';
import { publishIntradayMarket } from '../../support/intraday-market.ts';

const fixture = useFixtureServer({}, publishIntradayMarket);
const market = useContractMarket();

interface Details {
  symbol: string;
  datasets: string[];
  intervals: { interval: string; adjustments: string[]; firstBar: string; lastBar: string }[];
}

async function details(symbol: string): Promise<Details> {
  const { status, json } = await fixture.server.get(`/v1/svc/symbols/${symbol}`);
  expect([symbol, status]).toEqual([symbol, 200]);
  return json as Details;
}

it('lists an interval exactly if it has bars, and an adjustment exactly if it is served', async () => {
  for (const symbol of ['MIN', 'ABC', 'WAIT']) {
    const { intervals } = await details(symbol);
    for (const interval of ['1m', '5m', '15m', '1h', '4h', '1d', '1w', '1M']) {
      const row = intervals.find((one) => one.interval === interval);
      const path = `/v1/svc/technical/${symbol}?interval=${interval}&limit=1`;
      const { json } = await fixture.server.get(path);
      const isServed = (json as { candles: unknown[] }).candles.length > 0;
      expect([symbol, interval, row !== undefined]).toEqual([symbol, interval, isServed]);
      for (const basis of row ? ['raw', 'split', 'all'] : []) {
        const { status } = await fixture.server.get(`${path}&adjustment=${basis}`);
        const expected = row?.adjustments.includes(basis) ? 200 : 400;
        expect([symbol, interval, basis, status]).toEqual([symbol, interval, basis, expected]);
      }
    }
  }
});

it('lists a dataset exactly if it has rows', async () => {
  const paths: Record<string, string> = {
    statements: 'fundamentals/%/statements',
    'balance-sheet': 'fundamentals/%/balance-sheet',
    insider: 'insider/%',
    news: 'news/%',
    'analyst-consensus': 'analyst-consensus/%',
    'analyst-targets': 'analyst-targets/%',
    'upgrades-downgrades': 'upgrades-downgrades/%',
    expirations: 'options/%/expirations',
  };
  for (const symbol of [STOCK, FUND]) {
    const { json } = await market.server.get(`/v1/svc/symbols/${symbol}`);
    for (const [name, path] of Object.entries(paths)) {
      const reply = await market.server.get(`/v1/svc/${path.replace('%', symbol)}`);
      const rows = (reply.json as { data?: unknown[] }).data;
      const hasRows = reply.status === 200 && (rows === undefined || rows.length > 0);
      const { datasets } = json as Details;
      expect([symbol, name, datasets.includes(name)]).toEqual([symbol, name, hasRows]);
    }
  }
});

it('means the present symbol by a former ticker', async () => {
  expect((await details('hour')).symbol).toBe('MIN');
});

it('is 304 for its ETag', async () => {
  const { headers } = await fixture.server.get('/v1/svc/symbols/MIN');
  const held = { 'If-None-Match': headers.get('ETag') ?? '' };
  expect((await fixture.server.get('/v1/svc/symbols/MIN', held)).status).toBe(304);
});
