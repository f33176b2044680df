/** Synthetic data in place of the server's, of sizes that no market of the tests has. */

import type { Page } from 'playwright-core';

const MINUTE_MS = 60_000;

/** Gives 10,000 rows of the screener, in pages as the API does. */
export async function serveManyRows(page: Page): Promise<void> {
  const total = 10_000;
  await page.route('**/v1/svc/screener?*', async (route) => {
    const at = Number(new URL(route.request().url()).searchParams.get('cursor') ?? 0);
    const data = Array.from({ length: 200 }, (_, i) => ({
      symbol: `S${at + i}`,
      companyName: `Synthetic ${at + i}`,
      price: 10 + ((at + i) % 90),
      changePct: ((at + i) % 7) - 3,
      marketCap: 1e9 + at + i,
      peRatio: null,
      dividendYield: 0.01,
      sector: 'Technology',
      industry: null,
      volume: 1000 + i,
      rsi14: 50,
    }));
    const next = at + 200 < total ? String(at + 200) : null;
    await route.fulfill({ json: { data, total, has_more: next !== null, cursor: next } });
  });
  await page.route('**/v1/svc/candles?*', (route) =>
    route.fulfill({ contentType: 'text/csv', body: 'symbol,close\r\n' }),
  );
}

/**
 * Gives minute bars around the clock, without an end in the past.
 *
 * @param nowMs Moment of the newest bar.
 * @returns the number of bars given so far.
 */
export async function serveManyMinutes(page: Page, nowMs: number): Promise<() => number> {
  let given = 0;
  await page.route('**/v1/svc/technical/*', async (route) => {
    const params = new URL(route.request().url()).searchParams;
    const limit = Number(params.get('limit'));
    const to = params.get('to');
    const last = Math.floor((to === null ? nowMs : Date.parse(to)) / MINUTE_MS);
    const lines = Array.from({ length: limit }, (_, i) => {
      const ms = (last - (limit - 1 - i)) * MINUTE_MS;
      const open = 100 + 10 * Math.sin(ms / 3e7);
      const close = open + Math.sin(ms / 1e5) / 10;
      const prices = [open, Math.max(open, close) + 0.05, Math.min(open, close) - 0.05, close];
      return `${new Date(ms).toISOString()},${prices.map((price) => price.toFixed(2))},1000`;
    });
    given += limit;
    const head = 'timestamp,open,high,low,close,volume';
    await route.fulfill({
      contentType: 'text/csv',
      headers: { 'X-SVC-Adjustment': 'split' },
      body: `${[head, ...lines].join('\r\n')}\r\n`,
    });
  });
  return () => given;
}
