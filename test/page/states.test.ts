/** States without data: each says what is the case and what to do, and vendors' names stay text. */

import type { Page, Route } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { FUND, NOW_MS, STOCK } from '../contract/contract-market.ts';
import { long } from '../support/store-runs.ts';
import { chromium } from '../support/tools.ts';
import { PHONE, usePageBrowser } from './support/page-browser.ts';

const { market, open, expectAccessible } = usePageBrowser();

/** Browsers note a response with an error in the console, whatever the page makes of it. */
const REFUSED = { complaintsExpected: true };

function chart(page: Page) {
  return page.getByRole('region', { name: 'Chart' });
}

describe.skipIf(!chromium)('a state without data', () => {
  long(
    'names an unknown symbol or what cannot be held, and offers no load of the latter',
    async () => {
      const paths: string[] = [];
      const requestedOf = (symbol: string) =>
        paths.flatMap((url) => new RegExp(`svc/([a-z-]+)/${symbol}`).exec(url)?.[1] ?? []).sort();
      const page = await open('?symbol=NONE', {
        ...REFUSED,
        prepare: async (page) => void page.on('request', (request) => paths.push(request.url())),
      });
      const alert = page.getByRole('alert');
      await alert.waitFor();
      await page.waitForLoadState('load');
      expect(requestedOf('NONE')).toEqual(['symbols', 'technical']);
      expect(await alert.innerText()).toContain('No symbol NONE');
      expect(await alert.innerText()).toContain('npm start -- --new-key');
      await expectAccessible(alert);

      await page.goto(`${market.server.address}/?symbol=BTC-USD`);
      await alert.waitFor();
      await page.waitForLoadState('load');
      expect(requestedOf('BTC-USD')).toEqual(['symbols', 'technical']);
      expect(await alert.allInnerTexts()).toEqual([
        expect.stringMatching(
          /^No symbol BTC-USD\s+Symbol must be a US stock or fund.*cryptocurrency.*\s+Search for a stock/,
        ),
      ]);
      expect(await alert.getByRole('button').count()).toBe(0);
    },
  );

  long('offers the intervals that have bars', async () => {
    const paths: string[] = [];
    const page = await open(`?symbol=${FUND}&interval=1m`, {
      prepare: async (page) => void page.on('request', (request) => paths.push(request.url())),
    });
    await chart(page).getByText(`${FUND} has no bars of 1 minute`).waitFor();
    await chart(page).getByRole('button', { name: '1 day' }).click();
    await chart(page).locator('canvas').first().waitFor();
    await page.getByText(`${FUND} has no statements`).waitFor();
    await page.getByText('No insider trades are known.').waitFor();
    expect(paths.filter((url) => /fundamentals|insider|upgrades|consensus/.test(url))).toEqual([]);
  });

  it('names the scope that a key lacks, and shows the rest', async () => {
    const key = await market.server.newKey({ scopes: ['quotes:read', 'news:read'] });
    const page = await open(`?symbol=${STOCK}`, { ...REFUSED, key, viewport: PHONE });
    const alert = chart(page).getByRole('alert');
    await alert.waitFor();
    expect(await alert.innerText()).toContain("This key can't read the chart");
    expect(await alert.innerText()).toContain('--scopes technicals:read');
    await page.getByRole('heading', { level: 1, name: STOCK }).waitFor();
    await page.getByText('Day range').waitFor();
    const events = page.getByRole('region', { name: 'Events' });
    await events.getByText('Not loaded: Earnings, Insider trades, Ratings.').waitFor();
    expect(await events.innerText()).not.toContain('No events');
    await expectAccessible(alert);
  });

  it('of a chart has the size of what comes, then says what fails, and goes on by itself or on demand', async () => {
    const first = Promise.withResolvers<void>();
    const limited = {
      status: 429,
      headers: { 'Retry-After': '2' },
      json: {
        error: { message: 'Rate limit of 5 requests per 10 s reached; try again in 2 s' },
        request_id: 'req_1',
      },
    };
    const damaged = {
      status: 503,
      json: { error: { message: 'A stored file is damaged' }, request_id: 'req_damaged' },
    };
    const failures = [
      (route: Route) => first.promise.then(() => route.fulfill(limited)),
      (route: Route) => route.fulfill(damaged),
      (route: Route) => route.abort(),
    ];
    const page = await open(`?symbol=${STOCK}`, {
      ...REFUSED,
      prepare: (page) =>
        page.route('**/v1/svc/technical/**', (route) => {
          const fail = failures.shift();
          return fail ? fail(route) : route.continue();
        }),
    });
    await page.getByRole('status', { name: 'Loading the chart' }).waitFor();
    await page.getByText('Day range').waitFor();
    // The modules of the company come later, in place of a shape.
    await page.locator('.below .pair').waitFor();
    const topOf = () => page.locator('.below').evaluate((part) => part.getBoundingClientRect().top);
    const before = await topOf();
    first.resolve();
    const alert = chart(page).getByRole('alert');
    await alert.getByText('loads the chart again in').waitFor();
    await page.clock.setFixedTime(NOW_MS + 3000);
    await alert.getByText('A stored file is damaged').waitFor();
    expect(await alert.innerText()).toContain('req_damaged');
    await expectAccessible(alert);
    await alert.getByRole('button', { name: 'Try again' }).click();
    await alert.getByText('npm start').waitFor();
    expect(await alert.innerText()).toMatch(
      /^Could not load the chart\s+The server did not respond\.\s+Is it running/,
    );
    await alert.getByRole('button', { name: 'Try again' }).click();
    await chart(page).locator('canvas').first().waitFor();
    expect(await topOf()).toBe(before);
  });

  long('of a part says which one failed, keeps the chart, and goes away on demand', async () => {
    const down = new Set(['company', 'older bars', 'indicators']);
    const olderBars: string[] = [];
    const page = await open(`?symbol=${STOCK}`, {
      ...REFUSED,
      async prepare(page) {
        await page.route(`**/v1/svc/symbols/${STOCK}`, (route) =>
          down.has('company') ? route.fulfill({ status: 503, json: {} }) : route.continue(),
        );
        await page.route('**/v1/svc/technical/**&to=*', (route) => {
          olderBars.push(route.request().url());
          return down.has('older bars') ? route.abort() : route.continue();
        });
        // A newer server does not have the files that an older page names.
        await page.route('**/app/*/page/symbol/indicator-dialog.*', (route) =>
          down.has('indicators') ? route.fulfill({ status: 404 }) : route.continue(),
        );
      },
    });
    const alertOf = (text: string) => page.getByRole('alert').filter({ hasText: text });
    const tryAgain = async (text: string, part: string) => {
      const button = alertOf(text).getByRole('button', { name: 'Try again' });
      await button.waitFor();
      down.delete(part);
      await button.click();
    };
    await alertOf('Could not load the company').waitFor();
    await expectAccessible(alertOf('Could not load the company'));
    await tryAgain('Could not load the company', 'company');
    await page.getByRole('heading', { name: 'Company' }).waitFor();

    const older = alertOf('Older bars could not be loaded');
    await chart(page).getByRole('application').focus();
    await expect
      .poll(async () => {
        for (let i = 0; i < 10; i++) await page.keyboard.press('Shift+ArrowLeft');
        return older.count();
      })
      .toBe(1);
    expect(olderBars).toHaveLength(1);
    await tryAgain('Older bars could not be loaded', 'older bars');
    await older.waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'Indicators' }).click();
    // The button reads the page again.
    await tryAgain('Could not load the indicators', 'indicators');
    await chart(page).locator('canvas').first().waitFor();
    await page.getByRole('button', { name: 'Indicators' }).click();
    await page.getByRole('dialog').waitFor();
  });

  long('tells how to fill live data that is empty', async () => {
    const page = await open('', { key: await market.server.newKey({ mode: 'live' }) });
    await page.getByText('No live data yet').waitFor();
    expect(await page.locator('main').innerText()).toContain('Add a symbol');
    expect(await page.locator('.mode').innerText()).toBe('Live');
    await expectAccessible(page);
  });

  long('says that the data as a whole is old', async () => {
    const weeksLater = NOW_MS + 21 * 86_400_000;
    const { clock } = market.server;
    const before = clock.nowMs;
    clock.nowMs = weeksLater;
    try {
      const page = await open('');
      await page.getByText('older than the last two sessions').waitFor();
    } finally {
      clock.nowMs = before;
    }
  });

  long(
    'says how old the newest bar is, and offers a chart without unknown indicators',
    async () => {
      const page = await open(`?symbol=${STOCK}&indicators=magic:3`, {
        ...REFUSED,
        prepare: (page) => page.clock.setFixedTime('2026-12-18T12:00:00Z'),
      });
      await page.getByText(/^Old: .* EST, \d+ days ago$/).waitFor();
      await page.getByRole('button', { name: 'Show without indicators' }).click();
      await chart(page).locator('canvas').first().waitFor();
      expect(new URL(page.url()).searchParams.get('indicators')).toBe(null);
    },
  );
});

