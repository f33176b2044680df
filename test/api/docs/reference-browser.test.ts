/** `/docs` in a browser: what the reader sees and does. */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROUTES, routeName } from '../../../src/api/routes/routes.ts';
import { modePaths } from '../../../src/base/config/data-dir.ts';
import { isLong } from '../../faults/scale.ts';
import { launchBrowser } from '../../support/browser.ts';
import { sharedFolder } from '../../support/folders.ts';
import { chromium } from '../../support/tools.ts';
import { readApiDescription } from '../support/api-description.ts';
import { publishFixtureMarket } from '../support/fixture-server.ts';
import { NOW_MS } from '../support/market-fixture.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** The reference of all operations takes seconds to draw: one of four in CI, and the one below. */
const routes = ROUTES.filter(
  (route, i) => isLong || i % 12 === 0 || routeName(route) === 'GET /svc/quotes/{symbol}',
);

const dataDir = sharedFolder();
let server: TestServer;
beforeAll(async () => {
  await publishFixtureMarket(modePaths(dataDir, 'sandbox').serving);
  server = await startTestServer(dataDir, NOW_MS, {}, {}, routes);
});
afterAll(() => server.close());

const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1440, height: 900 };

describe.skipIf(!chromium)('/docs in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  async function open(viewport: { width: number; height: number }, colorScheme?: 'dark') {
    const page = await browser.newPage({ viewport, colorScheme });
    const hosts = new Set<string>();
    const complaints: string[] = [];
    page.on('request', (request) => hosts.add(new URL(request.url()).origin));
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(String(error)));
    await page.goto(`${server.address}/docs`);
    await page.locator('.opblock').first().waitFor();
    const summaries = page.locator('.opblock-tag-section .opblock-summary');
    const heads = async () =>
      (await summaries.allInnerTexts()).map((text) => text.split(/\s+/).slice(0, 2).join(' '));
    return { page, hosts, complaints, heads };
  }

  it.runIf(isLong)('has its search in view, and nothing that keeps readers out', async () => {
    const { page } = await open(DESKTOP);
    const search = page.getByLabel('Search methods, paths and summaries');
    expect((await search.boundingBox())!.y).toBeLessThan(60);
    await search.fill('get a quote');
    const operation = page.locator('#operations-Quotes-getQuote');
    await expect
      .poll(async () => (await operation.boundingBox())!.y)
      .toBeLessThan(DESKTOP.height / 2);
    await search.fill('');
    await expect.poll(() => page.locator('.opblock').count()).toBeGreaterThan(50);
    await page.evaluate(axe);
    const found = (await page.evaluate("axe.run({ resultTypes: ['violations'] })")) as {
      violations: { id: string; impact: string }[];
    };
    // Swagger UI skips a level of headings.
    expect(found.violations.map(({ id }) => id)).toEqual(['heading-order']);
    await page.close();
  });

  it('shows, finds and tries operations; asks no other host, and the console is clean', async () => {
    const { page, hosts, complaints, heads } = await open(DESKTOP);
    const { operations } = await readApiDescription(server);
    expect((await heads()).sort()).toEqual(operations.map(({ name }) => name).sort());

    const search = page.getByLabel('Search methods, paths and summaries');
    for (const phrase of ['get a QUOTE', 'get /svc/quotes/{S']) {
      await search.fill(phrase);
      await expect.poll(heads).toEqual(['GET /svc/quotes/{symbol}']);
    }

    const operation = page.locator('#operations-Quotes-getQuote');
    await operation.locator('.opblock-summary-control').click();
    await expect.poll(() => operation.innerText()).toContain('Scope quotes:read, 1 token.');
    await page.locator('.scheme-container .authorize').click();
    await page.locator('.auth-container input').first().fill(server.rawKey);
    await page.locator('.auth-btn-wrapper .authorize').first().click();
    await page.locator('.btn-done').first().click();
    await operation.getByPlaceholder('symbol').fill('ABC');
    await operation.getByRole('button', { name: 'Execute' }).click();
    const live = operation.locator('.live-responses-table');
    await live.waitFor();
    expect(await live.innerText()).toContain('"symbol": "ABC"');

    expect([...hosts].filter((host) => host !== 'null')).toEqual([server.address]);
    expect(complaints).toEqual([]);
    await page.close();
  });

  it.runIf(isLong)('fits a phone, dark where the reader prefers that', async () => {
    const { page } = await open(PHONE, 'dark');
    await page.locator('#operations-Quotes-getQuote .opblock-summary-control').click();
    await page.locator('#operations-Quotes-getQuote .responses-table').waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(PHONE.width);
    const color = await page.evaluate('getComputedStyle(document.body).backgroundColor');
    expect(color).toBe('rgb(28, 32, 34)');
    await page.close();
  });
});
