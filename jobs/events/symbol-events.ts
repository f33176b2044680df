/**
 * Events that concern many symbols at once: webhooks that name symbols get one of their own, with
 * nothing but these in it.
 */

import { limits } from '../../src/base/limits/limits.ts';
import type {
  EventData,
  EventType,
  MarketEvent,
} from '../../src/store/sqlite/webhooks/event-record.ts';
import type { Subscription } from '../../src/store/sqlite/webhooks/event-store.ts';
import { eventId } from './event-id.ts';

interface SharedEvent {
  type: EventType;
  /** Tells it from others of its type. */
  key: string;
  occurredAtMs: number;
  /** All that it concerns. */
  symbols: readonly string[];
  /** @param symbols Those that the receiver is told of, at least one. */
  dataOf(symbols: readonly string[]): EventData;
}

/** Nothing where nobody gets it. */
export function symbolEvents(
  { type, key, occurredAtMs, symbols, dataOf }: SharedEvent,
  subscriptions: readonly Subscription[],
): MarketEvent[] {
  if (symbols.length === 0) return [];
  const events: MarketEvent[] = [];
  const subscribed = subscriptions.filter(({ types }) => types.has(type));
  const shared = { type, occurredAtMs };
  if (subscribed.some((subscription) => subscription.symbols === undefined)) {
    // As it concerns no symbol, no webhook that names some gets it.
    const data = dataOf(symbols);
    events.push({ ...shared, id: eventId(type, key), symbols: undefined, data });
  }
  const concerned = new Set(symbols);
  for (const { webhookId, symbols: wanted } of subscribed) {
    // A webhook names few symbols, an event may concern all there are.
    const own = [...(wanted ?? [])].filter((symbol) => concerned.has(symbol)).sort();
    if (own.length === 0) continue;
    const id = eventId(type, key, webhookId);
    events.push({ ...shared, id, symbols: own, data: dataOf(own), webhookId });
  }
  return events;
}

/** As many symbols as one body names, and how many there are. */
export function namedSymbols(symbols: readonly string[]): {
  symbolCount: number;
  symbols: readonly string[];
} {
  return { symbolCount: symbols.length, symbols: symbols.slice(0, limits.events.symbolsMax) };
}
