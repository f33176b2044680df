/**
 * Symbols whose facts change while their series stay: more known splits and dividends, or a newer
 * vintage of the same adjusted prices.
 */

import { isDeepStrictEqual } from 'node:util';
import { markedFacts } from '../../../src/compute/quality/unlikely-dividends.ts';
import type { PublishedVersion } from '../../../src/store/arrow/read/published-version.ts';
import type { SymbolFacts } from '../../../src/store/arrow/snapshot/symbol-directory.ts';
import {
  readActions,
  readRestated as readRestatedSymbols,
} from '../../../src/store/duckdb/candles/read-actions.ts';
import { readRevintaged, readVintages } from '../../../src/store/duckdb/candles/read-vintages.ts';
import type { MarketDb } from '../../../src/store/duckdb/connection/open.ts';

/**
 * Returns published symbols with newer corporate-action records, and the new facts of symbols whose
 * daily bars stay.
 */
export async function readRestated(
  market: MarketDb,
  published: PublishedVersion | undefined,
  hasSameDays: (symbol: string) => boolean,
): Promise<{ restated: string[]; restatedFacts: Map<string, SymbolFacts> }> {
  if (!published) return { restated: [], restatedFacts: new Map() };
  const { directory, manifest } = published;
  const restated = (await readRestatedSymbols(market, manifest.seq)).filter(
    (symbol) => directory.number(symbol) !== undefined,
  );
  const revintaged = (await readRevintaged(market, manifest.seq)).filter(
    (symbol) => published.hasDays(symbol) && hasSameDays(symbol),
  );
  const vintages = revintaged.length > 0 ? await readVintages(market, '1d', revintaged) : new Map();
  const facts = await newFacts(market, published, restated.filter(hasSameDays), vintages);
  for (const [symbol, now] of facts) {
    if (isDeepStrictEqual(directory.facts(symbol), now)) facts.delete(symbol);
  }
  return { restated, restatedFacts: facts };
}

/** Returns the published facts of symbols with newer actions, or with other vintages. */
export async function newFacts(
  market: MarketDb,
  published: PublishedVersion,
  restated: readonly string[],
  vintages: ReadonlyMap<string, bigint>,
): Promise<Map<string, SymbolFacts>> {
  const { directory } = published;
  const facts = new Map<string, SymbolFacts>();
  for (const [symbol, asOfUs] of vintages) {
    facts.set(symbol, { ...directory.facts(symbol), asOfUs });
  }
  if (restated.length === 0) return facts;
  for (const [symbol, { splits, dividends, coverage }] of await readActions(market, restated)) {
    const known = facts.get(symbol) ?? directory.facts(symbol);
    const now = { ...known, splits, dividends, actionCoverage: coverage };
    facts.set(
      symbol,
      published.hasDays(symbol) ? markedFacts(published.bars(symbol, '1d'), now) : now,
    );
  }
  return facts;
}
