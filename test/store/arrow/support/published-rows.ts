/** Rows of published tables; fields that a test does not name are empty. */

import type { DirectoryRow } from '../../../../src/base/directory-row.ts';
import type { Quote } from '../../../../src/store/arrow/snapshot/snapshot.ts';
import type { SymbolFacts } from '../../../../src/store/arrow/snapshot/symbol-directory.ts';

/** The day opens, peaks and bottoms at the price, unless values say otherwise. */
export function quoteRow(symbol: string, price: number, values: Partial<Quote> = {}): Quote {
  const day = { dayHigh: price, dayLow: price, dayOpen: price, previousClose: null };
  const figures = { marketCap: null, rsi14: null, peRatio: null, dividendYield: null };
  const change = { change: null, changePct: null };
  return { symbol, price, volume: 1, timestampMs: 0, ...change, ...day, ...figures, ...values };
}

export function factsRow(symbol: string, values: Partial<SymbolFacts> = {}): SymbolFacts {
  const actions = { splits: [], dividends: [], actionCoverage: undefined };
  return { symbol, source: 'files', basis: 'raw', asOfUs: 0n, ...actions, ...values };
}

export function directoryRow(symbol: string, values: Partial<DirectoryRow> = {}): DirectoryRow {
  return {
    symbol,
    ...{ companyName: null, exchange: null, venue: null, type: null, cik: null, country: null },
    ...{ sector: null, industry: null, source: null },
    ...{ securityId: 1, formerTickers: '', formerNames: '', delistedDay: null },
    ...{ delistedReason: '', successor: '', parent: '' },
    ...values,
  };
}