const HOSTILE = `<img src=x onerror=globalThis.hit=1>"'\`&lt;b&gt;\${7*7}`;

it.skipIf(!chromium)('shows hostile names of vendors as text', async () => {
  const page = await open(`?symbol=${STOCK}&events=news`, {
    prepare: async (page) => {
      await page.route(`**/v1/svc/symbols/${STOCK}`, async (route) => {
        const response = await route.fetch();
        const json = { ...(await response.json()), companyName: HOSTILE, sector: HOSTILE };
        await route.fulfill({ json });
      });
      await page.route(`**/v1/svc/news/${STOCK}*`, (route) =>
        route.fulfill({
          json: {
            data: [
              {
                id: 'news_1',
                title: HOSTILE,
                summary: HOSTILE,
                source: HOSTILE,
                url: 'javascript:globalThis.hit=1',
                publishedAt: '2026-11-16T15:00:00.000Z',
                symbols: [STOCK],
                sentiment: null,
              },
            ],
            cursor: null,
          },
        }),
      );
    },
  });
  await page.locator('.company').filter({ hasText: 'onerror' }).waitFor();
  expect(await page.locator('.company').innerText()).toBe(HOSTILE);
  const event = page.locator('.events .event').first();
  await event.waitFor();
  expect(await event.innerText()).toContain(HOSTILE);
  expect(await event.locator('a').count()).toBe(0);
  expect(await page.evaluate('globalThis.hit')).toBe(undefined);
  expect(await page.locator('main img').count()).toBe(0);
});
