/** Stored insiders' filings, so that a fetch requests only new ones. */

import { existsSync } from 'node:fs';
import type { ModePaths } from '../../src/base/config/data-dir.ts';
import { limits } from '../../src/base/limits/limits.ts';
import { dayFromMillis } from '../../src/base/time/dates.ts';
import type { SourceOptions } from '../../src/ingest/contract/source-options.ts';
import { FORM4, FORM4_DATASETS } from '../../src/ingest/vendors/form4/files.ts';
import { openMarketForWriting } from '../../src/store/duckdb/connection/open.ts';
import {
  readAccessions,
  readOrigins,
  readTickersByCik,
} from '../../src/store/duckdb/rows/stored-filings.ts';
import type { RunDeps } from '../contract/reports.ts';

/**
 * Reads stored filings; empty if there is no store yet. Opens the store for writing, so that an
 * older store is upgraded before the backfill.
 */
export async function readStoredFilings(
  paths: ModePaths,
  deps: Pick<RunDeps, 'verb' | 'nowMs' | 'onWaiting'>,
): Promise<Pick<SourceOptions, 'storedFilings' | 'tickersByCik'>> {
  if (!existsSync(paths.market)) return {};
  const market = await openMarketForWriting(paths, deps);
  try {
    const fromDay = dayFromMillis(deps.nowMs) - limits.form4.askedSinglyDays;
    const origins = await readOrigins(market, [FORM4, FORM4_DATASETS]);
    const accessions = await readAccessions(market, FORM4, fromDay);
    return {
      storedFilings: { origins, accessions },
      tickersByCik: await readTickersByCik(market),
    };
  } finally {
    market.close();
  }
}
