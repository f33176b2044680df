/** `quote.updated`: the quotes that differ between two versions. */

import { limits } from '../../src/base/limits.ts';
import type { MarketEvent } from '../../src/store/accounts/webhooks/event-record.ts';
import type { Subscription } from '../../src/store/accounts/webhooks/event-store.ts';
import type { PublishedVersion } from '../../src/store/arrow/read/published-version.ts';
import type { QuoteData } from '../../src/store/arrow/snapshot/quote.ts';
import { jsonFromQuote } from '../../src/store/arrow/snapshot/quote.ts';
import type { EmittedVersion } from './emitted-version.ts';
import { namedSymbols, symbolEvents } from './symbol-events.ts';

/** Fields of a quote that responses show, without those that follow from them. */
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
  emitted: EmittedVersion | undefined,
  subscriptions: readonly Subscription[],
): MarketEvent[] {
  return symbolEvents(
    {
      type: 'quote.updated',
      key: version.id,
      occurredAtMs: version.createdMs,
      symbols: changedQuotes(version, emitted),
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

/** Lists symbols whose quote is new or changed, ascending. */
export function changedQuotes(
  { directory, quotes }: Pick<PublishedVersion, 'directory' | 'quotes'>,
  emitted: EmittedVersion | undefined,
): string[] {
  const { names } = directory;
  const numberOf = numbersIn(emitted);
  const changed: string[] = [];
  for (let number = 0; number < names.length; number++) {
    if (Number.isNaN(quotes.price[number]) || names[number] === '') continue;
    const before = emitted?.names[number] === names[number] ? number : numberOf(names[number]);
    const isSame =
      emitted !== undefined &&
      before !== undefined &&
      SHOWN.every((field) => Object.is(quotes[field][number], emitted.quotes[field][before]));
    if (!isSame) changed.push(names[number]);
  }
  return changed.sort();
}

/** Looks up numbers by name. Only few symbols need it: numbers change in compactions only. */
function numbersIn(emitted: EmittedVersion | undefined): (name: string) => number | undefined {
  let numbers: Map<string, number> | undefined;
  return (name) => {
    numbers ??= new Map(emitted?.names.map((known, number) => [known, number]));
    return numbers.get(name);
  };
}
