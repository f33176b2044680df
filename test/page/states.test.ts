/** States without data: each says what is the case and what to do, and vendors' names stay text. */

import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { FUND, NOW_MS, STOCK } from '../contract/contract-market.ts';
import { chromium } from '../support/tools.ts';
import { PHONE, usePageBrowser } from './support/page-browser.ts';

const { market, open, expectAccessible } = usePageBrowser();

/** Browsers note a response with an error in the console, whatever the page makes of it. */
const REFUSED = { complaintsExpected: true };

function chart(page: Page) {
  return page.getByRole('region', { name: 'Chart' });
}

describe.skipIf(!chromium)('a state without data', { timeout: 60_000 }, () => {
  it('names an unknown symbol, and the way to live data', async () => {
    const paths: string[] = [];
    const page = await open('?symbol=NONE', {
      ...REFUSED,
      prepare: async (page) => void page.on('request', (request) => paths.push(request.url())),
    });
    const alert = page.getByRole('alert');
    await alert.waitFor();
    await page.waitForLoadState('load');
    const requested = paths.flatMap((url) => /svc\/([a-z-]+)\/NONE/.exec(url)?.[1] ?? []).sort();
    expect(requested).toEqual(['symbols', 'technical']);
    expect(await alert.innerText()).toContain('No symbol NONE');
    expect(await alert.innerText()).toContain('npm start -- --new-key');
    await expectAccessible(page);
  });

  it('says what cannot be held, once, and offers no load of it', async () => {
    const paths: string[] = [];
    const page = await open('?symbol=BTC-USD', {
      ...REFUSED,
      prepare: async (page) => void page.on('request', (request) => paths.push(request.url())),
    });
    const alert = page.getByRole('alert');
    await alert.waitFor();
    await page.waitForLoadState('load');
    const requested = paths.flatMap((url) => /svc\/([a-z-]+)\/BTC-USD/.exec(url)?.[1] ?? []).sort();
    expect(requested).toEqual(['symbols', 'technical']);
    expect(await page.getByRole('alert').allInnerTexts()).toEqual([
      expect.stringMatching(
        /^No symbol BTC-USD\s+Symbol must be a US stock or fund.*cryptocurrency.*\s+Search for a stock/,
      ),
    ]);
    expect(await alert.getByRole('button').count()).toBe(0);
    await expectAccessible(page);
  });

  it('offers the intervals that have bars', async () => {
    const paths: string[] = [];
    const page = await open(`?symbol=${FUND}&interval=1m`, {
      prepare: async (page) => void page.on('request', (request) => paths.push(request.url())),
    });
    await chart(page).getByText(`${FUND} has no bars of 1 minute`).waitFor();
    await expectAccessible(page);
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
    await expectAccessible(page);
  });

  it('waits for the limit of a key, says how long, and goes on by itself', async () => {
    const page = await open(`?symbol=${STOCK}`, {
      ...REFUSED,
      prepare: async (page) => {
        let count = 0;
        await page.route('**/v1/svc/technical/**', (route) =>
          count++ > 0
            ? route.continue()
            : route.fulfill({
                status: 429,
                headers: { 'Retry-After': '2' },
                json: {
                  error: { message: 'Rate limit of 5 requests per 10 s reached; try again in 2 s' },
                  request_id: 'req_1',
                },
              }),
        );
      },
    });
    const alert = chart(page).getByRole('alert');
    await alert.waitFor();
    expect(await alert.innerText()).toContain('loads the chart again in');
    await page.clock.setFixedTime(NOW_MS + 3000);
    await chart(page).locator('canvas').first().waitFor();
  });

  it('says so where a part cannot load its files, and reads the page again on demand', async () => {
    let isReplaced = true;
    const page = await open(`?symbol=${STOCK}`, {
      ...REFUSED,
      // A newer server does not have the files that an older page names.
      prepare: (page) =>
        page.route('**/app/*/page/symbol/indicator-dialog.*', (route) =>
          isReplaced ? route.fulfill({ status: 404 }) : route.continue(),
        ),
    });
    await chart(page).locator('canvas').first().waitFor();
    await page.getByRole('button', { name: 'Indicators' }).click();
    const alert = page.getByRole('alert');
    expect(await alert.innerText()).toContain('Could not load the indicators');
    await expectAccessible(page);
    isReplaced = false;
    await alert.getByRole('button', { name: 'Try again' }).click();
    await chart(page).locator('canvas').first().waitFor();
    await page.getByRole('button', { name: 'Indicators' }).click();
    await page.getByRole('dialog').waitFor();
  });

  it('shows a failure with its request, and tries again on demand', async () => {
    let isDown = true;
    const page = await open(`?symbol=${STOCK}`, {
      ...REFUSED,
      prepare: (page) =>
        page.route('**/v1/svc/technical/**', (route) =>
          isDown
            ? route.fulfill({
                status: 503,
                json: { error: { message: 'A stored file is damaged' }, request_id: 'req_damaged' },
              })
            : route.continue(),
        ),
    });
    const alert = chart(page).getByRole('alert');
    await alert.waitFor();
    expect(await alert.innerText()).toContain('A stored file is damaged');
    expect(await alert.innerText()).toContain('req_damaged');
    await expectAccessible(page);
    isDown = false;
    await alert.getByRole('button', { name: 'Try again' }).click();
    await chart(page).locator('canvas').first().waitFor();
  });

  it('says that the company could not be loaded, and tries again on demand', async () => {
    let isDown = true;
    const page = await open(`?symbol=${STOCK}`, {
      ...REFUSED,
      prepare: (page) =>
        page.route(`**/v1/svc/symbols/${STOCK}`, (route) =>
          isDown ? route.fulfill({ status: 503, json: {} }) : route.continue(),
        ),
    });
    const alert = page.getByRole('alert').filter({ hasText: 'Could not load the company' });
    await alert.waitFor();
    await expectAccessible(page);
    isDown = false;
    await alert.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Company' }).waitFor();
  });

  it('says that the server does not respond', async () => {
    const page = await open(`?symbol=${STOCK}`, {
      ...REFUSED,
      prepare: (page) => page.route('**/v1/svc/technical/**', (route) => route.abort()),
    });
    const alert = chart(page).getByRole('alert');
    await alert.waitFor();
    expect(await alert.innerText()).toMatch(
      /^Could not load the chart\s+The server did not respond\.\s+Is it running/,
    );
    expect(await alert.innerText()).toContain('npm start');
  });

  it('keeps the chart when older bars fail, and repeats the request on demand alone', async () => {
    let failed = 0;
    let isDown = true;
    const page = await open(`?symbol=${STOCK}`, {
      ...REFUSED,
      prepare: (page) =>
        page.route('**/v1/svc/technical/**&to=*', (route) => {
          if (!isDown) return route.continue();
          failed++;
          return route.abort();
        }),
    });
    const alert = chart(page).getByRole('alert');
    await chart(page).getByRole('application').focus();
    await expect
      .poll(async () => {
        for (let i = 0; i < 10; i++) await page.keyboard.press('Shift+ArrowLeft');
        return alert.count();
      })
      .toBe(1);
    expect(await alert.innerText()).toContain('Older bars could not be loaded');
    expect(failed).toBe(1);
    isDown = false;
    await alert.getByRole('button', { name: 'Try again' }).click();
    await alert.waitFor({ state: 'detached' });
  });

  it('shows shapes of the size of what comes while it loads', async () => {
    let release = () => {};
    const held = new Promise<void>((done) => {
      release = done;
    });
    const page = await open(`?symbol=${STOCK}`, {
      prepare: (page) =>
        page.route('**/v1/svc/technical/**', async (route) => {
          await held;
          await route.continue();
        }),
    });
    await page.getByRole('status', { name: 'Loading the chart' }).waitFor();
    await page.getByText('Day range').waitFor();
    // The modules of the company come later, in place of a shape.
    await page.locator('.below .pair').waitFor();
    const topOf = () => page.locator('.below').evaluate((part) => part.getBoundingClientRect().top);
    const before = await topOf();
    release();
    await chart(page).locator('canvas').first().waitFor();
    expect(await topOf()).toBe(before);
  });

  it('tells how to fill live data that is empty', async () => {
    const page = await open('', { key: await market.server.newKey({ mode: 'live' }) });
    await page.getByText('No live data yet').waitFor();
    expect(await page.locator('main').innerText()).toContain('Add a symbol');
    expect(await page.locator('.mode').innerText()).toBe('Live');
    await expectAccessible(page);
  });

  it('says that the data as a whole is old', async () => {
    const weeksLater = NOW_MS + 21 * 86_400_000;
    const { clock } = market.server;
    const before = clock.nowMs;
    clock.nowMs = weeksLater;
    try {
      const page = await open('');
      await page.getByText('older than the last two sessions').waitFor();
      await expectAccessible(page);
    } finally {
      clock.nowMs = before;
    }
  });

  it('says how old the newest bar is when sessions have passed', async () => {
    const page = await open(`?symbol=${STOCK}`, {
      prepare: (page) => page.clock.setFixedTime('2026-12-18T12:00:00Z'),
    });
    await page.getByText(/^Old: .* EST, \d+ days ago$/).waitFor();
  });

  it('offers a chart without indicators that the server does not know', async () => {
    const page = await open(`?symbol=${STOCK}&indicators=magic:3`, REFUSED);
    await page.getByRole('button', { name: 'Show without indicators' }).click();
    await chart(page).locator('canvas').first().waitFor();
    expect(new URL(page.url()).searchParams.get('indicators')).toBe(null);
  });
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
