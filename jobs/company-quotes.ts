/** Market caps and price-earnings ratios of all quotes: the last step before they are written. */

import type { Split } from '../src/bars.ts';
import { marketCap, peRatio } from '../src/compute/company-facts.ts';
import { dayFromMillis } from '../src/dates.ts';
import type { Companies } from '../src/store/serving/companies-table.ts';
import type { QuoteData } from '../src/store/serving/quote-columns.ts';

/** The symbols of a publish. */
export interface QuotedSymbols {
  /** By symbol number. */
  readonly quotes: QuoteData;
  /** undefined for an unknown symbol. */
  number(symbol: string): number | undefined;
  /** Known splits of a symbol. */
  splits(symbol: string): readonly Split[];
}

/** Kinds of securities whose prices are not those of a company's shares. */
const NOT_SHARES = new Set(['etf', 'etn', 'preferred', 'warrant', 'right', 'unit', 'note']);

/**
 * Sets both figures of every quote anew, as a price, a filing, a split or the kind of a security
 * may have changed.
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
  const { marketCap: caps, peRatio: ratios, price: prices, timestamp: timestamps } = quotes;
  const before = [caps.slice(), ratios.slice()];
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
  }
  return !isSameColumn(before[0], caps) || !isSameColumn(before[1], ratios);
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
