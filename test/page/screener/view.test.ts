/** The view of screens: table, condition, filters, reasons, saved screens, files. */

import { readFileSync } from 'node:fs';
import { tableFromIPC } from 'apache-arrow';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { long } from '../../support/store-runs.ts';
import { chromium } from '../../support/tools.ts';
import { PHONE, usePageBrowser } from '../support/page-browser.ts';
import { serveManyRows } from '../support/synthetic-responses.ts';

const { market, open, expectAccessible } = usePageBrowser();

const RISING = 'close > 0';
const QUERY = `?view=screener&where=${encodeURIComponent(RISING)}`;

const matches = (page: Page) => page.getByRole('grid', { name: 'Matches' });
const rows = (page: Page) => page.locator('.match');
const editor = (page: Page) => page.getByLabel('Condition', { exact: true });
const menuOf = (page: Page, name: string) => page.getByRole('group', { name, exact: true });
const addressOf = (page: Page) => new URL(page.url()).searchParams;
const symbolsOf = (page: Page) => page.locator('.match .first a').allInnerTexts();

/** Rows of the API, by its own request. */
async function served(query: Record<string, string>) {
  const { json } = await market.server.get(`/v1/svc/screener?${new URLSearchParams(query)}`);
  return json as { data: { symbol: string; columns?: Record<string, number> }[]; total: number };
}

