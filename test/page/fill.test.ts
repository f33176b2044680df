/** Adding a symbol: from the search to the chart, and what the dialog says where that fails. */

import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { takeBackfills } from '../../jobs/backfills/take.ts';
import { EmbeddedRunner } from '../../jobs/runner/embedded.ts';
import { settingsFromEnv } from '../../src/base/config/config.ts';
import { backfillsLockPath } from '../../src/base/config/data-dir.ts';
import { lockFile } from '../../src/base/file-lock.ts';
import type {
  Backfill,
  BackfillResult,
} from '../../src/store/accounts/backfills/backfill-record.ts';
import { startTiingo, type TiingoServer } from '../jobs/runner/tiingo-server.ts';
import { long } from '../support/store-runs.ts';
import { chromium } from '../support/tools.ts';
import { PHONE, usePageBrowser } from './support/page-browser.ts';

const { market, open, expectAccessible } = usePageBrowser();
const REFUSED = { complaintsExpected: true };
const NOTHING: BackfillResult = {
  ...{ accepted: 0, refused: 0, refusedByReason: [], loaded: [] },
  ...{ sources: [], skipped: [], failures: [], readings: [], notes: [] },
};

let vendor: TiingoServer;
let key: string;
let lock: ReturnType<typeof lockFile>;
let stopTaking = async () => {};

beforeAll(async () => {
  vendor = await startTiingo();
  lock = lockFile(backfillsLockPath(market.dataDir));
  key = await market.server.newKey({ mode: 'live', scopes: ['all', 'ingest:write'] });
});
afterEach(() => stopTaking());
afterAll(async () => {
  lock?.close();
  await vendor.close();
});

/** Runs backfills for real. */
function take(): void {
  const settings = settingsFromEnv({ ...vendor.env, TAPEWORKS_DATA_DIR: market.dataDir });
  const stop = new AbortController();
  const runner = new EmbeddedRunner({ settings });
  const { accounts } = market.server;
  const deps = { settings, runner, accounts, clock: Date.now, note: () => {} };
  const ended = takeBackfills({ ...deps, signal: stop.signal }).finally(() => runner.close());
  stopTaking = async () => {
    stop.abort(new Error('the test has ended'));
    await ended;
    stopTaking = async () => {};
  };
}

/** Waits for the request of the page, and begins it as the process that runs jobs does. */
async function begun(): Promise<Backfill> {
  const { accounts } = market.server;
  await expect.poll(async () => (await accounts.openBackfills()).length).toBe(1);
  const [backfill] = await accounts.openBackfills();
  await accounts.beginBackfill(backfill.id);
  return backfill;
}

const dialogOf = (page: Page) => page.getByRole('dialog');

async function openDialog(symbol: string, options: Parameters<typeof open>[1] = {}) {
  const page = await open(`?symbol=${symbol}`, { ...REFUSED, key, ...options });
  await page.getByRole('button', { name: `Add ${symbol}` }).click();
  await dialogOf(page).getByLabel('Symbols').waitFor();
  return page;
}

const load = (page: Page) => dialogOf(page).getByRole('button', { name: 'Load', exact: true });

