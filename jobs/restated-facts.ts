/**
 * Symbols of which a load has only told more of their splits and dividends: for which days they
 * are complete, say. Their series stay as they are; what is known of them and their quotes don't.
 */

import { isDeepStrictEqual } from 'node:util';
import type { MarketDb } from '../src/store/market/open.ts';
import { readActions, readRestated } from '../src/store/market/read-actions.ts';
import type { PublishedVersion } from '../src/store/serving/published-version.ts';
import type { Quote } from '../src/store/serving/snapshot.ts';
import type { SymbolFacts } from '../src/store/serving/symbol-directory.ts';
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
 * What is known of published symbols by now, where it differs.
 *
 * @param symbols Published ones with newer statements, whose days stay as they are.
 */
export async function readRestatedFacts(
  market: MarketDb,
  published: PublishedVersion | undefined,
  symbols: readonly string[],
): Promise<Map<string, SymbolFacts>> {
  const restated = new Map<string, SymbolFacts>();
  if (!published || symbols.length === 0) return restated;
  const actions = await readActions(market, symbols);
  for (const [symbol, { splits, dividends, coverage }] of actions) {
    const before = published.directory.facts(symbol);
    const facts = { ...before, splits, dividends, actionCoverage: coverage };
    if (!isDeepStrictEqual(before, facts)) restated.set(symbol, facts);
  }
  return restated;
}

/** The same quote by what is known now. */
export function restatedQuote(quote: Quote | undefined, facts: SymbolFacts): Quote | undefined {
  if (!quote) return undefined;
  return { ...quote, dividendYield: dividendYield(facts, dayOfQuote(quote), quote.price) };
}
