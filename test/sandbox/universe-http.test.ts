/** The routes that list symbols, over a sandbox that its own job filled. */

import { expect, it } from 'vitest';
import { fillSandbox } from '../../jobs/load/sandbox.ts';
import { screenerPageSchema } from '../../src/api/routes/screener/schema.ts';
import { symbolPageSchema } from '../../src/api/routes/symbols/schema.ts';
import { settingsFromEnv } from '../../src/base/config/config.ts';
import { modePaths } from '../../src/base/config/data-dir.ts';
import { CONTRACT_PLAN, NOW_MS, useContractMarket } from '../contract/contract-market.ts';
import { isLong } from '../faults/scale.ts';

const market = useContractMarket();

const get = (path: string) => market.server.get(`/v1/svc/${path}`);

const screened = async (query: string) =>
  screenerPageSchema.parse((await get(`screener?${query}`)).json);

it('the screener has the published figures of every symbol', async () => {
  const { data, total } = await screened('limit=200&country=us');
  expect(data).toHaveLength(total);
  for (const row of data.slice(0, 5)) {
    const quote = await get(`quotes/${row.symbol}`);
    const { price, changePct, volume } = row;
    expect(quote.json).toMatchObject({ price, changePct, volume });
    const technical = await get(`technical/${row.symbol}?indicators=rsi&limit=1`);
    const { indicators } = technical.json as { indicators: { rsi: { value: number }[] } };
    expect(row.rsi14).toBe(indicators.rsi[0].value);
  }
  expect(data.every(({ dividendYield }) => dividendYield !== null)).toBe(true);
  expect(data.some(({ dividendYield }) => (dividendYield ?? 0) > 0)).toBe(true);
  expect(data.every(({ companyName }) => companyName?.endsWith('(synthetic)'))).toBe(true);
});

it('sectors and exchanges divide the market', async () => {
  const total = async (query: string) => (await screened(query)).total;
  const all = await total('');
  const listed = ['NYSE', 'NASDAQ', 'AMEX'].map((name) => total(`exchange=${name}`));
  expect((await Promise.all(listed)).reduce((a, b) => a + b)).toBe(all);
  const { data } = await screened('sector=technology');
  expect(data.length).toBeGreaterThan(0);
  expect(data.every(({ sector }) => sector === 'Technology')).toBe(true);
});

it('the directory has all of them, active ones and delisted ones', async () => {
  const symbols = async (query: string) =>
    symbolPageSchema.parse((await get(`symbols?${query}`)).json).total;
  const [all, active, gone] = await Promise.all(['', 'active=true', 'active=false'].map(symbols));
  expect(active + gone).toBe(all);
  expect(all).toBe((await screened('')).total);
});

it.runIf(isLong)('a walk goes on over the sessions that are added meanwhile', async () => {
  const first = await screened('sort=volume&limit=10');
  const nowMs = NOW_MS + 86_400_000;
  const deps = { verb: 'test', nowMs, settings: settingsFromEnv({}) };
  await fillSandbox(modePaths(market.dataDir, 'sandbox'), CONTRACT_PLAN, deps);
  const second = await screened(`sort=volume&limit=200&cursor=${first.cursor}`);
  const volumes = [...first.data, ...second.data].map(({ volume }) => volume);
  expect(volumes).toEqual(volumes.toSorted((a, b) => b - a));
  expect(volumes).toHaveLength(first.total);
});
