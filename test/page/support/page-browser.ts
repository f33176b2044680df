/** The page in Chromium over the contract market, with what it must never do recorded. */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { type ContractMarket, NOW_MS, useContractMarket } from '../../contract/contract-market.ts';
import { launchBrowser } from '../../support/browser.ts';
import { chromium } from '../../support/tools.ts';

export const PHONE = { width: 390, height: 844 };
export const DESKTOP = { width: 1280, height: 900 };

export interface OpenOptions {
  viewport?: { width: number; height: number };
  colorScheme?: 'dark';
  /** Default: a key of the sandbox with all scopes; null: none. */
  key?: string | null;
  /** Runs before the page loads: routes, mostly. */
  prepare?: (page: Page) => Promise<unknown>;
  /** Server of the page; default: that of the market. */
  address?: string;
  /** Console lines that the test causes, such as those of refused requests. */
  complaintsExpected?: boolean;
}

export interface PageBrowser {
  market: ContractMarket;
  /** @param query Address of the page behind `/`. */
  open(query: string, options?: OpenOptions): Promise<Page>;
  /**
   * Fails if axe finds anything in the page as it is, or in a part of it. A look at a page takes
   * half a second: a panel or a dialog is looked at alone.
   */
  expectAccessible(part: Page | Locator): Promise<void>;
}

/** The checker within the page. */
interface Axe {
  run(
    element: unknown,
    options: object,
  ): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Starts a server and a browser; a test fails if its pages complained or asked another host. All
 * pages are tabs of one browser, whose cache keeps the files of the page.
 */
export function usePageBrowser(): PageBrowser {
  const market = useContractMarket();
  let browser: Browser;
  let context: BrowserContext;
  let pages: {
    page: Page;
    address: string;
    hosts: Set<string>;
    complaints: string[];
    isExpected: boolean;
  }[] = [];
  beforeAll(async () => {
    if (!chromium) return;
    browser = await launchBrowser();
    context = await browser.newContext();
    // Tabs of one site share a process, which stays while one of them is open.
    await (await context.newPage()).goto(`${market.server.address}/healthz`);
  });
  afterAll(() => browser?.close());
  afterEach(async () => {
    const opened = pages;
    pages = [];
    for (const { page } of opened) await page.close();
    for (const { address, hosts, complaints, isExpected } of opened) {
      expect([...hosts]).toEqual([address]);
      if (!isExpected) expect(complaints.join('\n')).toBe('');
    }
  });
  return {
    market,
    async open(query, options = {}) {
      const { viewport = DESKTOP, colorScheme, key, prepare, complaintsExpected } = options;
      const { address = market.server.address } = options;
      const page = await context.newPage();
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme });
      const hosts = new Set<string>();
      const complaints: string[] = [];
      page.on('request', (request) => {
        if (!request.url().startsWith('data:')) hosts.add(new URL(request.url()).origin);
      });
      page.on('console', (message) => complaints.push(message.text()));
      page.on('pageerror', (error) => complaints.push(String(error)));
      pages.push({ page, address, hosts, complaints, isExpected: complaintsExpected === true });
      // Ages of bars count from the time of the market.
      await page.clock.setFixedTime(NOW_MS);
      await prepare?.(page);
      const hash = key === null ? '' : `#key=${key ?? market.server.rawKey}`;
      await page.goto(`${address}/${query}${hash}`);
      return page;
    },
    async expectAccessible(part) {
      const [page, root] = 'page' in part ? [part.page(), part] : [part, part.locator(':root')];
      // The policy of the page does not concern what the debugger evaluates.
      if (await page.evaluate('!globalThis.axe')) await page.evaluate(axe);
      const found = await root.evaluate((element) =>
        (globalThis as unknown as { axe: Axe }).axe.run(element, {
          ...{ preload: false, resultTypes: ['violations'] },
        }),
      );
      const lines = found.violations.flatMap(({ id, nodes }) =>
        nodes.map(({ html }) => `${id}: ${html}`),
      );
      expect(lines).toEqual([]);
    },
  };
}
