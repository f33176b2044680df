/** A quote as JSON, the same in answers and in events. */

import type { Quote } from './snapshot.ts';

/** One quote with every field of section 2.15 of the specification, unknown values null. */
export function jsonFromQuote(quote: Quote): string {
  return JSON.stringify({
    symbol: quote.symbol,
    price: quote.price,
    change: quote.change,
    changePct: quote.changePct,
    volume: Math.round(quote.volume),
    timestamp: new Date(quote.timestampMs).toISOString(),
    dayHigh: quote.dayHigh,
    dayLow: quote.dayLow,
    dayOpen: quote.dayOpen,
    previousClose: quote.previousClose,
    marketCap: quote.marketCap,
  });
}
