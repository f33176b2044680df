/** Meaning of names on every route: symbols with bars, symbols without, and former symbols. */

import { expect, it } from 'vitest';
import { useFixtureServer } from '../../support/fixture-server.ts';
import { publishIntradayMarket } from '../../support/intraday-market.ts';

const fixture = useFixtureServer({}, publishIntradayMarket);

async function get(path: string) {
  const reply = await fixture.server.get(`/v1/svc/${path}`);
  return { status: reply.status, body: reply.json as Record<string, unknown>, text: reply.text };
}

it.each(['technical/%?interval=1h&limit=3', 'quotes/%', 'corporate-actions/%'])(
  '%s answers a former ticker with the symbol of today',
  async (path) => {
    const former = await get(path.replace('%', 'hour'));
    expect(former.status).toBe(200);
    expect(former.body).toEqual((await get(path.replace('%', 'MIN'))).body);
    expect(former.text.includes('HOUR')).toBe(false);
  },
);

it('lists return a security once, under whichever names it is requested', async () => {
  const { body } = await get('quotes/batch?symbols=HOUR,ABC,MIN,WAIT,ZZZ');
  const symbols = (body.data as { symbol: string }[]).map(({ symbol }) => symbol);
  expect(symbols).toEqual(['MIN', 'ABC']);
  expect(body.notFound).toEqual(['WAIT', 'ZZZ']);
  const lines = (symbolList: string) =>
    get(`candles?format=csv&interval=4h&symbols=${symbolList}`).then(({ text }) => text);
  expect(await lines('HOUR,MIN')).toBe(await lines('MIN'));
});

it('a listed symbol without bars is known, but has no quote', async () => {
  expect((await get('technical/WAIT')).body).toMatchObject({ symbol: 'WAIT', candles: [] });
  expect((await get('corporate-actions/WAIT')).body).toEqual({ data: [] });
  const { status, body } = await get('quotes/WAIT');
  expect(status).toBe(404);
  expect(body.error).toMatchObject({
    type: 'not_found_error',
    message: 'WAIT has no bars and so no quote in sandbox data',
  });
});

it('the directory has the dates of daily bars, else of intraday ones, else none', async () => {
  const { body } = await get('symbols?limit=100');
  const rows = body.data as { symbol: string; firstBar: string; lastBar: string }[];
  const datesOf = (name: string) => {
    const { firstBar, lastBar } = rows.find(({ symbol }) => symbol === name)!;
    return [firstBar, lastBar];
  };
  expect(datesOf('MIN')).toEqual(['2025-12-19', '2026-01-05']);
  expect(datesOf('BRK.B')[0]).toBe('2023-09-19');
  expect(datesOf('WAIT')).toEqual([null, null]);
});
