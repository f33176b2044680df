/** Quotes as JSON text and as a table. */

import { MICROS_PER_MILLI } from '../bars.ts';
import type { Quote } from '../store/serving/snapshot.ts';
import type { Table } from './table.ts';
import { dateTimeText } from './time-text.ts';

/** One quote with every field of section 2.15 of the specification, unknown values null. */
export function jsonFromQuote(quote: Quote): string {
  return JSON.stringify({
    symbol: quote.symbol,
    price: quote.price,
    change: quote.change,
    changePct: quote.changePct,
    volume: Math.round(quote.volume),
    timestamp: dateTimeText(quote.timestampMs),
    dayHigh: quote.dayHigh,
    dayLow: quote.dayLow,
    dayOpen: quote.dayOpen,
    previousClose: quote.previousClose,
    marketCap: quote.marketCap,
  });
}

type NumberField = Exclude<keyof Quote, 'symbol' | 'timestampMs' | 'volume'>;

export function tableFromQuotes(quotes: readonly Quote[]): Table {
  const values = (field: NumberField | 'volume') =>
    Float64Array.from(quotes, (quote) => quote[field] ?? Number.NaN);
  const number = (name: NumberField) => ({ name, type: 'number', values: values(name) }) as const;
  return [
    { name: 'symbol', type: 'text', values: quotes.map(({ symbol }) => symbol) },
    number('price'),
    number('change'),
    number('changePct'),
    { name: 'volume', type: 'count', values: values('volume') },
    {
      name: 'timestamp',
      type: 'timestamp',
      values: BigInt64Array.from(quotes, ({ timestampMs }) =>
        BigInt(timestampMs * MICROS_PER_MILLI),
      ),
    },
    number('dayHigh'),
    number('dayLow'),
    number('dayOpen'),
    number('previousClose'),
    number('marketCap'),
  ];
}
