/** Stored tickers of companies, for sources that name companies. */

import { existsSync } from 'node:fs';
import type { ModePaths } from '../../src/base/config/data-dir.ts';
import { openMarketForWriting } from '../../src/store/duckdb/connection/open.ts';
import { readTickersByCik } from '../../src/store/duckdb/rows/stored-filings.ts';
import type { RunDeps } from '../contract/reports.ts';

/**
 * Reads tickers by the SEC's number of the company; empty if there is no store yet. Opens the store
 * for writing, so that an older store is upgraded before the backfill.
 */
export async function readStoredTickers(
  paths: ModePaths,
  deps: Pick<RunDeps, 'verb' | 'nowMs' | 'onWaiting'>,
): Promise<Map<number, string[]>> {
  if (!existsSync(paths.market)) return new Map();
  const market = await openMarketForWriting(paths, deps);
  try {
    return await readTickersByCik(market);
  } finally {
    market.close();
  }
}
