/** `/docs` in a browser: what the reader sees and does. */

import { type Browser, chromium as driver, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromium } from '../../support/tools.ts';
import { useFixtureServer } from '../support/fixture-server.ts';

const fixture = useFixtureServer();
const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1440, height: 900 };

describe.skipIf(!chromium)('/docs in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    const executablePath = chromium?.includes('/') ? chromium : `/usr/bin/${chromium}`;
    browser = await driver.launch({ executablePath, args: ['--no-sandbox'] });
  });
  afterAll(() => browser.close());

  async function open(viewport: { width: number; height: number }, script = true) {
    const context = await browser.newContext({ viewport, javaScriptEnabled: script });
    const page = await context.newPage();
    const requests: string[] = [];
    const complaints: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(String(error)));
    await page.goto(`${fixture.server.address}/docs`);
    return { page, requests, complaints };
  }

  const widthOf = (page: Page) => page.evaluate('document.documentElement.scrollWidth');
  const isSeen = (page: Page, selector: string) => page.locator(selector).first().isVisible();

  it('loads nothing but itself, without errors', async () => {
    const { page, requests, complaints } = await open(DESKTOP);
    expect(requests.filter((url) => !url.startsWith('data:'))).toEqual([
      `${fixture.server.address}/docs`,
    ]);
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('shows one language at a time, chosen by mouse or keyboard, and remembers it', async () => {
    const { page } = await open(DESKTOP);
    expect(await isSeen(page, '#getQuote-curl')).toBe(true);
    expect(await isSeen(page, '#getQuote-python')).toBe(false);
    await page.locator('#getQuote [role=tab]', { hasText: 'JavaScript' }).click();
    await page.keyboard.press('ArrowRight');
    expect(await isSeen(page, '#getQuote-python')).toBe(true);
    expect(await isSeen(page, '#getScreener-python')).toBe(true);
    await page.reload();
    expect(await isSeen(page, '#getQuote-python')).toBe(true);
    await page.close();
  });

  it('fits a phone, its contents folded away', async () => {
    const { page } = await open(PHONE);
    expect(await widthOf(page)).toBe(PHONE.width);
    expect(await isSeen(page, 'nav a[href="#getQuote"]')).toBe(false);
    await page.locator('nav summary').click();
    await page.locator('nav a[href="#getQuote"]').click();
    expect(page.url()).toMatch(/#getQuote$/);
    await page.close();
  });

  it('shows everything without its script', async () => {
    const { page } = await open(DESKTOP, false);
    for (const language of ['curl', 'javascript', 'python']) {
      expect(await isSeen(page, `#getQuote-${language}`)).toBe(true);
    }
    expect(await isSeen(page, 'nav a[href="#getQuote"]')).toBe(true);
    await page.close();
  });
});
