/** The browser of the tests, without a window. */

import { type Browser, chromium as driver } from 'playwright-core';
import { chromium } from './tools.ts';

/** Starts a browser of its own; the caller closes it. Its pages wait long, for a loaded machine. */
export async function launchBrowser(): Promise<Browser> {
  const args = ['--no-sandbox', '--process-per-site'];
  const browser = await driver.launch({ executablePath: chromium, args });
  const newContext = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await newContext(options);
    context.setDefaultTimeout(300_000);
    return context;
  };
  return browser;
}
