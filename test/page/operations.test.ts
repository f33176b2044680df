/** The view of operations in Chromium, over data of real loads with something to do. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OperatorReport } from '../../src/base/operator/report.ts';
import { OPERATOR_ENV, OPERATOR_TOKEN } from '../cli/support/operator.ts';
import { type CliFolder, createCliFolder } from '../cli/support/run-cli.ts';
import { HELD_FILE, putTroubles } from '../cli/support/troubled-data.ts';
import { startTiingo, type TiingoServer } from '../jobs/runner/tiingo-server.ts';
import { long } from '../support/store-runs.ts';
import { chromium } from '../support/tools.ts';
import { type OpenOptions, PHONE, usePageBrowser } from './support/page-browser.ts';

const { open, expectAccessible } = usePageBrowser();

/** Browsers note a response with an error in the console, whatever the page makes of it. */
const REFUSED = { complaintsExpected: true };

let vendor: TiingoServer;
let folder: CliFolder;
let address: string;

beforeAll(async () => {
  if (!chromium) return;
  vendor = await startTiingo();
  folder = createCliFolder({ ...OPERATOR_ENV, ...vendor.env });
  await putTroubles(folder);
  ({ address } = (await folder.start('serve')).document);
});
afterAll(async () => {
  await folder?.remove();
  await vendor?.close();
});

/** Opens the view, with the token in the tab unless it is null. */
function openView(
  options: OpenOptions & { token?: string | null } = {},
  prepare?: (page: Page) => Promise<unknown>,
): Promise<Page> {
  const { token = OPERATOR_TOKEN, ...rest } = options;
  return open('?view=operations', {
    ...{ address, key: null, ...rest },
    async prepare(page) {
      if (token !== null) {
        const keep = (value: string) => sessionStorage.setItem('tapeworks-operator-token', value);
        await page.addInitScript(keep, token);
      }
      await prepare?.(page);
    },
  });
}

const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

describe.skipIf(!chromium)('operations', () => {
  it('are shown to who gives the token, by keyboard alone, without a key', async () => {
    const page = await openView({ ...REFUSED, token: null });
    const field = page.getByLabel('Operator’s token').or(page.getByLabel("Operator's token"));
    await field.waitFor();
    await expectAccessible(page);
    await field.focus();
    await page.keyboard.type('not-the-token-of-this-server');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('Operator token is wrong').waitFor();
    await expectAccessible(page.getByRole('main'));
    await field.focus();
    await page.keyboard.type(OPERATOR_TOKEN);
    await page.keyboard.press('Enter');
    await panel(page, 'Freshness').getByText('candles 1d').waitFor();
    expect(await page.title()).toBe('Operations · Tapeworks');
    await page.reload();
    await panel(page, 'Freshness').waitFor();
    await page.getByRole('button', { name: 'Forget the token' }).click();
    await field.waitFor();
    expect(await page.evaluate('Object.values(sessionStorage)')).toEqual([]);
  });

  it('say how old the data is, what needs a person, and why, as text and never as markup', async () => {
    const key = ['--mode', 'live', '--label', '<img src=x>', '--scopes', 'all'];
    await folder.json('keys', 'create', ...key);
    const page = await openView();
    const candles = panel(page, 'Freshness').getByRole('row', { name: 'candles 1d' });
    await candles.waitFor();
    const text = await candles.innerText();
    expect(text).toMatch(/30 Oct 2026, 16:00 EDT/);
    expect(text).toContain('stale');
    const attention = await panel(page, 'Needs attention').innerText();
    expect(attention).toContain('A load of files (live) is held');
    expect(attention).toContain('30 of 1230 rows were rejected (2.4 %, at most 1 %)');
    expect(attention).toMatch(/1 task of backfill tiingo \(live\) failed/);
    expect(attention).toContain('The live data is stale');
    expect(attention).toContain('No process runs jobs');
    expect(await panel(page, 'Refused rows').innerText()).toMatch(
      /open is not above zero\s+files\s+35/,
    );
    const gaps = panel(page, 'Gaps').getByRole('row', { name: /13 Oct 2026 to 15 Oct 2026/ });
    expect(await gaps.innerText()).toContain('S10, S11, S12');
    expect(await panel(page, 'Disk').innerText()).toMatch(/live store\s+[\d.]+ MB/);
    expect(await panel(page, 'Schedules').innerText()).toMatch(
      /integrity maintenance\s+03:30, every day/,
    );
    await expectAccessible(page);
    await panel(page, 'Needs attention').getByText(HELD_FILE).first().waitFor();
    expect(await page.locator('#content b, #content img').count()).toBe(0);
    // No process runs jobs.
    const retry = page.getByRole('button', { name: /^Retry: 1 task/ });
    await retry.waitFor();
    expect(await retry.isDisabled()).toBe(true);
    expect(await page.getByRole('button', { name: /^Accept: / }).isDisabled()).toBe(true);
  });

  long('name a load whose input is at fault, which no operator can mend', async () => {
    const bad = join(folder.dataDir, 'letter.csv');
    writeFileSync(bad, 'Dear operator,\nplease load this.\n');
    expect((await folder.run('backfill', 'files', 'candles', bad)).code).toBe(1);
    const page = await openView();
    const run = panel(page, 'Runs').getByRole('row', { name: /input at fault/ });
    await run.waitFor();
    expect(await run.innerText()).toMatch(/^backfill files live\s+input at fault/);
    expect(await run.locator('.down').count()).toBe(0);
    expect(await panel(page, 'Needs attention').innerText()).not.toContain('letter.csv');
    await expectAccessible(panel(page, 'Runs'));
  });

  long(
    'keep the last report while the server does not respond, and say what to do at a refusal',
    async () => {
      const page = await openView(REFUSED);
      await panel(page, 'Freshness').waitFor();
      await page.route('**/operator/status', (route) => route.abort());
      await page.getByRole('button', { name: 'Refresh' }).click();
      const alert = page.getByRole('alert');
      await alert.waitFor();
      expect(await alert.innerText()).toMatch(/Not updated since .+: The server did not respond/);
      await panel(page, 'Freshness').getByText('candles 1d').waitFor();
      await page.unroute('**/operator/status');
      await page.getByRole('button', { name: 'Refresh' }).click();
      await alert.waitFor({ state: 'detached' });

      const message = 'This path is off: it needs the setting TAPEWORKS_ADMIN_TOKEN';
      for (const [status, title, text] of [
        [404, 'Operations are off', 'needs the setting TAPEWORKS_ADMIN_TOKEN'],
        [500, 'Could not load operations', 'Try again'],
        [429, 'limit is reached', 'again in'],
      ] as const) {
        await page.route('**/operator/status', (route) =>
          route.fulfill({
            ...{ status, headers: status === 429 ? { 'Retry-After': '30' } : {} },
            json: { error: { message, type: 'x' }, request_id: 'req_1' },
          }),
        );
        await page.reload();
        await alert.getByText(title).waitFor();
        expect(await alert.innerText()).toContain(text);
        await page.unroute('**/operator/status');
      }
      await expectAccessible(alert);
    },
  );

  long('fit a phone, in the dark', async () => {
    const page = await openView({ viewport: PHONE, colorScheme: 'dark' });
    await panel(page, 'Gaps').getByText('Holes, most').waitFor();
    const widths = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    expect(await page.evaluate(widths)).toBe(0);
    await expectAccessible(page);
  });

  // Long numbers moved the column of symbols out of view.
  long('show all columns of a screen of 1280 pixels', async () => {
    const page = await openView();
    await panel(page, 'Gaps').getByText('Holes, most').waitFor();
    const datasets = panel(page, 'Datasets of live data');
    for (const cell of await datasets.locator('tbody td.figure').all()) {
      await cell.evaluate((td) => td.replaceChildren('1,234,567,890'));
    }
    const hidden = `[...document.querySelectorAll('.table-box')]
      .filter((box) => box.scrollWidth > box.clientWidth)
      .map((box) => box.getAttribute('aria-label'))`;
    expect(await page.evaluate(hidden)).toEqual([]);
  });

  long('say what an empty server needs', async () => {
    const empty = createCliFolder({ ...OPERATOR_ENV, TAPEWORKS_SCHEDULE: 'off' });
    try {
      const server = (await empty.start('serve')).document.address;
      const forKey = ['--mode', 'live', '--scopes', 'all', '--label', 'x'];
      const { rawKey } = await empty.json('keys', 'create', ...forKey);
      const page = await openView({ address: server, key: rawKey });
      await panel(page, 'Freshness').getByText('backfill any --symbols SPY').waitFor();
      await panel(page, 'Gaps').getByText('No daily bars are published').waitFor();
      await panel(page, 'Schedules').getByText('TAPEWORKS_SCHEDULE=off').first().waitFor();
      await panel(page, 'Jobs').getByText('No runs in the last 14 days').waitFor();
      await panel(page, 'Webhooks').getByText('No account has a webhook').waitFor();
      await expectAccessible(page.getByRole('main'));
      await page.getByRole('link', { name: 'Tapeworks', exact: true }).click();
      await page.getByText('Nothing is loaded yet.').waitFor();
      // A page that outlives its server notes in the console that it is gone.
      await page.close();
    } finally {
      await empty.remove();
    }
  });
});

