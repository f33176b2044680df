/**
 * Symbols of which a load has only told more: for which days their splits and dividends are
 * complete, say, or that the same adjusted prices are of a newer vintage. Their series stay as they
 * are; what is known of them and their quotes don't.
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

/** Published symbols with newer statements of splits and dividends. */
export async function readRestatedSymbols(
  market: MarketDb,
  published: PublishedVersion | undefined,
): Promise<string[]> {
  if (!published) return [];
  const symbols = await readRestated(market, published.manifest.seq);
  return symbols.filter((symbol) => published.directory.number(symbol) !== undefined);
}

/**
 * Published symbols whose adjusted days a load has brought once more, perhaps as of later. What is
 * derived of them stays: nothing is adjusted on its own basis.
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
 * What is known of published symbols by now, where it differs.
 *
 * @param restated   Published ones with newer statements, whose days stay as they are.
 * @param revintaged Those whose days stay as they are, and may be of another vintage.
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

/** The same quote by what is known now. */
export function restatedQuote(quote: Quote | undefined, facts: SymbolFacts): Quote | undefined {
  if (!quote) return undefined;
  return { ...quote, dividendYield: dividendYield(facts, dayOfQuote(quote), quote.price) };
}
