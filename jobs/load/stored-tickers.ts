/** The tickers that the store knows by their companies, for sources that name companies. */

import { existsSync } from 'node:fs';
import type { ModePaths } from '../../src/base/config/data-dir.ts';
import { openMarketForWriting } from '../../src/store/duckdb/connection/open.ts';
import { readTickersByCik } from '../../src/store/duckdb/rows/stored-filings.ts';
import type { RunDeps } from '../contract/reports.ts';

/**
 * By the SEC's number of the registrant; empty for a store that does not exist yet. Opens for
 * writing, as the backfill that asks will: a store of an older schema is upgraded here.
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
