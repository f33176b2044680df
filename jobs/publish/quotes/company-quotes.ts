/** Sets the figures in quotes that come from filings, last of all. */

import type { Split } from '../../../src/base/bars.ts';
import { dayFromMillis } from '../../../src/base/time/dates.ts';
import { declaredYield, marketCap, peRatio } from '../../../src/compute/companies/company-facts.ts';
import type { Companies } from '../../../src/store/arrow/snapshot/companies-table.ts';
import type { QuoteData } from '../../../src/store/arrow/snapshot/quote.ts';
import type { SymbolFacts } from '../../../src/store/arrow/snapshot/symbol-directory.ts';
import { dividendYield } from './dividend-yield.ts';

/** Symbols of a publish. */
export interface QuotedSymbols {
  /** By symbol number. */
  readonly quotes: QuoteData;
  number(symbol: string): number | undefined;
  splits(symbol: string): readonly Split[];
  /** Returns undefined if splits and dividends are not known. */
  coveredFacts(number: number): SymbolFacts | undefined;
}

/** Kinds of securities whose prices are not those of a company's shares. */
const NOT_SHARES = new Set(['etf', 'etn', 'preferred', 'warrant', 'right', 'unit', 'note']);

/**
 * Sets market caps, price-earnings ratios and dividend yields of all quotes. A yield comes from
 * corporate actions, or from statements if the actions of the year are not known.
 *
 * @returns true if any figure changed.
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
    // A session ends on its own date in UTC.
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
