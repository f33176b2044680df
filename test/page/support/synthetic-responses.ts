/** Synthetic data in place of the server's, of sizes that no market of the tests has. */

import type { Page } from 'playwright-core';

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
