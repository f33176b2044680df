/** The view of one symbol: chart, indicators, events, statements and table, by mouse and keys. */

import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { momentText } from '../../src/page/parts/times.ts';
import { NOW_MS, STOCK } from '../contract/contract-market.ts';
import { long } from '../support/store-runs.ts';
import { chromium } from '../support/tools.ts';
import { PHONE, usePageBrowser } from './support/page-browser.ts';
import { serveManyMinutes } from './support/synthetic-responses.ts';

const { market, open, expectAccessible } = usePageBrowser();

function parameter(page: Page, name: string): string | null {
  return new URL(page.url()).searchParams.get(name);
}

async function chartOf(page: Page) {
  const chart = page.getByRole('application', { name: new RegExp(`^${STOCK}, `) });
  await chart.locator('canvas').first().waitFor();
  return chart;
}

/** Waits until the colours of a picture differ from one of a single colour: something is drawn. */
async function expectDrawn(page: Page): Promise<void> {
  const colors = `[...document.querySelectorAll('.canvas canvas')].map((canvas) => {
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    return new Set(new Uint32Array(data.buffer)).size;
  }).reduce((most, size) => Math.max(most, size), 0)`;
  await expect.poll(() => page.evaluate(colors)).toBeGreaterThan(8);
}

describe.skipIf(!chromium)('the view of a symbol', () => {
  it('leads from a filled sandbox to a chart with an indicator and its parameters', async () => {
    const page = await open('');
    await page.getByRole('table').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type(STOCK);
    await page.getByRole('option').first().waitFor();
    await page.keyboard.press('Enter');
    await chartOf(page);
    await expectDrawn(page);

    await page.getByRole('button', { name: 'Indicators' }).click();
    const dialog = page.getByRole('dialog', { name: 'Indicators' });
    await dialog.getByLabel('Find an indicator').fill('boll');
    await expectAccessible(dialog);
    await dialog.getByRole('button', { name: /Bollinger bands/ }).click();
    await page.getByRole('spinbutton', { name: 'period' }).fill('20');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Remove Bollinger 20 2' }).waitFor();
    expect(parameter(page, 'indicators')).toBe('bollinger:20');
    // Without a mouse over the chart, the legend has the newest bar.
    await page.mouse.move(0, 0);
    const query = `/v1/svc/technical/${STOCK}?indicators=bollinger:20&limit=1&format=csv`;
    const { text } = await market.server.get(query);
    const upper = Number(text.split('\r\n')[1].split(',')[7]);
    const legend = page.locator('.legend', { hasText: 'Bollinger' });
    await expect.poll(() => legend.innerText()).toContain(upper.toFixed(2));

    await page.reload();
    await page.getByRole('button', { name: 'Bollinger 20 2', exact: true }).click();
    await page.getByRole('spinbutton', { name: 'period' }).fill('30');
    await page.getByRole('button', { name: 'Change', exact: true }).click();
    await page.getByRole('button', { name: 'Remove Bollinger 30 2' }).click();
    expect(parameter(page, 'indicators')).toBe(null);
  });

  long(
    'sends no request twice while it loads, and shows what the server says about contradicting parameters',
    async () => {
      const paths: string[] = [];
      const page = await open(`?symbol=${STOCK}`, {
        complaintsExpected: true,
        prepare: async (page) =>
          void page.on('request', (request) => paths.push(request.url().split('/v1/')[1])),
      });
      await chartOf(page);
      await page.getByRole('button', { name: 'Annual' }).waitFor();
      await page.locator('.events').first().waitFor();
      const requested = paths.filter((path) => path !== undefined);
      expect(requested).toContain(`svc/corporate-actions/${STOCK}`);
      expect(requested.filter((path, i) => requested.indexOf(path) !== i)).toEqual([]);

      await page.getByRole('button', { name: 'Indicators' }).click();
      await page.getByRole('button', { name: /macd/ }).click();
      await page.getByRole('spinbutton', { name: 'fast' }).fill('40');
      await page.keyboard.press('Enter');
      const refusal = page.getByRole('alert');
      await refusal.waitFor();
      expect(await refusal.innerText()).toContain('fast must be');
      expect(parameter(page, 'indicators')).toBe(null);
    },
  );

  long('draws oscillators in panes of their own, dark and on a phone', async () => {
    const page = await open(`?symbol=${STOCK}&indicators=sma:50,rsi,macd,zigzag:3`, {
      viewport: PHONE,
      colorScheme: 'dark',
    });
    await chartOf(page);
    await expectDrawn(page);
    await page.getByRole('button', { name: 'Remove MACD 12 26 9' }).waitFor();
    // The page draws it from its bars; the server has none.
    await page.getByRole('button', { name: 'Remove Zigzag 3' }).waitFor();
    const tops = await page
      .locator('.legend')
      .evaluateAll((legends) => legends.map((legend) => legend.getBoundingClientRect().top));
    expect(tops).toHaveLength(3);
    expect(tops[1] - tops[0]).toBeGreaterThan(200);
    expect(tops[2] - tops[1]).toBeGreaterThan(60);
    await page.getByText('Earnings per share, as filed').waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(PHONE.width);
    // No text of a button lies over the next one, as "Balance sheet" did over "Cash flow".
    const wider = await page
      .locator('button')
      .evaluateAll((buttons) =>
        buttons
          .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
          .map(({ textContent }) => textContent),
      );
    expect(wider).toEqual([]);
    await expectAccessible(page);
  });

  long('fits names without blanks into a desktop and a phone', async () => {
    const long = 'Name'.repeat(40);
    const page = await open(`?symbol=${STOCK}`, {
      prepare: (page) =>
        page.route(/\/v1\/svc\/(symbols|insider)\b/, async (route) => {
          const response = await route.fetch();
          const text = await response.text();
          const body = text.replace(/"(companyName|insiderName)":"[^"]*"/g, `"$1":"${long}"`);
          await route.fulfill({ response, body });
        }),
    });
    await page.getByText(long).nth(3).waitFor();
    for (const viewport of [{ width: 1280, height: 800 }, PHONE]) {
      await page.setViewportSize(viewport);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(viewport.width);
    }
  });

  long('labels no price below zero, where the volume lies under steep prices', async () => {
    const bars = Array.from({ length: 100 }, (_, i) => {
      const day = new Date(Date.UTC(2026, 6, 1 + i)).toISOString();
      const price = i + 1;
      return `${day},${day.slice(0, 10)},${price},${price},${price},${price},1000`;
    });
    const body = `timestamp,date,open,high,low,close,volume\r\n${bars.join('\r\n')}\r\n`;
    const page = await open(`?symbol=${STOCK}`, {
      prepare: async (page) => {
        await page.addInitScript(`globalThis.labels = new Set();
          const draw = CanvasRenderingContext2D.prototype.fillText;
          CanvasRenderingContext2D.prototype.fillText = function (text, ...rest) {
            globalThis.labels.add(text);
            return draw.call(this, text, ...rest);
          };`);
        await page.route('**/v1/svc/technical/*', (route) =>
          route.fulfill({ contentType: 'text/csv', body }),
        );
      },
    });
    await chartOf(page);
    const labels = () => page.evaluate('[...globalThis.labels]') as Promise<string[]>;
    await expect.poll(labels).toContain('100.00');
    const prices = (await labels()).filter((label) => /^[-−]?\d+\.\d\d$/.test(label));
    expect(prices.filter((label) => !/^\d/.test(label))).toEqual([]);
  });

  long('reads bars by keys, with the day, and minutes with the zone', async () => {
    const page = await open(`?symbol=${STOCK}&range=6m`);
    const chart = await chartOf(page);
    await chart.focus();
    await page.keyboard.press('End');
    const spoken = page.locator('[aria-live=polite]');
    await expect.poll(() => spoken.innerText()).toContain('Tue, 17 Nov 2026');
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => spoken.innerText()).toContain('Mon, 16 Nov 2026');
    expect(await page.locator('.legend-time').innerText()).toBe('Mon, 16 Nov 2026');

    await page.getByRole('button', { name: '5m', exact: true }).click();
    await expect.poll(() => page.locator('.legend-time').innerText()).toContain('15:55 EST');
    expect(parameter(page, 'range')).toBe('5d');
    await page.getByRole('button', { name: '1D', exact: true }).click();
    await expect.poll(() => page.locator('.legend-time').innerText()).toContain('15:59 EST');
    expect(parameter(page, 'interval')).toBe('1m');
    await page.goBack();
    await expect.poll(() => page.locator('.legend-time').innerText()).toContain('15:55 EST');
  });

  long(
    'has the bars and indicators as a table, and loads older bars while one scrolls back, without a gap',
    async () => {
      const page = await open(`?symbol=${STOCK}&indicators=rsi&show=table`);
      const region = page.getByRole('region', { name: 'Bars as a table' });
      await region.getByRole('columnheader', { name: 'RSI 14' }).waitFor();
      expect(await region.getByRole('row').count()).toBe(51);
      expect(await region.getByRole('row').nth(1).innerText()).toContain('Tue, 17 Nov 2026');
      const { text } = await market.server.get(
        `/v1/svc/technical/${STOCK}?indicators=rsi&limit=1&format=csv`,
      );
      const rsi = Number(text.split('\r\n')[1].split(',')[7]);
      expect(await region.getByRole('row').nth(1).innerText()).toContain(rsi.toFixed(2));
      const count = page.locator('.pager .quiet');
      await expect.poll(() => count.innerText()).toContain('of 500');
      await page.getByRole('button', { name: 'Older' }).click();
      await expect
        .poll(() => region.getByRole('row').nth(1).innerText())
        .not.toContain('Tue, 17 Nov 2026');
      await expectAccessible(page);

      await page.goto(`${market.server.address}/?symbol=${STOCK}`);
      const chart = await chartOf(page);
      await chart.focus();
      const { json } = await market.server.get(`/v1/svc/symbols/${STOCK}`);
      const { intervals } = json as { intervals: { interval: string; firstBar: string }[] };
      const first = intervals.find(({ interval }) => interval === '1d')?.firstBar ?? '';
      const spoken = page.locator('[aria-live=polite]');
      const year = first.slice(0, 4);
      await expect
        .poll(async () => {
          for (let i = 0; i < 20; i++) await page.keyboard.press('Shift+ArrowLeft');
          return spoken.innerText();
        })
        .toContain(`${Number(first.slice(8))} Jun ${year}`);
    },
  );

  long(
    'holds 100,000 bars, keeps a crosshair meanwhile, and says what shows older ones',
    async () => {
      let given = () => 0;
      const page = await open(`?symbol=${STOCK}&interval=1m&range=6m`, {
        prepare: async (page) => {
          given = await serveManyMinutes(page, NOW_MS);
        },
      });
      const chart = await chartOf(page);
      await chart.focus();
      // A crosshair, and then a view so wide that no further movement changes it.
      await page.keyboard.press('Home');
      for (let i = 0; i < 20; i++) await page.keyboard.press('-');
      const bound = page.getByText(
        'A chart holds 100,000 bars. A longer interval shows older ones.',
      );
      const time = page.locator('.legend-time');
      await expect
        .poll(async () => {
          await page.keyboard.press('Home');
          return [given(), await bound.count()];
        })
        .toEqual([100_000, 1]);
      await page.keyboard.press('Home');
      const first = NOW_MS - 99_999 * 60_000;
      await expect.poll(() => time.innerText()).toBe(momentText(first));
      expect(given()).toBe(100_000);
    },
  );

  long(
    'tells more about marks, by keys and without losing the focus, and shows statements as they were known on a day',
    async () => {
      const page = await open(`?symbol=${STOCK}&events=insiders,ratings,news`);
      await chartOf(page);
      const marks = page.getByRole('toolbar', { name: 'Events on the chart' });
      await marks.getByRole('button').first().focus();
      await page.keyboard.press('End');
      await page.keyboard.press('Enter');
      const card = page.getByRole('dialog', { name: 'Events' });
      await card.waitFor();
      expect(await card.getByRole('listitem').count()).toBeGreaterThan(0);
      expect(await card.innerText()).toMatch(/E[SD]T/);
      await expectAccessible(card);
      await page.keyboard.press('Escape');
      await card.waitFor({ state: 'detached' });
      const last = marks.getByRole('button').last();
      expect(await last.evaluate((mark) => mark === mark.ownerDocument.activeElement)).toBe(true);

      await page.getByRole('button', { name: 'Events', exact: true }).click();
      for (const name of ['Insider trades', 'Ratings', 'News']) {
        await page.getByRole('checkbox', { name }).click();
      }
      await marks.waitFor({ state: 'detached' });
      expect(parameter(page, 'events')).toBe('');

      const panel = page.getByRole('region', { name: 'Income', exact: true });
      const table = panel.getByRole('table');
      await table.waitFor();
      expect(await panel.locator('.plot-period').count()).toBeGreaterThan(1);
      const newest = await table.getByRole('columnheader').nth(1).innerText();
      await table
        .getByRole('button', { name: /^Revenue, / })
        .first()
        .click();
      const figure = page.getByRole('dialog', { name: /^Revenue, / });
      await figure.getByText(', filed ').waitFor();
      expect(await figure.innerText()).toMatch(/10-K|the source of the figure names no lines/);
      await expectAccessible(figure);
      await page.keyboard.press('Escape');
      await figure.waitFor({ state: 'detached' });
      await panel.getByLabel('As known on').fill('2025-01-15');
      await panel.getByText('as they were known at the end of 15 Jan 2025').waitFor();
      await expect.poll(() => table.getByRole('columnheader').nth(1).innerText()).not.toBe(newest);
      expect(parameter(page, 'as_of')).toBe('2025-01-15');
      await panel.getByRole('button', { name: 'Balance sheet' }).click();
      await page.getByRole('region', { name: 'Balance sheet', exact: true }).waitFor();
      await page.getByRole('rowheader', { name: 'Total assets' }).waitFor();
      await panel.getByRole('button', { name: 'Quarterly' }).waitFor({ state: 'detached' });
      await expectAccessible(page.getByRole('region', { name: 'Balance sheet', exact: true }));
    },
  );

  // It said "nothing is adjusted" below prices that are adjusted for both.
  long.each([
    ['raw', 'As traded *', 'No source has all its splits, so only traded prices are known.'],
    ['all', 'Adjusted for splits and dividends *', 'Its source adjusts prices for splits and div'],
  ])(
    'says what is known of a bar of basis %s without a list of splits',
    async (basis, head, text) => {
      const page = await open(`?symbol=${STOCK}&range=6m`, {
        prepare: (page) =>
          page.route('**/origin?*', async (route) => {
            const origin = await (await route.fetch()).json();
            const prices = [{ ...origin.prices[0], adjustment: basis }];
            const unknown = { sourceBasis: basis, prices, actionsSince: [], actionCoverage: null };
            await route.fulfill({ json: { ...origin, ...unknown } });
          }),
      });
      const chart = await chartOf(page);
      await expectDrawn(page);
      await chart.focus();
      await page.keyboard.press('End');
      await page.keyboard.press('Enter');
      const card = page.getByRole('dialog', { name: 'Origin of the bar' });
      await card.getByText(text).waitFor();
      expect(await card.getByRole('columnheader').nth(1).innerText()).toBe(head);
      await expectAccessible(card);
    },
  );

  it('tells where a bar comes from, by click and by Enter, and names the bar under the crosshair', async () => {
    const page = await open(`?symbol=${STOCK}&range=6m`);
    const chart = await chartOf(page);
    await expectDrawn(page);
    const box = (await chart.boundingBox())!;
    await page.mouse.click(box.x + box.width / 3, box.y + box.height / 2);
    const card = page.getByRole('dialog', { name: 'Origin of the bar' });
    await card.getByRole('row').nth(3).waitFor();
    const day = await card.getByRole('heading').innerText();
    expect(await page.locator('.legend-time').innerText()).toBe(day);
    expect(await card.innerText()).toContain('Source sandbox');
    await expectAccessible(card);
    await page.keyboard.press('Escape');
    await card.waitFor({ state: 'detached' });

    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await card.getByText(`npx tapeworks explain ${STOCK} 2026-11-17 --mode sandbox`).waitFor();
    const { json } = await market.server.get(`/v1/svc/candles/${STOCK}/origin?at=2026-11-17`);
    const { prices } = json as { prices: { close: number }[] };
    const row = card.getByRole('row', { name: /^Close/ });
    expect(await row.innerText()).toContain(prices[0].close.toFixed(2));
    await page.keyboard.press('Escape');
    expect(await chart.evaluate((own) => own === own.ownerDocument.activeElement)).toBe(true);

    const time = page.locator('.legend-time');
    await page.mouse.move(box.x + box.width / 3, box.y + box.height / 2);
    const pointed = await time.innerText();
    await page.mouse.wheel(-300, 0);
    await expect.poll(() => time.innerText()).not.toBe(pointed);
    // The press is where the pointer is.
    await page.mouse.down();
    await page.mouse.up();
    expect(await card.getByRole('heading').innerText()).toBe(await time.innerText());

    await page.mouse.move(0, 0);
    await chart.focus();
    await page.keyboard.press('Home');
    const reached = await time.innerText();
    await page.keyboard.press('+');
    await page.keyboard.press('Enter');
    expect(await card.getByRole('heading').innerText()).toBe(reached);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: '1Y', exact: true }).click();
    await expect.poll(() => time.innerText()).toBe('Tue, 17 Nov 2026');
  });
});
