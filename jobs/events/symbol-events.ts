/** Ids of events; events about many symbols: a webhook with a list of symbols gets an event with only these. */

import { createHash } from 'node:crypto';
import { limits } from '../../src/base/limits.ts';
import type {
  EventData,
  EventType,
  MarketEvent,
} from '../../src/store/accounts/webhooks/event-record.ts';
import type { Subscription } from '../../src/store/accounts/webhooks/event-store.ts';

interface SharedEvent {
  type: EventType;
  /** Distinguishes the event from others of its type. */
  key: string;
  occurredAtMs: number;
  symbols: readonly string[];
  dataOf(symbols: readonly string[]): EventData;
}

export function symbolEvents(
  { type, key, occurredAtMs, symbols, dataOf }: SharedEvent,
  subscriptions: readonly Subscription[],
): MarketEvent[] {
  if (symbols.length === 0) return [];
  const events: MarketEvent[] = [];
  const subscribed = subscriptions.filter(({ types }) => types.has(type));
  const shared = { type, occurredAtMs };
  if (subscribed.some((subscription) => subscription.symbols === undefined)) {
    // It has no symbol, so no webhook with a list of symbols gets it.
    const data = dataOf(symbols);
    events.push({ ...shared, id: eventId(type, key), symbols: undefined, data });
  }
  const concerned = new Set(symbols);
  for (const { webhookId, symbols: wanted } of subscribed) {
    // A webhook lists few symbols; an event may have all.
    const own = [...(wanted ?? [])].filter((symbol) => concerned.has(symbol)).sort();
    if (own.length === 0) continue;
    const id = eventId(type, key, webhookId);
    events.push({ ...shared, id, symbols: own, data: dataOf(own), webhookId });
  }
  return events;
}

/** Returns the symbols that fit in one body, and their number in all. */
export function namedSymbols(symbols: readonly string[]): {
  symbolCount: number;
  symbols: readonly string[];
} {
  return { symbolCount: symbols.length, symbols: symbols.slice(0, limits.events.symbolsMax) };
}

const ID_DIGITS = 32;

/** Builds an id from texts that distinguish the event: emitted again, it has the same id. */
export function eventId(...parts: readonly string[]): string {
  const digest = createHash('sha256').update(parts.join('\n')).digest('hex');
  return `evt_${digest.slice(0, ID_DIGITS)}`;
}
