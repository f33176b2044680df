import { expect, it } from 'vitest';
import { type CandleSeries, candleSeries } from '../../../../src/api/routes/candles/series.ts';
import { blankBars } from '../../../../src/base/bars.ts';
import { modePaths } from '../../../../src/base/config/data-dir.ts';
import { limits } from '../../../../src/base/limits.ts';
import { openPublished } from '../../../../src/store/arrow/read/reader.ts';
import { useFixtureServer } from '../../support/fixture-server.ts';
import { fixtureIntraday, publishIntradayMarket } from '../../support/intraday-market.ts';

const fixture = useFixtureServer({}, publishIntradayMarket);

async function csvRows(query: string): Promise<string[]> {
  const { status, text } = await fixture.server.get(`/v1/svc/candles?format=csv&${query}`);
  expect(status, text.slice(0, 300)).toBe(200);
  return text.trimEnd().split('\r\n');
}

/** Returns a response of `/technical` as rows of a bulk response. */
async function technicalRows(symbol: string, query: string): Promise<string[]> {
  const path = `/v1/svc/technical/${symbol}?format=csv&limit=all&${query}`;
  const { headers, text } = await fixture.server.get(path);
  const [, ...rows] = text.trimEnd().split('\r\n');
  return rows.map((row) => `${symbol},${row},${headers.get('X-SVC-Adjustment')}`);
}

it.each(['1m', '5m', '15m', '1h', '4h'])(
  'candles of %s are those of technical answers, for all symbols that have some',
  async (interval) => {
    const [header, ...rows] = await csvRows(`symbols=*&interval=${interval}`);
    expect(header).toBe('symbol,timestamp,open,high,low,close,volume,adjustment');
    const symbols = interval === '1m' ? ['ABC', 'MIN'] : ['ABC', 'BRK.B', 'MIN'];
    const expected = await Promise.all(
      symbols.map((symbol) => technicalRows(symbol, `interval=${interval}`)),
    );
    expect(rows).toEqual(expected.flat());
  },
);

it.each(['1m', '15m', '4h'])('the newest candles of %s end the window', async (interval) => {
  const query = `symbols=MIN&interval=${interval}`;
  const [, ...all] = await csvRows(query);
  expect((await csvRows(`${query}&limit=7`)).slice(1)).toEqual(all.slice(-7));
  const window = `from=${all[3].split(',')[1]}&to=${all[7].split(',')[1]}`;
  expect((await csvRows(`${query}&${window}&limit=3`)).slice(1)).toEqual(all.slice(5, 8));
  expect((await csvRows(`${query}&${window}&limit=9`)).slice(1)).toEqual(all.slice(3, 8));
});

it('a known symbol without such bars has no rows, an unknown one is 404', async () => {
  expect(await csvRows('symbols=WAIT,RAW&interval=5m')).toHaveLength(1);
  expect(await csvRows('symbols=WAIT,NEW')).toHaveLength(6);
  const { status } = await fixture.server.get('/v1/svc/candles?symbols=ABC,ZZZ&interval=5m');
  expect(status).toBe(404);
});

it('a basis that some of the symbols lack is 400', async () => {
  const path = '/v1/svc/candles?symbols=*&interval=5m&adjustment=split';
  const { status, text } = await fixture.server.get(path);
  expect(status).toBe(400);
  expect(text).toContain('BRK.B, MIN');
});

it('long series come in pieces of whole sessions that hold all their rows once', () => {
  const version = openPublished(modePaths(fixture.dataDir, 'sandbox').serving);
  const [{ bars }] = fixtureIntraday();
  expect(bars.close.length).toBeGreaterThan(limits.bulk.intradayRows / 2);
  const window = { fromUs: undefined, toUs: undefined, adjustment: 'raw' } as const;
  const pieces = [...candleSeries(version!, ['ABC'], { ...window, interval: '1m' })];
  const closes = pieces.flatMap((piece: CandleSeries) => {
    expect(piece.rowCount).toBeLessThanOrEqual(limits.bulk.intradayRows + 390);
    const out = blankBars(piece.rowCount);
    piece.copyRows(0, piece.rowCount, out);
    return [...out.close];
  });
  expect(closes).toEqual([...bars.close]);
  version?.close();
});
