/** The page while data is published: tabs, chart, screener, and the age in the header. */

import type { Page, Request } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { fillSandbox } from '../../jobs/load/sandbox.ts';
import { settingsFromEnv } from '../../src/base/config/config.ts';
import { modePaths } from '../../src/base/config/data-dir.ts';
import { CONTRACT_PLAN, NOW_MS, STOCK } from '../contract/contract-market.ts';
import { long } from '../support/store-runs.ts';
import { chromium } from '../support/tools.ts';
import { PHONE, usePageBrowser } from './support/page-browser.ts';

const { market, open, expectAccessible } = usePageBrowser();

// A publish dates events by the real clock, so the server's must agree.
beforeAll(() => {
  market.server.clock.nowMs = Date.now();
});

let sessions = 0;
/** Publishes the next session of the sandbox, as its job does. */
async function publishSession(): Promise<void> {
  sessions += 1;
  const paths = modePaths(market.dataDir, 'sandbox');
  const nowMs = NOW_MS + sessions * 86_400_000;
  await fillSandbox(paths, CONTRACT_PLAN, { verb: 'test', nowMs, settings: settingsFromEnv({}) });
}

const isStream = (request: Request) => request.url().includes('/v1/svc/stream');

/** Waits until the tab follows, itself or through another. */
async function untilLive(page: Page): Promise<void> {
  await page.locator('.dot.live').waitFor({ state: 'attached' });
}

async function newestDayInTable(page: Page): Promise<string> {
  return page.locator('.chart-box tbody tr').first().innerText();
}

