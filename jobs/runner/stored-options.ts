/** What the store knows, for the sources that ask for what is new or need names and tickers. */

import type { ModePaths } from '../../src/data-dir.ts';
import type { SourceOptions } from '../../src/ingest/source-options.ts';
import type { RunDeps } from '../backfill.ts';
import { readCompanies, readYearEnds } from '../stored-companies.ts';
import { readStored } from '../stored-days.ts';
import { readStoredFilings } from '../stored-filings.ts';
import { readStoredTickers } from '../stored-tickers.ts';

export interface StoredDeps extends Pick<RunDeps, 'verb' | 'nowMs' | 'onWaiting'> {
  paths: ModePaths;
}

type ReadKnown = (
  paths: ModePaths,
  options: SourceOptions,
  deps: StoredDeps,
) => Promise<SourceOptions>;

const bars =
  (source: string): ReadKnown =>
  async (paths, { interval = '1d' }, deps) => {
    const stored = await readStored(paths, { source, interval }, deps);
    return {
      lastStoredDay: (symbol: string) => stored.lastDays.get(symbol),
      wholeMarketDay: stored.wholeMarketDay,
      knownSymbols: stored.listedSymbols,
    };
  };

const KNOWN: Record<string, ReadKnown> = {
  ...Object.fromEntries(
    ['yahoo', 'alpaca', 'massive', 'tiingo', 'eodhd'].map((source) => [source, bars(source)]),
  ),
  // Articles are matched with the companies that the directory names.
  rss: async (paths, _, deps) => ({ companies: await readCompanies(paths, deps) }),
  // Quarters are counted from the year ends that stored statements tell.
  nasdaq: async (paths, _, deps) => ({ yearEnds: await readYearEnds(paths, deps) }),
  sec: async (paths, _, deps) => ({ tickersByCik: await readStoredTickers(paths, deps) }),
  form4: (paths, _, deps) => readStoredFilings(paths, deps),
};

/** The options of a source with what the store knows, where the source uses that. */
export async function withStored(
  source: string,
  options: SourceOptions,
  deps: StoredDeps,
): Promise<SourceOptions> {
  // Files have their own names and days.
  if (source === 'massive' && options.path !== undefined) return options;
  return { ...options, ...(await KNOWN[source]?.(deps.paths, options, deps)) };
}