describe.skipIf(!chromium)('the screener', () => {
  it('shows all symbols in the order of the API, and opens one by keys alone; filters by short numbers and by the newest bar', async () => {
    const page = await open('?view=screener');
    await rows(page).first().waitFor();
    const { data, total } = await served({});
    expect(await symbolsOf(page)).toEqual(data.map(({ symbol }) => symbol).slice(0, total));
    expect(await matches(page).getAttribute('aria-rowcount')).toBe(String(total + 1));
    expect(await page.locator('.summary').innerText()).toContain(`${total} symbols`);
    await page
      .getByRole('img', { name: /in 60 sessions/ })
      .first()
      .waitFor();
    await expectAccessible(page);
    await matches(page).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: data[1].symbol }).waitFor();
    await page.goBack();
    await rows(page).first().waitFor();

    await page.getByRole('button', { name: 'Filters' }).click();
    const field = page.getByLabel('Market cap, smallest');
    await field.fill('2B');
    await field.press('Enter');
    const large = await served({ market_cap_min: '2000000000' });
    await page.locator('.summary', { hasText: `${large.total} match` }).waitFor();
    expect(addressOf(page).get('market_cap_min')).toBe('2000000000');
    await expectAccessible(page.getByRole('group', { name: 'Filters' }));
    await page.getByRole('button', { name: 'Clear the filters' }).click();
    await page.locator('.summary', { hasText: 'symbols' }).waitFor();
    expect(addressOf(page).get('market_cap_min')).toBeNull();

    await page.getByLabel('Newest bar since').waitFor();
    await page.getByRole('button', { name: 'Last week' }).click();
    await expect.poll(() => addressOf(page).get('active_since')).toBe('2026-11-11');
    expect(await page.getByLabel('Newest bar since').inputValue()).toBe('2026-11-11');
    await page.getByLabel('As of').fill('2026-06-30');
    await page.getByRole('button', { name: 'Last week' }).click();
    await expect.poll(() => addressOf(page).get('active_since')).toBe('2026-06-23');
  });

  long('says what followed a condition, with the numbers of the API', async () => {
    const where = 'close crosses above sma(20)';
    const page = await open(`?view=screener&where=${encodeURIComponent(where)}`);
    await page.getByRole('tab', { name: 'History' }).click();
    expect(addressOf(page).get('tab')).toBe('history');
    const panel = page.getByRole('region', { name: 'History' });
    const horizons = panel.getByRole('region', { name: 'Returns by horizon' });
    await horizons.getByRole('row').nth(4).waitFor();
    const { json } = await market.server.get(`/v1/svc/study?${new URLSearchParams({ where })}`);
    type Row = Record<'horizon' | 'events' | 'universeMedian' | 'tClustered', number>;
    const { data } = json as { data: Row[] };
    const shown = (await horizons.locator('tbody tr').allInnerTexts()).map((row) =>
      row.split(/\s+/),
    );
    expect(shown.map((cells) => cells.slice(0, 2))).toEqual(
      data.map(({ horizon, events }) => [String(horizon), events.toLocaleString('en-US')]),
    );
    expect(shown[1][4]).toContain(Math.abs(100 * data[1].universeMedian).toFixed(2));
    expect(shown[1].at(-1)).toBe(data[1].tClustered.toFixed(2).replace('-', '−'));
    expect(await panel.getByRole('region').count()).toBe(3);
    await panel.getByRole('img', { name: /^Matches a day, .* at most \d+/ }).waitFor();
    await expectAccessible(panel);
    const event = panel
      .getByRole('region', { name: /Newest events/ })
      .getByRole('link')
      .first();
    const symbol = await event.innerText();
    await event.click();
    await page.getByRole('heading', { level: 1, name: symbol }).waitFor();
  });

  long('sorts by volume where no match has a market cap', async () => {
    const page = await open('?view=screener', {
      prepare: (page) =>
        page.route('**/v1/svc/screener?*', async (route) => {
          const response = await route.fetch();
          const body = (await response.json()) as { data: object[] };
          const data = body.data.map((row) => ({ ...row, marketCap: null }));
          await route.fulfill({ response, json: { ...body, data } });
        }),
    });
    const sorted = page.getByRole('columnheader', { name: /^Volume/ });
    await expect.poll(() => sorted.getAttribute('aria-sort')).toBe('descending');
    expect(addressOf(page).get('sort')).toBe('volume');
    const { data } = await served({ sort: 'volume' });
    expect(await symbolsOf(page)).toEqual(data.map(({ symbol }) => symbol));
  });

  it('screens by a condition, which completes, is kept in the address, and shows where it is wrong', async () => {
    const page = await open('?view=screener', { complaintsExpected: true });
    await editor(page).pressSequentially('close > sm');
    await page.getByRole('option', { name: /sma/ }).first().waitFor();
    await expectAccessible(page.locator('form.where'));
    await page.keyboard.press('Tab');
    expect(await editor(page).inputValue()).toBe('close > sma(14)');
    // The parameters are selected, so typing replaces them.
    await page.keyboard.type('20');
    await page.keyboard.press('Enter');
    const where = 'close > sma(20)';
    const { total } = await served({ where });
    await page.locator('.summary', { hasText: `${total} match` }).waitFor();
    expect(addressOf(page).get('where')).toBe(where);
    expect(await page.locator('.summary').innerText()).toContain('computed in');
    await page.reload();
    await rows(page).first().waitFor();
    expect(await editor(page).inputValue()).toBe(where);

    await editor(page).fill('');
    await editor(page).pressSequentially('bollinger(20, 2).lo');
    await page.getByRole('option', { name: /lower/ }).waitFor();
    await page.keyboard.press('Enter');
    expect(await editor(page).inputValue()).toBe('bollinger(20, 2).lower');
    await editor(page).fill('');
    await editor(page).pressSequentially("sector = 'clos");
    expect(await page.getByRole('option').count()).toBe(0);

    await editor(page).fill('close > smaa(20)');
    await editor(page).press('Control+Enter');
    const error = page.locator('#where-error');
    await error.waitFor();
    expect(await error.innerText()).toContain('at position 9');
    expect(await page.locator('.where-back mark').innerText()).toBe('smaa');
    expect(await editor(page).getAttribute('aria-invalid')).toBe('true');
    await expectAccessible(page.locator('form.where'));
    await page.getByRole('button', { name: 'Use sma' }).click();
    await rows(page).first().waitFor();
    expect(addressOf(page).get('where')).toBe('close > sma(20)');
  });

  it('exports all rows as CSV and Arrow, and the screen as commands; sorts, saves, opens and deletes it', async () => {
    const page = await open(QUERY);
    await rows(page).first().waitFor();
    const { data } = await served({ where: RISING, limit: '200' });
    const symbols = data.map(({ symbol }) => symbol);
    await page.getByRole('button', { name: 'Export' }).click();
    await expectAccessible(menuOf(page, 'Export'));
    const fileOf = async (name: RegExp) => {
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name }).click(),
      ]);
      return readFileSync(await file.path());
    };
    const lines = (await fileOf(/^CSV/)).toString().trimEnd().split('\r\n');
    expect(lines.slice(1).map((line) => line.split(',')[0])).toEqual(symbols);
    const table = tableFromIPC(await fileOf(/^Arrow/));
    expect([...(table.getChild('symbol') ?? [])]).toEqual(symbols);
    await page.getByRole('button', { name: 'Copy as curl' }).click();
    const copied = page.getByLabel('Copied text');
    expect(await copied.innerText()).toContain(`--data-urlencode 'where=${RISING}'`);
    expect(await copied.innerText()).not.toContain('svc_test');
    await page.getByRole('button', { name: 'Copy as Python' }).click();
    expect(await copied.innerText()).toContain(`tw.screen("${RISING}")`);
    await page.keyboard.press('Escape');

    for (const order of ['desc', 'asc']) {
      await page.getByRole('button', { name: 'Price, USD' }).click();
      const { data } = await served({ where: RISING, sort: 'price', order });
      await page.locator('.match .first', { hasText: data[0].symbol }).first().waitFor();
      await expect.poll(() => symbolsOf(page)).toEqual(data.map(({ symbol }) => symbol));
    }
    const head = page.getByRole('columnheader', { name: /Price/ });
    expect(await head.getAttribute('aria-sort')).toBe('ascending');

    await page.getByRole('button', { name: 'Saved' }).click();
    await page.getByLabel('Save this screen as').fill('<b>Rising</b>');
    await page.keyboard.press('Enter');
    const saved = page.getByRole('button', { name: '<b>Rising</b>', exact: true });
    await saved.waitFor();
    await expectAccessible(menuOf(page, 'Saved'));
    await page.goto(`${market.server.address}/?view=screener`);
    await page.getByRole('button', { name: 'Saved' }).click();
    await saved.click();
    await page.locator('.summary', { hasText: 'match' }).waitFor();
    expect(addressOf(page).get('where')).toBe(RISING);
    await page.getByRole('button', { name: 'Saved' }).click();
    await page.getByRole('button', { name: 'Delete <b>Rising</b>' }).click();
    await page.getByText('No saved screens yet').waitFor();
    await page.keyboard.press('Escape');

    await page.getByLabel('As of').fill('2025-07-06');
    // A Sunday shows the session before.
    await page.locator('.summary', { hasText: 'as of the close of 3 Jul 2025' }).waitFor();
    expect(addressOf(page).get('as_of')).toBe('2025-07-06');
  });

  long('adds fields and expressions as columns, and refuses what the language lacks', async () => {
    const page = await open('?view=screener', { complaintsExpected: true });
    await rows(page).first().waitFor();
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('button', { name: '+ Net margin' }).click();
    const field = page.getByLabel('Field or expression');
    await field.fill('smaa(3)');
    await field.press('Enter');
    await page.getByRole('alert').waitFor();
    await field.fill('max(open, close)');
    await field.press('Enter');
    await page.getByRole('columnheader', { name: 'max(open, close)' }).waitFor();
    await expectAccessible(menuOf(page, 'Columns'));
    const { data } = await served({ columns: 'max(open, close)', limit: '1' });
    const shown = data[0].columns?.['max(open, close)'] ?? Number.NaN;
    await page
      .locator('.match', { hasText: data[0].symbol })
      .getByText(shown.toFixed(2))
      .first()
      .waitFor();
    expect(addressOf(page).get('columns')).toContain('net_margin,max(open, close)');
  });

  long(
    'explains which condition fails, with its values, and what to do if nothing matches',
    async () => {
      const page = await open(
        `?view=screener&where=${encodeURIComponent('close > 0 and volume > 0')}`,
      );
      await rows(page).first().waitFor();
      await matches(page).focus();
      await page.keyboard.press('e');
      const dialog = page.getByRole('dialog');
      await dialog.getByText('volume > 0').waitFor();
      expect(await dialog.getByText('holds', { exact: true }).count()).toBe(2);
      await expectAccessible(dialog);
      await page.keyboard.press('Escape');
      await page.goto(`${market.server.address}/?view=screener&where=close+<+0`);
      await page.getByRole('button', { name: 'Explain' }).click();
      await dialog.getByLabel('Symbol', { exact: true }).and(page.locator(':focus')).waitFor();
      await page.keyboard.type('qxir');
      await page.keyboard.press('Enter');
      await dialog.getByRole('heading', { name: 'QXIR does not match' }).waitFor();
      await dialog.getByLabel('Another symbol').waitFor();
      await dialog.getByText('does not hold', { exact: true }).waitFor();
      await page.keyboard.press('Escape');

      await page.getByText('No symbol matches', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Clear the condition' }).click();
      await rows(page).first().waitFor();
      await page.getByRole('button', { name: 'Reports this week' }).click();
      expect(addressOf(page).get('where')).toBe('days_to_earnings between 0 and 7');
    },
  );

  long('says which scope a key lacks', async () => {
    const key = await market.server.newKey({ scopes: ['quotes:read'] });
    const page = await open('?view=screener', { key, complaintsExpected: true });
    const alert = page.getByRole('alert');
    await alert.first().waitFor();
    expect(await alert.first().innerText()).toContain('fundamentals:read');
  });

  it('says when a rate limit ends', async () => {
    const key = await market.server.newKey({ limit: { requests: 1, windowS: 3600 } });
    await market.server.request('/v1/svc/indicators', { headers: { 'X-API-Key': key } });
    const page = await open('?view=screener', { key, complaintsExpected: true });
    await page.getByText("The key's limit is reached").waitFor();
  });

  long(
    'draws only the rows in view after a jump, those around them once it rests, and at most 100 of 10,000',
    async () => {
      const page = await open('?view=screener', { prepare: serveManyRows });
      await rows(page).first().waitFor();
      // A callback for a frame runs after its scroll events, and before any timer. The table may look
      // twice at one place.
      const [atOnce, inView] = (await page.evaluate(`new Promise((done) => {
      const box = document.querySelector('.grid');
      box.scrollTop = 36 * 5000;
      requestAnimationFrame(async () => {
        box.dispatchEvent(new Event('scroll'));
        await undefined;
        done([document.querySelectorAll('.match').length, Math.ceil(box.clientHeight / 36) + 1]);
      });
    })`)) as [number, number];
      expect(atOnce).toBe(inView);
      await expect.poll(() => rows(page).count()).toBe(inView + 16);

      await matches(page).focus();
      for (const [key, symbol] of [
        ['Home', 'S0'],
        ['PageDown', 'S10'],
        ['End', 'S9999'],
      ]) {
        await page.keyboard.press(key);
        await page.getByRole('link', { name: symbol, exact: true }).waitFor();
        expect(await rows(page).count()).toBeLessThanOrEqual(100);
      }
    },
  );

  long('fits a phone, in the dark', async () => {
    const page = await open(QUERY, { viewport: PHONE, colorScheme: 'dark' });
    await rows(page).first().waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(PHONE.width);
    await page.getByRole('button', { name: 'Columns' }).click();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(PHONE.width);
    await expectAccessible(page);
  });
});
