/** `quote.updated`: the quotes that differ between two versions. */

import { limits } from '../../src/base/limits/limits.ts';
import type { PublishedVersion } from '../../src/store/arrow/read/published-version.ts';
import type { QuoteData } from '../../src/store/arrow/snapshot/quote.ts';
import { jsonFromQuote } from '../../src/store/arrow/snapshot/quote.ts';
import type { MarketEvent } from '../../src/store/sqlite/webhooks/event-record.ts';
import type { Subscription } from '../../src/store/sqlite/webhooks/event-store.ts';
import { namedSymbols, symbolEvents } from './symbol-events.ts';
import type { ToldVersion } from './told-version.ts';

/** What answers show of a quote, apart from what follows from these. */
const SHOWN = [
  'price',
  'changePct',
  'volume',
  'timestamp',
  'dayHigh',
  'dayLow',
  'dayOpen',
  'previousClose',
  'marketCap',
] as const satisfies readonly (keyof QuoteData)[];

export function quoteEvents(
  version: PublishedVersion,
  told: ToldVersion | undefined,
  subscriptions: readonly Subscription[],
): MarketEvent[] {
  return symbolEvents(
    {
      type: 'quote.updated',
      key: version.id,
      occurredAtMs: version.createdMs,
      symbols: changedQuotes(version, told),
      dataOf: (symbols) => ({
        ...namedSymbols(symbols),
        quotes: symbols
          .slice(0, limits.events.rowsMax)
          .map((symbol) => JSON.parse(jsonFromQuote(version.quote(symbol)!))),
      }),
    },
    subscriptions,
  );
}

/** Symbols whose quote is new or shows another value, ascending. */
export function changedQuotes(
  { directory, quotes }: Pick<PublishedVersion, 'directory' | 'quotes'>,
  told: ToldVersion | undefined,
): string[] {
  const { names } = directory;
  const numberOf = numbersIn(told);
  const changed: string[] = [];
  for (let number = 0; number < names.length; number++) {
    if (Number.isNaN(quotes.price[number]) || names[number] === '') continue;
    const before = told?.names[number] === names[number] ? number : numberOf(names[number]);
    const isSame =
      told !== undefined &&
      before !== undefined &&
      SHOWN.every((field) => Object.is(quotes[field][number], told.quotes[field][before]));
    if (!isSame) changed.push(names[number]);
  }
  return changed.sort();
}

/** Symbols keep their numbers until a fold, so that the few others are looked up when one is met. */
function numbersIn(told: ToldVersion | undefined): (name: string) => number | undefined {
  let numbers: Map<string, number> | undefined;
  return (name) => {
    numbers ??= new Map(told?.names.map((known, number) => [known, number]));
    return numbers.get(name);
  };
}
