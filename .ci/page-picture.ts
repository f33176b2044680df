/**
 * Makes the pictures of the page in README.md: `docs/page-light.webp` and `docs/page-dark.webp`,
 * from the sandbox, whose data is synthetic and says so. `npm run picture`
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium as driver } from 'playwright-core';
import { chromium } from '../test/support/tools.ts';

const BYTES_MAX = 150_000;
const VIEWPORT = { width: 1280, height: 800 };
const QUERY = 'symbol=QXYDS&range=1y&indicators=ema:20,sma:50,rsi';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Starts the program over a new folder. @returns the link that opens the page signed in. */
async function startedPage(dataDir: string): Promise<{ server: ChildProcess; page: URL }> {
  const env = { PATH: process.env.PATH, TAPEWORKS_DATA_DIR: dataDir, TAPEWORKS_PORT: '0' };
  const args = [join(root, 'bin/tapeworks.js'), 'start', '--json'];
  const server = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'ignore'] });
  let text = '';
  for await (const chunk of server.stdout!) {
    text += chunk;
    const page = /"page": ?"([^"]+)"/.exec(text)?.[1];
    if (page) return { server, page: new URL(page) };
  }
  throw new Error(`start ended without an address: ${text}`);
}

async function picture(browser: Browser, page: URL, colorScheme: 'light' | 'dark'): Promise<void> {
  const tab = await browser.newPage({ viewport: VIEWPORT, colorScheme });
  await tab.goto(`${page.origin}/?${QUERY}${page.hash}`);
  await tab.getByRole('button', { name: 'Remove RSI 14' }).waitFor();
  await tab.locator('.mark').first().waitFor();
  // All parts are there but for the stream of events, which stays open. The canvas is drawn in the
  // next frames.
  const loading = tab.getByRole('status', { name: /^Loading / });
  while ((await loading.count()) > 0) await loading.first().waitFor({ state: 'detached' });
  await tab.evaluate(
    'new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))',
  );
  const session = await tab.context().newCDPSession(tab);
  const shot = { format: 'webp', quality: 88 } as const;
  const { data } = await session.send('Page.captureScreenshot', shot);
  const bytes = Buffer.from(data, 'base64');
  const path = join(root, `docs/page-${colorScheme}.webp`);
  if (bytes.length > BYTES_MAX) throw new Error(`${path} would have ${bytes.length} bytes`);
  writeFileSync(path, bytes);
  console.log(`${path}: ${bytes.length} bytes`);
}

if (!chromium) throw new Error('The picture needs Chromium: install it, or set CHROMIUM');
const dataDir = mkdtempSync(join(tmpdir(), 'tapeworks-'));
const browser = await driver.launch({ executablePath: chromium, args: ['--no-sandbox'] });
const { server, page } = await startedPage(dataDir);
try {
  for (const scheme of ['light', 'dark'] as const) await picture(browser, page, scheme);
} finally {
  await browser.close();
  server.kill('SIGTERM');
  if (server.exitCode === null) await once(server, 'exit');
  rmSync(dataDir, { recursive: true });
}
