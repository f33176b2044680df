/** The first minutes of a user: from `npm start` by its link to the chart of a real stock. */

import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { putStarted } from '../cli/support/full-sandbox.ts';
import { type CliFolder, createCliFolder, type RunningCli } from '../cli/support/run-cli.ts';
import { launchBrowser } from '../support/browser.ts';
import { hasRealdata, realdata } from '../support/realdata.ts';
import { chromium } from '../support/tools.ts';

const FILE = 'daily/yahoo_csv/brk-b.csv';
const FILE_OF_SPY = 'daily/other/SPY_D.pandas-ta.csv';

const complaints: string[] = [];
let folder: CliFolder;
let browser: Browser;
let started: RunningCli;
let page: Page;
let liveKey: string;

beforeAll(async () => {
  if (!chromium) return;
  folder = createCliFolder({ TAPEWORKS_SCHEDULE: 'off' });
  browser = await launchBrowser();
  ({ liveKey } = await putStarted(folder));
  started = await folder.start('start');
  page = await browser.newPage();
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(String(error)));
});
afterAll(async () => {
  await browser?.close();
  await folder?.remove();
});

describe.skipIf(!chromium)('a journey', () => {
  it('leads from start over the statements that come with the program to their company', async () => {
    await page.goto(`${started.document.address}/#key=${liveKey}`);
    await page.getByText('Nothing is loaded yet.').waitFor();
    expect(page.url()).not.toContain(liveKey);
    expect((await folder.run('backfill', 'sec', '--sample')).code).toBe(0);
    await page.getByText('which have no prices yet').waitFor();
    expect(await page.locator('.start tbody tr').count()).toBe(12);
    await page.getByRole('link', { name: 'AAPL' }).click();
    await page.getByRole('button', { name: 'Load prices of AAPL' }).waitFor();
    await page.getByRole('heading', { name: 'Income' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it.skipIf(!hasRealdata)('goes on to a chart of real prices, and to a table of them', async () => {
    await page.getByRole('link', { name: 'Tapeworks', exact: true }).click();
    await page.getByRole('button', { name: 'Add a symbol' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'From a file' }).click();
    const file = { name: 'BRK-B.csv', mimeType: 'text/csv', buffer: readFileSync(realdata(FILE)) };
    await dialog.getByLabel('File', { exact: true }).setInputFiles(file);
    await dialog.getByRole('button', { name: 'Upload and load' }).click();
    await dialog.getByRole('button', { name: /^Open / }).click();
    const chart = page.getByRole('region', { name: 'Chart' });
    await chart.locator('canvas').first().waitFor();
    const rows = readFileSync(realdata(FILE), 'utf8').trim().split(/\r?\n/).slice(1);
    const newest = rows
      .map((row) => row.split(','))
      .sort((a, b) => (a[0] < b[0] ? -1 : 1))
      .at(-1);
    const price = Number(newest?.[4]).toFixed(2);
    await page.getByText(price).first().waitFor();
    await page.getByRole('link', { name: 'Screener' }).click();
    // The file ended years ago, and its line still shows its last sessions.
    const lines = page.getByRole('img', { name: /in 60 sessions/ });
    await lines.waitFor();
    // So does the line of a symbol whose bars ended years before those of the other.
    const bars = ['backfill', 'files', 'candles', realdata(FILE_OF_SPY), '--symbol', 'SPY'];
    expect((await folder.run(...bars)).code).toBe(0);
    await page.getByRole('button', { name: 'New data: refresh' }).click();
    await page.getByRole('row', { name: /^SPY / }).waitFor();
    await expect.poll(() => lines.count()).toBe(2);
    expect(complaints).toEqual([]);
  });

  it('ends with the server', async () => {
    await page.close();
    expect(await started.stop()).toBe(0);
  });
});
