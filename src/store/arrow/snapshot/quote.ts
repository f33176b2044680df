/** Quotes: one as an object, or those of all symbols as columns. */

import {
  NULLABLE_FIELDS,
  type NullableField,
  QUOTE_FIELD_NAMES,
  type QuoteFieldName,
  quoteField,
  STORED_NUMBERS,
} from '../../../base/fields.ts';
import { volumeNumber } from '../../../base/prices/decimals.ts';
import { priceChange } from '../../../base/prices/price-change.ts';
import type { TableData } from '../format/table-file.ts';
import type { QUOTE_TABLE } from '../format/tables.ts';
import type { Quote } from './snapshot.ts';

/** Quotes by symbol number. NaN is null; a row without a price is a symbol without a quote. */
export type QuoteData = TableData<typeof QUOTE_TABLE>;

/** All nullable fields as null: the start of a quote whose figures are computed one by one. */
export const UNKNOWN_FIGURES = Object.fromEntries(
  NULLABLE_FIELDS.map((name) => [name, null]),
) as Record<NullableField, null>;

export function quoteColumns(quotes: readonly (Quote | undefined)[]): QuoteData {
  const columns = blankQuotes(quotes.length);
  quotes.forEach((quote, number) => {
    setQuote(columns, number, quote);
  });
  return columns;
}

/** Returns a copy of `count` rows that may be changed: those beyond `quotes` have no quote. */
export function copyOfQuotes(quotes: QuoteData, count: number): QuoteData {
  const copy = blankQuotes(count);
  for (const name of STORED_NUMBERS) copy[name].set(quotes[name].subarray(0, count));
  copy.timestamp.set(quotes.timestamp.subarray(0, count));
  return copy;
}

function blankQuotes(count: number): QuoteData {
  const numbers = STORED_NUMBERS.map((name) => [name, new Float64Array(count).fill(Number.NaN)]);
  return { ...Object.fromEntries(numbers), timestamp: new BigInt64Array(count) };
}

export function setQuote(columns: QuoteData, row: number, quote: Quote | undefined): void {
  for (const name of STORED_NUMBERS) columns[name][row] = quote?.[name] ?? Number.NaN;
  columns.timestamp[row] = BigInt((quote?.timestampMs ?? 0) * 1000);
}

export function quoteAt(columns: QuoteData, row: number, symbol: string): Quote | undefined {
  if (!(row < columns.price.length) || Number.isNaN(columns.price[row])) return undefined;
  const quote: Record<string, unknown> = {
    symbol,
    timestampMs: Number(columns.timestamp[row]) / 1000,
    change: nullFromNaN(priceChange(columns.price[row], columns.previousClose[row])),
  };
  for (const name of STORED_NUMBERS) {
    const value = columns[name][row];
    quote[name] = quoteField(name).isNullable ? nullFromNaN(value) : value;
  }
  return quote as unknown as Quote;
}

function nullFromNaN(value: number): number | null {
  return Number.isNaN(value) ? null : value;
}

/** Fields of a quote in responses, behind `symbol`. */
export const FIELDS_OF_QUOTE = QUOTE_FIELD_NAMES.filter((name) => quoteField(name).quote);

/**
 * Returns one quote as JSON, the same in responses and events: every field of section 2.15 of the
 * specification, unknown values null.
 */
export function jsonFromQuote(quote: Quote): string {
  const json: Record<string, unknown> = { symbol: quote.symbol };
  for (const name of FIELDS_OF_QUOTE) json[name] = valueInJson(quote, name);
  return JSON.stringify(json);
}

function valueInJson(quote: Quote, name: QuoteFieldName): number | string | null {
  if (name === 'timestamp') return new Date(quote.timestampMs).toISOString();
  return quoteField(name).kind === 'volume' ? volumeNumber(quote[name] as number) : quote[name];
}
