/** Published quotes with known figures, for screens: no bars, which a screen never reads. */

import { MILLIS_PER_DAY } from '../../../src/base/bars.ts';
import type { DirectoryRow } from '../../../src/base/directory-row.ts';
import { defaultColumns } from '../../../src/compute/indicators/catalogue.ts';
import type { Quote } from '../../../src/store/arrow/snapshot/snapshot.ts';
import type { SymbolFacts } from '../../../src/store/arrow/snapshot/symbol-directory.ts';
import { Publication } from '../../../src/store/arrow/write/publication.ts';
import { LAST_DAY, NOW_MS } from './market-fixture.ts';

export interface Company extends Partial<Quote>, Partial<Omit<DirectoryRow, 'symbol'>> {
  symbol: string;
  /** Day of the newest bar; default `LAST_DAY`. */
  day?: number;
}

const HOURS_TO_CLOSE = 21;

function quoteOf({ symbol, day = LAST_DAY, ...company }: Company): Quote {
  const price = company.price ?? 10;
  return {
    symbol,
    price,
    change: null,
    changePct: company.changePct ?? null,
    volume: company.volume ?? 100,
    timestampMs: day * MILLIS_PER_DAY + HOURS_TO_CLOSE * 3_600_000,
    dayHigh: price,
    dayLow: price,
    dayOpen: price,
    previousClose: null,
    marketCap: company.marketCap ?? null,
    rsi14: company.rsi14 ?? null,
    peRatio: company.peRatio ?? null,
    dividendYield: company.dividendYield ?? null,
  };
}

function listingOf(company: Company): DirectoryRow {
  const { symbol, companyName = null, exchange = null, type = null } = company;
  const { country = null, sector = null, industry = null } = company;
  const unknown = { venue: null, cik: null, source: null, firstSeenMs: NOW_MS };
  const history = { securityId: 1, formerTickers: '', delistedDay: null };
  return { symbol, companyName, exchange, type, country, sector, industry, ...unknown, ...history };
}

function factsOf({ symbol }: Company): SymbolFacts {
  return {
    symbol,
    source: 'files',
    basis: 'raw',
    asOfUs: 0n,
    splits: [],
    dividends: [],
    actionCoverage: undefined,
  };
}

/** @param companies In any order; their places are the symbols' numbers. */
export async function publishCompanies(
  folder: string,
  companies: readonly Company[],
  createdMs = NOW_MS,
): Promise<void> {
  const publication = new Publication(folder, {
    indicatorColumns: defaultColumns.map(({ name }) => name),
  });
  await publication.commit({
    seq: 1,
    storeMark: 'fixture',
    createdMs,
    replacesLayers: true,
    currentYear: 2026,
    symbols: companies.map(factsOf),
    quotes: companies.map(quoteOf),
    directory: companies.map(listingOf).sort((a, b) => (a.symbol < b.symbol ? -1 : 1)),
  });
}
