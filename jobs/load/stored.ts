/** Facts of the store that sources need, so that a fetch requests only what is new. */

import type { ModePaths } from '../../src/base/config/data-dir.ts';
import { dayFromMillis } from '../../src/base/time/dates.ts';
import type { Interval } from '../../src/base/time/intervals.ts';
import { existsSync } from '../../src/base/world/files.ts';
import type { VendorFacts } from '../../src/ingest/contract/source.ts';
import type {
  FiscalYearEnd,
  NamedSecurity,
  SourceOptions,
} from '../../src/ingest/contract/source-options.ts';
import { BAR_SOURCES } from '../../src/ingest/sources/bar-sources.ts';
import { sourceNamed } from '../../src/ingest/sources/sources.ts';
import { form4Limits } from '../../src/ingest/vendors/form4/limits.ts';
import {
  readLastDays,
  readRowVintages,
  readSymbolsWithoutActions,
  readWholeMarketDay,
} from '../../src/store/duckdb/candles/last-days.ts';
import { type MarketDb, openMarketForWriting } from '../../src/store/duckdb/connection/open.ts';
import { selectRows } from '../../src/store/duckdb/connection/sql-rows.ts';
import {
  readAccessions,
  readCurrentOrigins,
  readOrigins,
  readTickersByCik,
} from '../../src/store/duckdb/rows/stored-filings.ts';
import { readDirectory, readListedSymbols } from '../../src/store/duckdb/securities/symbols.ts';
import type { RunDeps } from '../contract/reports.ts';

export type ReadDeps = Pick<RunDeps, 'verb' | 'nowMs' | 'onWaiting'>;

/** Reads from the store, which is upgraded first if it is older; `none` if there is no store. */
export async function readStore<T>(
  paths: ModePaths,
  deps: ReadDeps,
  none: T,
  read: (market: MarketDb) => Promise<T>,
): Promise<T> {
  if (!existsSync(paths.market)) return none;
  using market = await openMarketForWriting(paths, deps);
  return await read(market);
}

export interface Stored {
  /** Newest stored day by symbol. */
  lastDays: Map<string, number>;
  /** Newest day for which the source gave the whole market. */
  wholeMarketDay: number | undefined;
  /** Time of the newest rows in milliseconds, by dataset. */
  rowVintagesMs: Map<string, number>;
  /** Symbols in a directory, with or without bars; ascending. */
  listedSymbols: string[];
}

const NOTHING: Stored = {
  lastDays: new Map(),
  wholeMarketDay: undefined,
  rowVintagesMs: new Map(),
  listedSymbols: [],
};

export function readStored(
  paths: ModePaths,
  { source, interval }: { source: string; interval: Interval },
  deps: ReadDeps,
): Promise<Stored> {
  return readStore(paths, deps, NOTHING, async (market) => ({
    lastDays: await readLastDays(market, source, interval),
    wholeMarketDay: await readWholeMarketDay(market, source, interval),
    rowVintagesMs: await readRowVintages(market, source),
    listedSymbols: await readListedSymbols(market),
  }));
}

export async function readCompanies(paths: ModePaths, deps: ReadDeps): Promise<NamedSecurity[]> {
  const rows = await readStore(paths, deps, [], readDirectory);
  return rows.flatMap(({ symbol, companyName, type, delistedDay }) =>
    companyName !== null && (type === null || type === 'stock') && delistedDay === null
      ? [{ symbol, companyName }]
      : [],
  );
}

/** Reads the end of each company's newest fiscal year with a statement, by symbol. */
export async function readYearEnds(
  paths: ModePaths,
  deps: ReadDeps,
): Promise<Map<string, FiscalYearEnd>> {
  const rows = await readStore(paths, deps, [], ({ connection }) =>
    selectRows<FiscalYearEnd & { symbol: string }>(
      connection,
      `SELECT symbol, (max(date) - DATE '1970-01-01')::INTEGER AS day,
         arg_max(fiscal_year, date)::DOUBLE AS "fiscalYear"
       FROM statements WHERE period = 'annual' AND fiscal_year IS NOT NULL GROUP BY symbol`,
    ),
  );
  return new Map(rows.map(({ symbol, day, fiscalYear }) => [symbol, { day, fiscalYear }]));
}

