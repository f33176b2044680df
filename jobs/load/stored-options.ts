/** What the store knows, for the sources that ask for what is new or need names and tickers. */

import type { ModePaths } from '../../src/base/config/data-dir.ts';
import type { SourceOptions } from '../../src/ingest/contract/source-options.ts';
import type { RunDeps } from '../contract/reports.ts';

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
    const { readStored } = await import('./stored-days.ts');
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
  async rss(paths, _, deps) {
    const { readCompanies } = await import('./stored-companies.ts');
    return { companies: await readCompanies(paths, deps) };
  },
  // Quarters are counted from the year ends that stored statements tell.
  async nasdaq(paths, _, deps) {
    const { readYearEnds } = await import('./stored-companies.ts');
    return { yearEnds: await readYearEnds(paths, deps) };
  },
  async sec(paths, _, deps) {
    const { readStoredTickers } = await import('./stored-tickers.ts');
    return { tickersByCik: await readStoredTickers(paths, deps) };
  },
  async form4(paths, _, deps) {
    const { readStoredFilings } = await import('./stored-filings.ts');
    return readStoredFilings(paths, deps);
  },
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
