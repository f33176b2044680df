/** The routes that list symbols, over a sandbox that its own job filled. */

import { afterAll, beforeAll, expect, it } from 'vitest';
import { fillSandbox } from '../../jobs/load/sandbox.ts';
import { screenerPageSchema } from '../../src/api/routes/screener/schema.ts';
import { symbolPageSchema } from '../../src/api/routes/symbols/schema.ts';
import { settingsFromEnv } from '../../src/base/config/config.ts';
import { modePaths } from '../../src/base/config/data-dir.ts';
import { dayFromDate } from '../../src/base/time/dates.ts';
import { startTestServer, type TestServer } from '../api/support/test-server.ts';
import { isLong } from '../faults/scale.ts';
import { sharedFolder } from '../support/folders.ts';

const NOW_MS = Date.parse('2026-11-18T12:00:00Z');

const dataDir = sharedFolder();
let server: TestServer;

const fill = (nowMs: number) =>
  fillSandbox(
    modePaths(dataDir, 'sandbox'),
    { stocks: 16, fromDay: dayFromDate('2025-06-02') },
    { verb: 'test', nowMs, settings: settingsFromEnv({}) },
  );

beforeAll(async () => {
  await fill(NOW_MS);
  server = await startTestServer(dataDir, NOW_MS);
});

afterAll(() => server.close());

const screened = async (query: string) =>
  screenerPageSchema.parse((await server.get(`/v1/svc/screener?${query}`)).json);

it('the screener has the published figures of every symbol', async () => {
  const { data, total } = await screened('limit=200&country=us');
  expect(data).toHaveLength(total);
  for (const row of data.slice(0, 5)) {
    const quote = await server.get(`/v1/svc/quotes/${row.symbol}`);
    const { price, changePct, volume } = row;
    expect(quote.json).toMatchObject({ price, changePct, volume });
    const technical = await server.get(`/v1/svc/technical/${row.symbol}?indicators=rsi&limit=1`);
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
    symbolPageSchema.parse((await server.get(`/v1/svc/symbols?${query}`)).json).total;
  const [all, active, gone] = await Promise.all(['', 'active=true', 'active=false'].map(symbols));
  expect(active + gone).toBe(all);
  expect(all).toBe((await screened('')).total);
});

it.runIf(isLong)('a walk goes on over the sessions that are added meanwhile', async () => {
  const first = await screened('sort=volume&limit=10');
  await fill(NOW_MS + 86_400_000);
  const second = await screened(`sort=volume&limit=200&cursor=${first.cursor}`);
  const volumes = [...first.data, ...second.data].map(({ volume }) => volume);
  expect(volumes).toEqual(volumes.toSorted((a, b) => b - a));
  expect(volumes).toHaveLength(first.total);
});
