/** What filings add to all quotes: the last step before they are written. */

import type { Split } from '../../../src/base/bars.ts';
import { dayFromMillis } from '../../../src/base/time/dates.ts';
import { declaredYield, marketCap, peRatio } from '../../../src/compute/companies/company-facts.ts';
import type { Companies } from '../../../src/store/arrow/snapshot/companies-table.ts';
import type { QuoteData } from '../../../src/store/arrow/snapshot/quote.ts';
import type { SymbolFacts } from '../../../src/store/arrow/snapshot/symbol-directory.ts';
import { dividendYield } from './dividend-yield.ts';

/** The symbols of a publish. */
export interface QuotedSymbols {
  /** By symbol number. */
  readonly quotes: QuoteData;
  /** undefined for an unknown symbol. */
  number(symbol: string): number | undefined;
  /** Known splits of a symbol. */
  splits(symbol: string): readonly Split[];
  /** What is known of a symbol whose splits and dividends are known for some days. */
  coveredFacts(number: number): SymbolFacts | undefined;
}

/** Kinds of securities whose prices are not those of a company's shares. */
const NOT_SHARES = new Set(['etf', 'etn', 'preferred', 'warrant', 'right', 'unit', 'note']);

/**
 * Sets market caps and price-earnings ratios of all quotes anew, as a price, a filing, a split or
 * the kind of a security may have changed. Dividend yields are those of corporate actions; where
 * these are not known for the year, of what companies say in their statements.
 *
 * @param listed Kinds by symbol.
 * @returns whether any figure is another one than before.
 */
export function setCompanyFigures(
  symbols: QuotedSymbols,
  companies: Companies,
  listed: ListedTypes,
): boolean {
  const { quotes } = symbols;
  const { marketCap: caps, peRatio: ratios, dividendYield: yields } = quotes;
  const { price: prices, timestamp: timestamps } = quotes;
  const before = [caps.slice(), ratios.slice(), yields.slice()];
  caps.fill(Number.NaN);
  ratios.fill(Number.NaN);
  const without = withoutShares(listed);
  for (const [symbol, facts] of companies) {
    const row = symbols.number(symbol);
    if (row === undefined || Number.isNaN(prices[row]) || without.has(symbol)) continue;
    const known = symbols.splits(symbol);
    const price = prices[row];
    // A session ends on the day, in UTC, that it is of.
    const day = dayFromMillis(Number(timestamps[row]) / 1000);
    caps[row] = marketCap(facts, known, price, day);
    ratios[row] = peRatio(facts, known, price, day);
    if (facts.dividends === null) continue;
    const covered = symbols.coveredFacts(row);
    yields[row] =
      (covered && dividendYield(covered, day, price)) ?? declaredYield(facts, known, price, day);
  }
  return [caps, ratios, yields].some((column, i) => !isSameColumn(before[i], column));
}

/** The directory, as columns. */
export interface ListedTypes {
  symbol: readonly string[];
  type: readonly (string | null)[];
}

function withoutShares({ symbol, type }: ListedTypes): Set<string> {
  return new Set(symbol.filter((_, row) => NOT_SHARES.has(type[row] ?? '')));
}

function isSameColumn(a: Float64Array, b: Float64Array): boolean {
  for (let row = 0; row < a.length; row++) if (!Object.is(a[row], b[row])) return false;
  return true;
}
