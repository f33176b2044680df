/** Stored insiders' filings; apart from other facts, as it imports the vendor's program. */

import type { ModePaths } from '../../src/base/config/data-dir.ts';
import { limits } from '../../src/base/limits/limits.ts';
import { dayFromMillis } from '../../src/base/time/dates.ts';
import type { SourceOptions } from '../../src/ingest/contract/source-options.ts';
import { FORM4, FORM4_DATASETS } from '../../src/ingest/vendors/form4/files.ts';
import {
  readAccessions,
  readOrigins,
  readTickersByCik,
} from '../../src/store/duckdb/rows/stored-filings.ts';
import { type ReadDeps, readStore } from './stored.ts';

export function readStoredFilings(
  paths: ModePaths,
  deps: ReadDeps,
): Promise<Pick<SourceOptions, 'storedFilings' | 'tickersByCik'>> {
  const none: Pick<SourceOptions, 'storedFilings' | 'tickersByCik'> = {};
  return readStore(paths, deps, none, async (market) => {
    const fromDay = dayFromMillis(deps.nowMs) - limits.form4.askedSinglyDays;
    return {
      storedFilings: {
        origins: await readOrigins(market, [FORM4, FORM4_DATASETS]),
        accessions: await readAccessions(market, FORM4, fromDay),
      },
      tickersByCik: await readTickersByCik(market),
    };
  });
}
