/** Facts of the store that sources need: days that are stored, names and tickers. */

import type { ModePaths } from '../../src/base/config/data-dir.ts';
import type { VendorFacts } from '../../src/ingest/contract/source.ts';
import type { SourceOptions } from '../../src/ingest/contract/source-options.ts';
import { sourceNamed } from '../../src/ingest/sources/sources.ts';
import type { RunDeps } from '../contract/reports.ts';

export interface StoredDeps extends Pick<RunDeps, 'verb' | 'nowMs' | 'onWaiting'> {
  paths: ModePaths;
}

type ReadStored = (
  source: string,
  options: SourceOptions,
  deps: StoredDeps,
) => Promise<SourceOptions>;

const READERS: Record<NonNullable<VendorFacts['stored']>, ReadStored> = {
  async bars(source, { interval = '1d' }, deps) {
    const { readStored } = await import('./stored.ts');
    const stored = await readStored(deps.paths, { source, interval }, deps);
    return {
      lastStoredDay: (symbol: string) => stored.lastDays.get(symbol),
      wholeMarketDay: stored.wholeMarketDay,
      knownSymbols: stored.listedSymbols,
    };
  },
  // Articles are matched with the companies of the directory.
  async companies(_, __, deps) {
    const { readCompanies } = await import('./stored.ts');
    return { companies: await readCompanies(deps.paths, deps) };
  },
  // Quarters are counted from the year ends of stored statements.
  async 'year ends'(_, __, deps) {
    const { readYearEnds } = await import('./stored.ts');
    return { yearEnds: await readYearEnds(deps.paths, deps) };
  },
  async tickers(_, __, deps) {
    const { readStoredTickers } = await import('./stored.ts');
    return { tickersByCik: await readStoredTickers(deps.paths, deps) };
  },
  async filings(_, __, deps) {
    const { readStoredFilings } = await import('./stored-filings.ts');
    return readStoredFilings(deps.paths, deps);
  },
};

/** Adds the stored facts that a source needs to its options. */
export async function withStored(
  name: string,
  options: SourceOptions,
  deps: StoredDeps,
): Promise<SourceOptions> {
  const stored = sourceNamed(name)?.stored;
  // Files of bars have their own names and days.
  if (!stored || (stored === 'bars' && options.path !== undefined)) return options;
  return { ...options, ...(await READERS[stored](name, options, deps)) };
}
