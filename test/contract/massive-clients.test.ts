/** Massive's own clients read this server after a change of their address. */

import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { massiveClient, massivePython } from '../support/tools.ts';
import { STOCK, useContractMarket } from './contract-market.ts';

const market = useContractMarket();
const run = promisify(execFile);

async function closes(query: string): Promise<number[]> {
  const { json } = await market.server.get(`/v1/svc/technical/${STOCK}?${query}`);
  return (json as { candles: { close: number }[] }).candles.map(({ close }) => close);
}

describe.skipIf(!massivePython)('the Python client', () => {
  it('reads bars, tickers, actions and indicators', async () => {
    const program = `
import json
from massive import RESTClient
from massive.exceptions import BadResponse
client = RESTClient("${market.server.rawKey}", base="${market.server.address}", retries=0)
bars = list(client.list_aggs("${STOCK}", 1, "day", "2026-01-05", "2026-11-13", limit=60))
minutes = client.get_aggs("${STOCK}", 1, "minute", "2026-11-13", "2026-11-13")
day = client.get_grouped_daily_aggs("2026-11-13")
previous = client.get_previous_close_agg("${STOCK}")[0]
one = client.get_daily_open_close_agg("${STOCK}", "2026-11-13")
sma = client.get_sma("${STOCK}", window=20, limit=3)
macd = client.get_macd("${STOCK}", limit=1).values[0]
tickers = [row.ticker for row in client.list_tickers(limit=5)]
details = client.get_ticker_details("${STOCK}")
actions = [len(list(client.list_splits(ticker="${STOCK}"))), len(list(client.list_dividends(ticker="${STOCK}")))]
try:
    client.get_last_trade("${STOCK}")
    error = None
except BadResponse as caught:
    error = str(caught)
print(json.dumps([
  [bar.close for bar in bars], [bar.close for bar in minutes], len(day), previous.close, one.close,
  len(sma.values), macd.histogram is not None, len(tickers), details.ticker, len(actions),
  "No such path" in error]))`;
    const { stdout } = await run(String(massivePython), ['-c', program], {
      env: { PATH: process.env.PATH, PYTHONPYCACHEPREFIX: tmpdir() },
    });
    const daily = await closes('from=2026-01-05&to=2026-11-13');
    const symbols = await market.server.get('/v1/svc/symbols?limit=1');
    const { text } = await market.server.get(
      '/v1/svc/candles?symbols=*&from=2026-11-13&to=2026-11-13&format=csv',
    );
    expect(JSON.parse(stdout)).toEqual([
      daily,
      await closes('interval=1m&from=2026-11-13&to=2026-11-13'),
      text.trim().split('\r\n').length - 1,
      (await closes('limit=1'))[0],
      daily.at(-1),
      3,
      true,
      (symbols.json as { total: number }).total,
      STOCK,
      2,
      true,
    ]);
  });
});

describe.skipIf(!massiveClient)('the JavaScript client', () => {
  it('reads bars of all pages, a grouped day and indicators', async () => {
    const { restClient } = await import(String(massiveClient));
    const paged = restClient(market.server.rawKey, market.server.address, { pagination: true });
    const window = { from: '2026-01-05', to: '2026-11-13' };
    const bars = await paged.getStocksAggregates({
      ...window,
      stocksTicker: STOCK,
      multiplier: 1,
      timespan: 'day',
      limit: 60,
    });
    // The client puts later pages first.
    const sorted = bars.results.sort((a: { t: number }, b: { t: number }) => a.t - b.t);
    const daily = await closes('from=2026-01-05&to=2026-11-13');
    expect(sorted.map(({ c }: { c: number }) => c)).toEqual(daily);
    const client = restClient(market.server.rawKey, market.server.address);
    const day = await client.getGroupedStocksAggregates({ date: '2026-11-13' });
    expect(day.results.find(({ T }: { T: string }) => T === STOCK).c).toBe(daily.at(-1));
    const { results } = await client.getStocksSMA({ stockTicker: STOCK, window: 20 });
    expect(results.values).toHaveLength(10);
    const refused = await client
      .getLastStocksTrade({ stocksTicker: STOCK })
      .catch((error: { response: { status: number } }) => error.response.status);
    expect(refused).toBe(404);
  });
});