describe.skipIf(!chromium)('the page', () => {
  it('shows new bars and a new quote in all tabs, over one connection; a screen moves no row before it is asked', async () => {
    const requests: Request[] = [];
    const first = await open(`?symbol=${STOCK}&show=table`, {
      prepare: async (page) => void page.context().on('request', (one) => requests.push(one)),
    });
    await untilLive(first);
    const second = await open(`?symbol=${STOCK}`);
    await untilLive(second);
    const screener = await open('?view=screener');
    await untilLive(screener);
    const row = screener.locator('[role=row]').nth(1);
    await row.waitFor();
    const rowBefore = await row.innerText();
    await first.locator('.chart-box tbody tr').first().waitFor();
    const before = await newestDayInTable(first);
    const asOf = await first.locator('.freshness').innerText();
    const price = await second.locator('.price time').getAttribute('dateTime');
    const count = requests.length;
    await publishSession();
    await expect.poll(() => newestDayInTable(first)).not.toBe(before);
    await expect.poll(() => second.locator('.price time').getAttribute('dateTime')).not.toBe(price);
    await expect.poll(() => first.locator('.freshness').innerText()).not.toBe(asOf);
    expect(requests.filter(isStream).length).toBe(1);
    // The bars of the publish alone were requested, and no document.
    const afterwards = requests.slice(count);
    expect(afterwards.filter((one) => one.isNavigationRequest())).toEqual([]);
    const later = afterwards.map((one) => new URL(one.url()));
    const bars = later.filter(({ pathname }) => pathname.includes('/technical/'));
    expect(bars.length).toBeGreaterThanOrEqual(2);
    for (const { searchParams } of bars) expect(searchParams.get('from')).toMatch(/^2026-11-1/);

    const offer = screener.getByRole('button', { name: 'New data: refresh' });
    await offer.waitFor();
    expect(await row.innerText()).toBe(rowBefore);
    await expectAccessible(offer);
    await offer.click();
    await offer.waitFor({ state: 'detached' });
    await expect.poll(() => row.innerText()).not.toBe(rowBefore);

    await first.close();
    await expect.poll(() => requests.filter(isStream).length).toBe(2);
    expect(requests.filter(isStream)[1].headers()['last-event-id']).toMatch(/^(evt|at)_/);
    await untilLive(second);
  });

  long('shows new matches of followed screens in all tabs, over the one connection', async () => {
    const { accounts } = market.server;
    const screen = await accounts.createScreen({
      ...{ account: 'default', mode: 'sandbox', name: 'Cheap <b>', query: 'price_max=10' },
    });
    const page = await open('?view=screener', { complaintsExpected: true });
    await untilLive(page);
    const other = await open(`?symbol=${STOCK}`, { complaintsExpected: true });
    await untilLive(other);
    await page.getByRole('button', { name: 'Saved' }).click();
    await page.getByRole('button', { name: 'Follow Cheap' }).click();
    const followers = () => accounts.screenerWebhooks('sandbox');
    await expect.poll(async () => (await followers()).length).toBe(1);
    const [{ id }] = await followers();
    const { name } = screen;
    await accounts.addEvents('sandbox', [
      {
        ...{ id: 'evt_matched', type: 'screener.matched', webhookId: id, occurredAtMs: NOW_MS },
        symbols: [STOCK],
        data: {
          ...{ screener: 'price_max=10', screen: { id: screen.id, name }, total: 9 },
          ...{ symbols: [STOCK, 'OTHER'], symbolCount: 5, rows: [] },
        },
      },
    ]);
    const panelOf = (tab: Page) => tab.getByRole('group', { name: 'Matches (1)' });
    for (const tab of [page, other]) {
      await tab.getByRole('button', { name: 'Matches (1)' }).click();
      const panel = panelOf(tab);
      expect(await panel.innerText()).toContain(`Cheap <b>\n\n${STOCK}, OTHER and 3 more`);
    }
    await expectAccessible(panelOf(other));
    await other.getByRole('button', { name: 'Cheap <b>' }).click();
    await other.getByRole('button', { name: 'Filters 1' }).waitFor();
    expect(new URL(other.url()).search).toBe('?view=screener&price_max=10');
    // The connection goes on without a screen that someone else has deleted.
    await accounts.deleteScreen('default', 'sandbox', screen.id);
    await page.reload();
    await untilLive(page);
    await expect.poll(() => page.getByRole('button', { name: 'Matches' }).count()).toBe(0);
  });

  it('says that it is not live while the server is away, and goes on when it is back', async () => {
    let isAway = true;
    const page = await open(`?symbol=${STOCK}`, {
      complaintsExpected: true,
      prepare: (page) =>
        page.route('**/v1/svc/stream?*', (route) => (isAway ? route.abort() : route.continue())),
    });
    await page.getByText('Not live').waitFor();
    expect(await page.locator('.freshness').getAttribute('title')).toContain('does not respond');
    await expectAccessible(page.getByRole('banner'));
    isAway = false;
    await untilLive(page);
    expect(await page.getByText('Not live').count()).toBe(0);
  });

  long(
    'follows publishes with a key that reads no quotes, and says why it can follow nothing',
    async () => {
      const some = await market.server.newKey({ scopes: ['webhooks:read', 'fundamentals:read'] });
      await untilLive(await open('?view=screener', { key: some, complaintsExpected: true }));
      const none = await market.server.newKey({ scopes: ['quotes:read', 'fundamentals:read'] });
      const page = await open('?view=screener', { key: none, complaintsExpected: true });
      await page.getByText('Not live').waitFor();
      expect(await page.locator('.freshness').getAttribute('title')).toContain('webhooks:read');
    },
  );

  long('says when data is old, on a phone in the dark', async () => {
    const page = await open(`?symbol=${STOCK}`, {
      viewport: PHONE,
      colorScheme: 'dark',
      prepare: (page) =>
        page.route('**/', async (route) => {
          if (route.request().isNavigationRequest()) return route.continue();
          const body = await (await route.fetch()).json();
          body.modes.sandbox = 'stale';
          body.newestBars.sandbox = '2026-11-09T21:00:00.000Z';
          await route.fulfill({ json: body });
        }),
    });
    const freshness = page.locator('.freshness.stale');
    await freshness.waitFor();
    expect(await freshness.innerText()).toBe('Old: 9 Nov, 16:00 EST, 9 days ago');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(PHONE.width);
    await expectAccessible(page.getByRole('banner'));
  });
});
