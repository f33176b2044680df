/** Quotes by symbol number, a column per field: what a publish changes and a version answers from. */

import { priceChange } from '../../../base/price-change.ts';
import type { TableData } from '../format/table-file.ts';
import type { QUOTE_TABLE } from '../format/tables.ts';
import type { Quote } from './snapshot.ts';

/** NaN is null; a row without a price is a symbol without a quote. */
export type QuoteData = TableData<typeof QUOTE_TABLE>;

const NUMBERS = [
  'price',
  'changePct',
  'volume',
  'dayHigh',
  'dayLow',
  'dayOpen',
  'previousClose',
  'marketCap',
  'rsi14',
  'peRatio',
  'dividendYield',
] as const satisfies readonly (keyof QuoteData)[];

/** @param quotes By symbol number. */
export function quoteColumns(quotes: readonly (Quote | undefined)[]): QuoteData {
  const columns = blankQuotes(quotes.length);
  quotes.forEach((quote, number) => {
    setQuote(columns, number, quote);
  });
  return columns;
}

/**
 * A copy that may be changed.
 *
 * @param count Of its rows: those beyond `quotes` have no quote.
 */
export function copyOfQuotes(quotes: QuoteData, count: number): QuoteData {
  const copy = blankQuotes(count);
  for (const name of NUMBERS) copy[name].set(quotes[name].subarray(0, count));
  copy.timestamp.set(quotes.timestamp.subarray(0, count));
  return copy;
}

function blankQuotes(count: number): QuoteData {
  const numbers = NUMBERS.map((name) => [name, new Float64Array(count).fill(Number.NaN)]);
  return { ...Object.fromEntries(numbers), timestamp: new BigInt64Array(count) };
}

export function setQuote(columns: QuoteData, row: number, quote: Quote | undefined): void {
  for (const name of NUMBERS) columns[name][row] = quote?.[name] ?? Number.NaN;
  columns.timestamp[row] = BigInt((quote?.timestampMs ?? 0) * 1000);
}

/** @returns undefined for a symbol without a quote. */
export function quoteAt(columns: QuoteData, row: number, symbol: string): Quote | undefined {
  if (!(row < columns.price.length) || Number.isNaN(columns.price[row])) return undefined;
  return {
    symbol,
    price: columns.price[row],
    change: nullFromNaN(priceChange(columns.price[row], columns.previousClose[row])),
    changePct: nullFromNaN(columns.changePct[row]),
    volume: columns.volume[row],
    timestampMs: Number(columns.timestamp[row]) / 1000,
    dayHigh: columns.dayHigh[row],
    dayLow: columns.dayLow[row],
    dayOpen: columns.dayOpen[row],
    previousClose: nullFromNaN(columns.previousClose[row]),
    marketCap: nullFromNaN(columns.marketCap[row]),
    rsi14: nullFromNaN(columns.rsi14[row]),
    peRatio: nullFromNaN(columns.peRatio[row]),
    dividendYield: nullFromNaN(columns.dividendYield[row]),
  };
}

function nullFromNaN(value: number): number | null {
  return Number.isNaN(value) ? null : value;
}