export function readStoredTickers(
  paths: ModePaths,
  deps: ReadDeps,
): Promise<Map<number, string[]>> {
  return readStore(paths, deps, new Map(), readTickersByCik);
}

export interface StoredDeps extends ReadDeps {
  paths: ModePaths;
}

type ReadStored = (
  source: string,
  options: SourceOptions,
  deps: StoredDeps,
) => Promise<SourceOptions>;

const READERS: Record<NonNullable<VendorFacts['stored']>, ReadStored> = {
  async bars(source, { interval = '1d' }, deps) {
    const stored = await readStored(deps.paths, { source, interval }, deps);
    return {
      lastStoredDays: Object.fromEntries(stored.lastDays),
      wholeMarketDay: stored.wholeMarketDay,
      knownSymbols: stored.listedSymbols,
    };
  },
  async 'bars by source'(_, { symbols = [], interval = '1d' }, deps) {
    const days: Record<string, Record<string, number>> = {};
    for (const source of BAR_SOURCES) {
      const { lastDays } = await readStored(deps.paths, { source, interval }, deps);
      const known = symbols.flatMap((symbol) => {
        const day = lastDays.get(symbol);
        return day === undefined ? [] : [[symbol, day] as const];
      });
      if (known.length > 0) days[source] = Object.fromEntries(known);
    }
    return { storedDaysBySource: days };
  },
  // Articles are matched with the companies of the directory.
  async companies(_, __, deps) {
    return { companies: await readCompanies(deps.paths, deps) };
  },
  // Quarters are counted from the year ends of stored statements.
  async 'year ends'(_, __, deps) {
    return { yearEnds: [...(await readYearEnds(deps.paths, deps))] };
  },
  async tickers(source, { statements }, deps) {
    const tickersByCik = [...(await readStoredTickers(deps.paths, deps))];
    if (!statements) return { tickersByCik };
    const origins = await readStore(deps.paths, deps, new Set<string>(), (market) =>
      readCurrentOrigins(market, source),
    );
    return { tickersByCik, storedFilings: { origins: [...origins], accessions: [] } };
  },
  async notices(_, __, deps) {
    const origins = await readStore(deps.paths, deps, new Set<string>(), (market) =>
      readOrigins(market, ['sec']),
    );
    return { storedFilings: { origins: [...origins], accessions: [] } };
  },
  async filings(_, __, deps) {
    // The vendor's program is imported only for its own runs.
    const { FORM4, FORM4_DATASETS } = await import('../../src/ingest/vendors/form4/files.ts');
    const fromDay = dayFromMillis(deps.nowMs) - form4Limits.askedSinglyDays;
    return readStore<Partial<SourceOptions>>(deps.paths, deps, {}, async (market) => ({
      storedFilings: {
        origins: [...(await readOrigins(market, [FORM4, FORM4_DATASETS]))],
        accessions: [...(await readAccessions(market, FORM4, fromDay))],
      },
      tickersByCik: [...(await readTickersByCik(market))],
    }));
  },
};

/** Adds the stored facts that a source needs to its options. */
export async function withStored(
  name: string,
  options: SourceOptions,
  deps: StoredDeps,
): Promise<SourceOptions> {
  if (options.completeFor?.includes('*')) {
    const completeFor = await readStore(deps.paths, deps, [], readSymbolsWithoutActions);
    return { ...options, completeFor };
  }
  const stored = sourceNamed(name)?.stored;
  // Files of bars have their own names and days.
  if (!stored || (stored === 'bars' && options.path !== undefined)) return options;
  return { ...options, ...(await READERS[stored](name, options, deps)) };
}
