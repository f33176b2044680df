/**
 * Finds symbols whose facts change while their series stay: their splits and dividends are now
 * complete for more days, or the same adjusted prices have a newer vintage.
 */

import { isDeepStrictEqual } from 'node:util';
import type { PublishedVersion } from '../../../src/store/arrow/read/published-version.ts';
import type { Quote } from '../../../src/store/arrow/snapshot/snapshot.ts';
import type { SymbolFacts } from '../../../src/store/arrow/snapshot/symbol-directory.ts';
import { readActions, readRestated } from '../../../src/store/duckdb/candles/read-actions.ts';
import { readRevintaged, readVintages } from '../../../src/store/duckdb/candles/read-vintages.ts';
import type { MarketDb } from '../../../src/store/duckdb/connection/open.ts';
import { dividendYield } from './dividend-yield.ts';
import { dayOfQuote } from './intraday-quote.ts';

/** Returns published symbols with newer corporate-action records. */
export async function readRestatedSymbols(
  market: MarketDb,
  published: PublishedVersion | undefined,
): Promise<string[]> {
  if (!published) return [];
  const symbols = await readRestated(market, published.manifest.seq);
  return symbols.filter((symbol) => published.directory.number(symbol) !== undefined);
}

/**
 * Returns published symbols whose adjusted daily bars were loaded again, perhaps as of a later
 * date. Their derived series stay, because a series is not adjusted on its own basis.
 */
export async function readRevintagedSymbols(
  market: MarketDb,
  published: PublishedVersion | undefined,
): Promise<string[]> {
  if (!published) return [];
  const symbols = await readRevintaged(market, published.manifest.seq);
  return symbols.filter((symbol) => published.hasDays(symbol));
}

/**
 * Returns the facts of published symbols that differ from the published ones.
 *
 * @param restated   Symbols with newer corporate-action records whose daily bars stay.
 * @param revintaged Symbols whose daily bars stay and may have another vintage.
 */
export async function readRestatedFacts(
  market: MarketDb,
  published: PublishedVersion | undefined,
  restated: readonly string[],
  revintaged: readonly string[],
): Promise<Map<string, SymbolFacts>> {
  const facts = new Map<string, SymbolFacts>();
  if (!published) return facts;
  const factsOf = (symbol: string) => facts.get(symbol) ?? published.directory.facts(symbol);
  if (restated.length > 0) {
    for (const [symbol, { splits, dividends, coverage }] of await readActions(market, restated)) {
      facts.set(symbol, { ...factsOf(symbol), splits, dividends, actionCoverage: coverage });
    }
  }
  if (revintaged.length > 0) {
    for (const [symbol, asOfUs] of await readVintages(market, '1d', revintaged)) {
      facts.set(symbol, { ...factsOf(symbol), asOfUs });
    }
  }
  for (const [symbol, now] of facts) {
    if (isDeepStrictEqual(published.directory.facts(symbol), now)) facts.delete(symbol);
  }
  return facts;
}

/** Returns the quote with its dividend yield by new facts. */
export function restatedQuote(quote: Quote | undefined, facts: SymbolFacts): Quote | undefined {
  if (!quote) return undefined;
  return { ...quote, dividendYield: dividendYield(facts, dayOfQuote(quote), quote.price) };
}
