/**
 * The page in Chromium: first paint without a cache, scrolling 10,000 synthetic rows of the
 * screener, and panning a chart of 100,000 synthetic minutes.
 */

import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium as driver, type Page } from 'playwright-core';
import { serveManyMinutes, serveManyRows } from '../../test/page/support/synthetic-responses.ts';
import { chromium } from '../../test/support/tools.ts';
import {
  benchSizeFromArgs,
  checkResult,
  goalLines,
  machineLine,
  readable,
  tableFromRows,
  timingFromSamples,
} from '../harness.ts';
import { documentOf, launch } from '../launch.ts';

const { paints, moves } = {
  smoke: { paints: 1, moves: 5 },
  quick: { paints: 3, moves: 40 },
  full: { paints: 15, moves: 200 },
}[benchSizeFromArgs()];

const GOALS = { paintMs: 1000, taskMs: 50, rows: 100, panFrameMs: 50 };

const NO_DETAILS = { symbol: 'SYNTH', formerTickers: [], intervals: [], datasets: [] };

/** Opens a page without a cache that notes its tasks over 50 ms from now on. */
async function opened(
  browser: Browser,
  link: string,
  prepare?: (page: Page) => Promise<unknown>,
): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  await page.addInitScript(`globalThis.tasks = [];
    new PerformanceObserver((list) => globalThis.tasks.push(...list.getEntries().map((one) => one.duration)))
      .observe({ type: 'longtask' });`);
  await prepare?.(page);
  await page.goto(link);
  return page;
}

/** Forgets the tasks of loading. The stream of events stays open, so the network is never idle. */
const settle = (page: Page) =>
  page.evaluate(
    'new Promise((done) => requestIdleCallback(() => done((globalThis.tasks.length = 0))))',
  );

const longestTaskMs = (page: Page) =>
  page.evaluate('Math.max(0, ...globalThis.tasks)') as Promise<number>;

async function paintMs(browser: Browser, link: string): Promise<number> {
  const page = await opened(browser, link);
  const entry = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime";
  await page.waitForFunction(entry);
  const ms = (await page.evaluate(entry)) as number;
  await page.close();
  return ms;
}

async function scrolled(browser: Browser, link: string): Promise<{ taskMs: number; rows: number }> {
  const page = await opened(browser, link, serveManyRows);
  await page.locator('.match').first().waitFor();
  await settle(page);
  await page.locator('.match').first().hover();
  let rows = 0;
  for (let move = 0; move < moves; move++) {
    await page.mouse.wheel(0, 1800);
    rows = Math.max(rows, await page.locator('.match').count());
  }
  const first = await page.locator('.match .first a').first().innerText();
  checkResult(first !== 'S0', 'the table did not scroll');
  const taskMs = await longestTaskMs(page);
  await page.close();
  return { taskMs, rows };
}

interface Panned {
  /** Longest task while older bars come. */
  loadMs: number;
  /** Slowest frame while it pans. */
  worstMs: number;
  medianMs: number;
}

/** Loads minutes until the chart is full, then drags it while all of them are in view. */
async function panned(browser: Browser, link: string): Promise<Panned> {
  const page = await opened(browser, link, async (page) => {
    await page.route('**/v1/svc/symbols/*', (route) => route.fulfill({ json: NO_DETAILS }));
    await page.route('**/v1/svc/quotes/*', (route) => route.fulfill({ json: { data: [] } }));
    await serveManyMinutes(page, Date.UTC(2026, 10, 18, 12));
  });
  const chart = page.getByRole('application');
  await chart.focus();
  const isFull = page.getByText('A chart holds 100,000 bars.');
  for (let i = 0; i < 200 && (await isFull.count()) === 0; i++) {
    await page.keyboard.press('-');
    await page.waitForTimeout(100);
  }
  checkResult((await isFull.count()) === 1, 'the chart did not fill');
  const loadMs = await longestTaskMs(page);
  const box = (await chart.boundingBox())!;
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + box.width / 2, y);
  await page.mouse.down();
  await page.evaluate(`globalThis.frames = [];
    let before = performance.now();
    const look = (now) => { globalThis.frames.push(now - before); before = now; requestAnimationFrame(look); };
    requestAnimationFrame(look);`);
  for (let move = 0; move < moves; move++) {
    await page.mouse.move(box.x + box.width / 2 + 300 * Math.sin(move / 6), y);
  }
  const frames = (await page.evaluate('globalThis.frames.slice(1)')) as number[];
  await page.close();
  const { medianMs } = timingFromSamples(frames);
  return { loadMs, worstMs: Math.max(...frames), medianMs };
}

if (!chromium) {
  console.log('page: skipped, Chromium is missing');
  process.exit(0);
}
const dataDir = mkdtempSync(join(tmpdir(), 'tapeworks-'));
const keyArgs = ['keys', 'create', '--mode', 'test', '--label', 'bench', '--scopes', 'all'];
const { rawKey } = await documentOf(launch(dataDir, keyArgs));
const browser = await driver.launch({ executablePath: chromium, args: ['--no-sandbox'] });
const server = launch(dataDir, ['serve']);
try {
  const { address } = await documentOf(server);
  const link = (query: string) => `${address}/?${query}#key=${rawKey}`;
  const samples: number[] = [];
  for (let i = 0; i < paints; i++) samples.push(await paintMs(browser, link('')));
  const paint = timingFromSamples(samples);
  const { taskMs, rows } = await scrolled(browser, link('view=screener'));
  checkResult(rows <= GOALS.rows, `${rows} rows were in the document`);
  const pan = await panned(browser, link('symbol=SYNTH&interval=1m&range=6m'));
  const measured: [string, string][] = [
    ['first paint, median', `${readable(paint.medianMs)} ms`],
    ['first paint, slowest', `${readable(Math.max(...samples))} ms`],
    ['rows in the document, of 10,000', String(rows)],
    ['longest task over 50 ms while scrolling', `${readable(taskMs)} ms`],
    ['frame while panning 100,000 minutes, median', `${readable(pan.medianMs)} ms`],
    ['frame while panning 100,000 minutes, slowest', `${readable(pan.worstMs)} ms`],
    ['longest task while they load', `${readable(pan.loadMs)} ms`],
  ];
  console.log(machineLine());
  console.log(tableFromRows(['measure', 'value'], measured));
  const below = (name: string, value: number, bound: number) => {
    return { name, ratio: bound / Math.max(value, 1), atLeast: 1 };
  };
  console.log(
    goalLines([
      below('first paint within a second', paint.medianMs, GOALS.paintMs),
      below('no task over 50 ms while scrolling', taskMs, GOALS.taskMs),
      below('a frame within 50 ms while panning a year of minutes', pan.medianMs, GOALS.panFrameMs),
    ]),
  );
} finally {
  await browser.close();
  server.kill('SIGTERM');
  if (server.exitCode === null) await once(server, 'exit');
  rmSync(dataDir, { recursive: true });
}
