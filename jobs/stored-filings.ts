/** What the store has of insiders' filings, so that a fetch can ask for what is new. */

import { existsSync } from 'node:fs';
import type { ModePaths } from '../src/data-dir.ts';
import { dayFromMillis } from '../src/dates.ts';
import { FORM4, FORM4_DATASETS } from '../src/ingest/form4/form4-files.ts';
import type { SourceOptions } from '../src/ingest/source-options.ts';
import { limits } from '../src/limits.ts';
import { openMarketForWriting } from '../src/store/market/open.ts';
import {
  readAccessions,
  readOrigins,
  readTickersByCik,
} from '../src/store/market/stored-filings.ts';
import type { RunDeps } from './backfill.ts';

/**
 * Empty for a store that does not exist yet. Opens for writing, as the backfill that asks will: a
 * store of an older schema is upgraded here.
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
