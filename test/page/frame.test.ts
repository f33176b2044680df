/** The frame of the page: sign-in, mode, search, and the address. */

import { describe, expect, it } from 'vitest';
import { STOCK } from '../contract/contract-market.ts';
import { long } from '../support/store-runs.ts';
import { chromium } from '../support/tools.ts';
import { PHONE, usePageBrowser } from './support/page-browser.ts';

const { market, open, expectAccessible } = usePageBrowser();

describe.skipIf(!chromium)('the page', () => {
  it('takes the key out of the address before any request, and keeps it in the tab', async () => {
    const seen: string[] = [];
    const page = await open('', {
      prepare: async (page) => {
        page.on('request', (request) => {
          if (request.url().includes('/v1/')) seen.push(page.url());
        });
      },
    });
    await page.getByRole('table').waitFor();
    expect(seen.length).toBeGreaterThan(0);
    expect(seen.filter((url) => url.includes('svc_'))).toEqual([]);
    expect(page.url()).toBe(`${market.server.address}/`);
    await page.reload();
    await page.getByRole('table').waitFor();
    expect(await page.locator('.mode').innerText()).toContain('synthetic');
    expect(await page.evaluate('Object.keys(localStorage).length + document.cookie.length')).toBe(
      0,
    );
  });

  long('signs in by the form, out by the button, and says where keys come from', async () => {
    const page = await open('', { key: null });
    await page.getByRole('heading', { name: 'Sign in with an API key' }).waitFor();
    expect(await page.locator('main').innerText()).toContain('npx tapeworks keys create');
    await expectAccessible(page);
    const field = page.getByLabel('API key', { exact: true });
    await field.fill('letmein');
    await field.press('Enter');
    expect(await page.getByRole('alert').innerText()).toContain('svc_live_ or svc_test_');
    await field.fill(market.server.rawKey);
    await field.press('Enter');
    await page.getByRole('table').waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in with an API key' }).waitFor();
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
  });

  it('replaces the key of a tab by that of a link only when the reader agrees', async () => {
    const page = await open('');
    await page.getByRole('table').waitFor();
    const other = await market.server.newKey({ mode: 'live' });
    const link = () => page.goto(`${market.server.address}/#key=${other}`);
    const dialog = page.getByRole('dialog', { name: 'Use the key of the link?' });
    const held = () => page.evaluate("sessionStorage.getItem('tapeworks-key')");
    await link();
    await dialog.waitFor();
    expect(page.url()).toBe(`${market.server.address}/`);
    expect(await dialog.innerText()).toContain(`${other.slice(0, 12)}… (live data)`);
    await expectAccessible(dialog);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await held()).toBe(market.server.rawKey);

    await link();
    await dialog.getByRole('button', { name: 'Use the other key' }).click();
    await page.locator('.mode', { hasText: 'Live' }).waitFor();
    expect(await held()).toBe(other);
    await link();
    await page.getByText('No live data yet').waitFor();
    expect(await dialog.count()).toBe(0);
  });

  it('asks for a key again when the server refuses it, with the reason', async () => {
    const page = await open('', { key: `svc_test_${'x'.repeat(33)}`, complaintsExpected: true });
    const notice = page.getByRole('alert');
    await notice.waitFor();
    expect(await notice.innerText()).toContain('The server refused the key');
  });

  long(
    'finds a symbol by keys alone, chooses hits by arrows, and goes back and forward',
    async () => {
      const page = await open('');
      await page.getByRole('table').waitFor();
      const box = page.getByRole('combobox', { name: 'Search by ticker or name' });
      await box.fill('QX');
      await page.getByRole('option').nth(1).waitFor();
      await box.press('ArrowDown');
      const second = page.getByRole('option').nth(1);
      expect(await second.getAttribute('aria-selected')).toBe('true');
      await expectAccessible(page.getByRole('search'));
      await box.press('Escape');
      expect(await page.getByRole('option').count()).toBe(0);
      await box.fill('zzzz');
      const none = page.locator('.no-hits');
      await none.waitFor();
      expect(await none.innerText()).toContain('zzzz');
      await box.press('Escape');
      await box.blur();

      await page.keyboard.press('/');
      await page.keyboard.type(STOCK.toLowerCase());
      await page.getByRole('option').first().waitFor();
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: STOCK }).waitFor();
      expect(new URL(page.url()).searchParams.get('symbol')).toBe(STOCK);
      expect(await page.title()).toBe(`${STOCK} · Tapeworks`);
      await page.goBack();
      await page.getByRole('table').waitFor();
      await page.goForward();
      await page.getByRole('heading', { level: 1, name: STOCK }).waitFor();
    },
  );

  it('fits a phone, dark where the reader prefers that', async () => {
    const page = await open('', { viewport: PHONE, colorScheme: 'dark' });
    await page.getByRole('table').waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(PHONE.width);
    const header = (await page.locator('.top').boundingBox())!;
    const lines = await page.locator('.top a, .top input, .top button').evaluateAll((parts) =>
      parts.map((part) => {
        const { top, height } = part.getBoundingClientRect();
        return Math.round((top + height / 2) / 20);
      }),
    );
    expect(new Set(lines).size).toBe(2);
    // Two lines of controls, of which none is cut off, and one of the age of the data.
    expect(header.height).toBeLessThan(110);
    const views = page.getByRole('navigation', { name: 'Views' });
    expect(await views.evaluate((nav) => nav.scrollWidth - nav.clientWidth)).toBe(0);
    expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe(
      'rgb(14, 18, 22)',
    );
    await expectAccessible(page);
  });
});