describe.skipIf(!chromium)('adding a symbol', () => {
  it('goes from the search to the chart by Enter alone', async () => {
    take();
    const page = await open('', { ...REFUSED, key });
    await page.getByText('No live data yet').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('newco');
    await page.getByText('No symbol or name starts with “newco”.').waitFor();
    await page.keyboard.press('Enter');
    await page.locator('button:focus', { hasText: 'Add NEWCO' }).waitFor();
    await page.keyboard.press('Enter');
    await dialogOf(page).getByLabel('Symbols').waitFor();
    await page.locator('.fill-form input:focus').waitFor();
    await page.keyboard.press('Enter');
    await dialogOf(page).getByText('4 rows loaded').waitFor();
    expect(await dialogOf(page).innerText()).toContain('NEWCO: from Tiingo');
    await expectAccessible(dialogOf(page));
    await page.locator('button:focus', { hasText: 'Open NEWCO' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Chart' }).locator('canvas').first().waitFor();
    expect(new URL(page.url()).searchParams.get('symbol')).toBe('NEWCO');
  });

  long('shows the progress, then refused rows by reason', async () => {
    const page = await openDialog('AAAA', { viewport: PHONE, colorScheme: 'dark' });
    await load(page).click();
    const { id, order } = await begun();
    expect(order).toMatchObject({ source: 'any', dataset: 'candles', symbols: ['AAAA'] });
    const { accounts } = market.server;
    await accounts.noteBackfill(id, { step: 'fetch', done: 3, total: 8 }, null);
    await dialogOf(page).getByText('3 of 8').waitFor();
    await expectAccessible(page);
    await accounts.noteBackfill(id, null, 'a worker: none takes jobs');
    await dialogOf(page).getByText('Waiting for a worker').waitFor();
    const refusedByReason = [{ reason: 'high is below low <b>', count: 2 }];
    const result = { ...NOTHING, accepted: 7, refused: 2, refusedByReason };
    await accounts.endBackfill(id, { result, error: null });
    await dialogOf(page).getByText('7 rows loaded').waitFor();
    expect(await dialogOf(page).innerText()).toContain('2: high is below low <b>');
    await expectAccessible(dialogOf(page));
  });

  it('says what each source said where none has the symbol, why a request is refused, and keeps what was typed', async () => {
    const page = await openDialog('BBBB');
    await load(page).click();
    const { id } = await begun();
    const tried = [
      { source: 'alpaca', outcome: 'not configured', message: 'Alpaca: set TAPEWORKS_ALPACA_KEY' },
      { source: 'yahoo', outcome: 'rate limited', message: 'Yahoo refuses: status 429' },
    ];
    const sources = [{ symbol: 'BBBB', source: null, isUpToDate: false, tried }];
    const error = 'no source gave bars of it (BBBB)';
    await market.server.accounts.endBackfill(id, { result: { ...NOTHING, sources }, error });
    await dialogOf(page).getByText('Nothing was loaded').waitFor();
    const text = await dialogOf(page).innerText();
    expect(text).toContain('BBBB: no source gave it');
    expect(text).toContain('set TAPEWORKS_ALPACA_KEY');
    expect(text).toContain('Yahoo refuses: status 429');
    expect(text).toContain('Keys of vendors are settings of the server');
    await expectAccessible(dialogOf(page));
    await dialogOf(page).getByRole('button', { name: 'Change the request' }).click();
    expect(await dialogOf(page).getByLabel('Symbols').inputValue()).toBe('BBBB');

    await dialogOf(page).getByLabel('Symbols').fill('AAAA, ../x');
    await load(page).click();
    await dialogOf(page).getByText('"../x" is not a symbol').waitFor();
    expect(await dialogOf(page).innerText()).not.toContain('symbols.');

    await dialogOf(page).getByLabel('Symbols').fill('BTC-USD');
    await load(page).click();
    await dialogOf(page).getByRole('alert').waitFor();
    expect(await dialogOf(page).getByRole('alert').innerText()).toMatch(/^A symbol must.*crypto/);
    expect(await dialogOf(page).getByLabel('Symbols').inputValue()).toBe('BTC-USD');
    lock?.close();
    await dialogOf(page).getByLabel('Symbols').fill('EEEE');
    await load(page).click();
    await dialogOf(page).getByText('Nothing runs backfills on this server').waitFor();
    lock = lockFile(backfillsLockPath(market.dataDir));
  });

  long('offers to load what a sanity check holds', async () => {
    const page = await openDialog('CCCC');
    await load(page).click();
    const first = await begun();
    const error = '1 input was held by a sanity check and not loaded';
    await market.server.accounts.endBackfill(first.id, { result: null, error });
    await dialogOf(page).getByRole('button', { name: 'Load it anyway' }).click();
    const second = await begun();
    expect(second.order).toMatchObject({ symbols: ['CCCC'], accept: true });
    await market.server.accounts.endBackfill(second.id, { result: NOTHING, error: null });
    await dialogOf(page).getByText('Already up to date').waitFor();
  });

  long('cancels a load that waits', async () => {
    const page = await openDialog('GGGG');
    await load(page).click();
    await dialogOf(page).getByText('Waiting for its turn').waitFor();
    await dialogOf(page).getByRole('button', { name: 'Cancel this load' }).click();
    await dialogOf(page).getByText('Cancelled: nothing was loaded').waitFor();
    await dialogOf(page).getByRole('button', { name: 'Try again' }).click();
    const { id, order } = await begun();
    expect(order.symbols).toEqual(['GGGG']);
    await market.server.accounts.endBackfill(id, { result: NOTHING, error: null });
  });

  long('cancels a load that runs, also after the dialog was closed', async () => {
    const page = await openDialog('HHHH', { viewport: PHONE });
    await load(page).click();
    const { id } = await begun();
    await dialogOf(page).getByText('Fetching from the source').waitFor();
    await dialogOf(page).getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Add HHHH' }).click();
    await dialogOf(page).getByText('Earlier loads').click();
    await dialogOf(page).getByRole('button', { name: 'HHHH from any vendor' }).waitFor();
    await dialogOf(page).getByRole('button', { name: 'HHHH from any vendor' }).click();
    await dialogOf(page).getByRole('button', { name: 'Cancel this load' }).click();
    await dialogOf(page).getByText('The part that has begun is loaded').waitFor();
    await expectAccessible(dialogOf(page));
    const { accounts } = market.server;
    const [cancelled] = await accounts.openBackfills();
    expect(cancelled).toMatchObject({ id, isCancelled: true });
    await accounts.endBackfill(id, { result: { ...NOTHING, accepted: 7 }, error: null });
    await dialogOf(page).getByText('Cancelled after 7 rows').waitFor();
    await dialogOf(page).getByRole('button', { name: 'Open HHHH' }).waitFor();
  });

  it('uploads a chosen or dropped file', async () => {
    take();
    const page = await openDialog('FILED');
    await dialogOf(page).getByRole('button', { name: 'From a file' }).click();
    const csv = 'date,open,high,low,close,volume\n2024-01-02,1,2,1,2,10\n2024-01-03,9,2,1,2,10\n';
    const given = { name: 'FILED.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) };
    await dialogOf(page).getByLabel('File', { exact: true }).setInputFiles(given);
    await dialogOf(page).getByText('FILED.csv').waitFor();
    await dialogOf(page).getByText('How to read it').click();
    await dialogOf(page).getByLabel('Basis of the prices').selectOption('As traded');
    await dialogOf(page).getByLabel('Basis of the prices').selectOption('Splits and dividends');
    await expectAccessible(dialogOf(page));
    await dialogOf(page).getByRole('button', { name: 'Upload and load' }).click();
    await dialogOf(page).getByText('1 rows refused').waitFor();
    await dialogOf(page).getByText('prices adjusted for splits and dividends').waitFor();
    await dialogOf(page).getByRole('button', { name: 'Open FILED' }).click();
    await page.getByRole('region', { name: 'Chart' }).locator('canvas').first().waitFor();
    await page.getByRole('link', { name: 'Tapeworks', exact: true }).click();
    await page.getByRole('button', { name: 'Add a symbol' }).click();
    await dialogOf(page).getByRole('button', { name: 'From a file' }).click();
    const data = await page.evaluateHandle(
      `const transfer = new DataTransfer();
       transfer.items.add(new File(['date,close'], 'DROPPED.csv'));
       transfer`,
    );
    await page.dispatchEvent('.drop', 'drop', { dataTransfer: data });
    await dialogOf(page).getByText('DROPPED.csv').waitFor();
  });

  long('names the command for a key that may not load data', async () => {
    const weak = await market.server.newKey({ mode: 'live', scopes: ['all'] });
    const page = await openDialog('DDDD', { key: weak });
    await load(page).click();
    const alert = dialogOf(page).getByRole('alert');
    await alert.waitFor();
    expect(await alert.innerText()).toContain('keys create --mode live');
    expect(await alert.innerText()).toContain('all,ingest:write');
    await expectAccessible(dialogOf(page));
  });

  long('in the sandbox tells the way to live data', async () => {
    const page = await open('?symbol=AAPL', REFUSED);
    await page.getByRole('alert').waitFor();
    const text = await page.getByRole('alert').innerText();
    expect(text).toContain('All companies of the sandbox are invented.');
    expect(text).toContain('npm start -- --new-key');
    await expectAccessible(page.getByRole('alert'));
  });
});