describe.skipIf(!chromium)('operations, where schedules run', () => {
  beforeAll(() => folder.start('schedule'));

  it('retry a failed task, and follow it to its end', async () => {
    const page = await openView();
    const retry = page.getByRole('button', { name: /^Retry: 1 task of backfill tiingo/ });
    await retry.click();
    await page
      .getByRole('status')
      .getByText(/Requeued: run \w+ starts within seconds/)
      .waitFor();
    await retry.waitFor({ state: 'detached' });
    const jobs = panel(page, 'Jobs').getByRole('row', { name: /backfill tiingo/ });
    await jobs
      .getByText(/^done, version/)
      .first()
      .waitFor();
  });

  long('accept a held load after saying what changes', async () => {
    const page = await openView();
    const accept = page.getByRole('button', { name: /^Accept: A load of files/ });
    await accept.click();
    const dialog = page.getByRole('dialog', { name: 'Accept this load of files?' });
    await dialog.getByText('publishes a new version of the live').waitFor();
    await dialog.getByText('30 of 1230 rows were rejected').waitFor();
    await expectAccessible(dialog);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect((await folder.json('segments', 'list')).held).toHaveLength(1);
    await accept.click();
    await dialog.getByRole('button', { name: 'Accept and load' }).click();
    await page
      .getByRole('status')
      .getByText(/Accepted: run/)
      .waitFor();
    await accept.waitFor({ state: 'detached' });
    const candles = panel(page, 'Freshness').getByRole('row', { name: 'candles 1d' });
    await candles.getByText('20 Nov 2026, 16:00 EST').waitFor();
    await page.route('**/operator/status', fulfillAsFresh);
    await page.getByRole('button', { name: 'Refresh' }).click();
    await panel(page, 'Needs attention')
      .getByText('No held loads, failed jobs or damage.')
      .waitFor();
  });
});

/** Gives the server's report, of data that is not stale: its days are fixed, and today is not. */
async function fulfillAsFresh(route: Route): Promise<void> {
  const response = await route.fetch();
  const report: OperatorReport = await response.json();
  for (const dataset of report.modes.flatMap(({ datasets }) => datasets)) dataset.isStale = false;
  await route.fulfill({ response, json: report });
}
