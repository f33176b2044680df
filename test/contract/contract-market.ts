/** The market that contract tests ask: a small sandbox, filled by its own job at a pinned time. */

import { cpSync } from 'node:fs';
import { afterAll, beforeAll } from 'vitest';
import { fillSandbox } from '../../jobs/load/sandbox.ts';
import { type Settings, settingsFromEnv } from '../../src/base/config/config.ts';
import { modePaths } from '../../src/base/config/data-dir.ts';
import { dayFromDate } from '../../src/base/time/dates.ts';
import { startTestServer, type TestServer } from '../api/support/test-server.ts';
import { madeFiles } from '../cli/files/made-market.ts';
import { sharedFolder } from '../support/folders.ts';
import { madeOnce } from '../support/made-once.ts';

/** Wednesday noon; the newest bars are of the day before. */
export const NOW_MS = Date.parse('2026-11-18T12:00:00Z');

/** Securities and days of the market. */
export const CONTRACT_PLAN = { stocks: 14, fromDay: dayFromDate('2024-06-03') };

/** Listed securities, among others: a stock, a class of shares, a fund without filings. */
export const STOCK = 'QXIR';
export const SHARE_CLASS = 'QXOL.A';
export const FUND = 'QXXP';

export interface ContractMarket {
  /** Both are there from the first test on. */
  dataDir: string;
  server: TestServer;
  /** A key without limit and with every scope, `ingest:write` and `accounts:write` too. */
  operatorKey: string;
}

/** The data folder of the market, which nobody may change. A run makes it once. */
export const contractFolder = () =>
  madeOnce('contract-market', async (folder) => {
    await fillSandbox(modePaths(folder, 'sandbox'), CONTRACT_PLAN, {
      ...{ verb: 'test', nowMs: NOW_MS, settings: settingsFromEnv({}) },
    });
    await madeFiles(folder);
  });

/** A server over two and a half years of bars, minutes and rows of every dataset, in the sandbox, with Parquet files. */
export function useContractMarket(overrides: Partial<Settings> = {}): ContractMarket {
  const market = { dataDir: sharedFolder() } as ContractMarket;
  beforeAll(async () => {
    cpSync(await contractFolder(), market.dataDir, { recursive: true });
    market.server = await startTestServer(market.dataDir, NOW_MS, overrides);
    market.operatorKey = await market.server.newKey({
      label: 'operator',
      scopes: ['all', 'ingest:write', 'accounts:write'],
    });
  });
  afterAll(() => market.server.close());
  return market;
}
