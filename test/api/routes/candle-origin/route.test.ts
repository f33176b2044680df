/** `GET /svc/candles/{symbol}/origin`: the source of one bar, its bases and later actions. */

import { expect, it } from 'vitest';
import { originSchema } from '../../../../src/api/routes/candle-origin/schema.ts';
import { dateFromDay } from '../../../../src/base/time/dates.ts';
import { useFixtureServer } from '../../support/fixture-server.ts';
import { publishIntradayMarket } from '../../support/intraday-market.ts';
import { LAST_DAY } from '../../support/market-fixture.ts';

const fixture = useFixtureServer({}, publishIntradayMarket);

const ask = (target: string) => fixture.server.get(`/v1/svc/candles/${target}`);

async function origin(target: string) {
  const { status, json } = await ask(target);
  expect([target, status]).toEqual([target, 200]);
  return originSchema.parse(json);
}

interface Candle {
  timestamp: string;
}

async function candles(symbol: string, query: string): Promise<Candle[]> {
  const { json } = await fixture.server.get(`/v1/svc/technical/${symbol}?${query}`);
  return (json as { candles: Candle[] }).candles;
}

it('has the prices of the candles on each basis, for each interval', async () => {
  for (const interval of ['1m', '5m', '15m', '1h', '4h', '1d', '1w', '1M']) {
    const [{ timestamp }] = await candles('ABC', `interval=${interval}&limit=1`);
    const { prices, sourceInterval } = await origin(
      `ABC/origin?interval=${interval}&at=${timestamp}`,
    );
    expect(prices.map(({ adjustment }) => adjustment)).toEqual(['raw', 'split', 'all']);
    for (const { adjustment, ...values } of prices) {
      const query = `interval=${interval}&limit=1&adjustment=${adjustment}`;
      expect([{ timestamp, ...values }]).toEqual(await candles('ABC', query));
    }
    const isDaily = ['1d', '1w', '1M'].includes(interval);
    expect(sourceInterval).toBe(isDaily ? '1d' : '1m');
  }
});

it('lists the splits and dividends since the bar, which are between its bases', async () => {
  const [early, between, last] = [-250, -150, 0].map((offset) => dateFromDay(LAST_DAY + offset));
  const types = async (near: string) => {
    const [{ timestamp }] = (await candles('ABC', `to=${near}&limit=1`)).slice(-1);
    const { prices, actionsSince } = await origin(`abc/origin?at=${timestamp.slice(0, 10)}`);
    const [raw, split, all] = prices.map(({ close }) => close);
    return [actionsSince.map(({ type }) => type), split === raw / 3, all < split];
  };
  expect(await types(early)).toEqual([['dividend', 'split'], true, true]);
  expect(await types(between)).toEqual([['split'], true, false]);
  expect(await types(last)).toEqual([[], false, false]);
});

it('has one basis and no coverage without known splits and dividends', async () => {
  const [{ timestamp }] = await candles('BRK.B', 'limit=1');
  const { prices, actionCoverage, sourceBasis, asOf } = await origin(
    `BRK.B/origin?at=${timestamp}`,
  );
  expect(prices).toHaveLength(1);
  expect(prices[0].adjustment).toBe(sourceBasis);
  expect([actionCoverage, typeof asOf]).toEqual([null, 'string']);
});

it('names the bar that does not exist', async () => {
  const { status, json } = await ask('ABC/origin?at=1990-01-01');
  expect([status, json]).toMatchObject([
    404,
    { error: { message: 'ABC has no 1d bar that begins at 1990-01-01T00:00:00.000Z' } },
  ]);
  expect((await ask('WAIT/origin?at=2026-01-05')).status).toBe(404);
  const missing = await ask('ABC/origin');
  expect([missing.status, missing.text]).toEqual([400, expect.stringContaining('at must be')]);
});
