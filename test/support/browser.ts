/** The browser of the tests, without a window. */

import { type Browser, chromium as driver } from 'playwright-core';
import { chromium } from './tools.ts';

/** Starts a browser of its own; the caller closes it. */
export function launchBrowser(): Promise<Browser> {
  return driver.launch({ executablePath: chromium, args: ['--no-sandbox', '--process-per-site'] });
}
