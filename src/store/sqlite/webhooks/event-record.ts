/** What webhooks tell of: the types of events, and the shape of one. */

import type { Scope } from '../keys/scopes.ts';

/** A JSON object as it stands in the body of a webhook under `data`. */
export type EventData = { readonly [field: string]: unknown };

interface EventTypeSpec {
  /** What the type tells, for people. */
  meaning: string;
  /** What the plan of an account must allow to get it; undefined: nothing. */
  scope: Scope | undefined;
  /** Goes also to webhooks that name symbols, though it concerns none. */
  isForAll?: true;
}

/** One row a type, in the order that documents list them. */
export const EVENT_TYPES = {
  'quote.updated': { meaning: 'quotes have changed', scope: 'quotes:read' },
  'candles.updated': { meaning: 'bars were added or corrected', scope: 'quotes:read' },
  'news.published': { meaning: 'an article', scope: 'news:read' },
  'insider.transaction_created': { meaning: 'a transaction of an insider', scope: 'insider:read' },
  'fundamentals.statement_created': {
    meaning: 'a statement or balance sheet',
    scope: 'fundamentals:read',
  },
  'earnings.updated': { meaning: 'an entry of the earnings calendar', scope: 'earnings:read' },
  'analyst.rating_changed': {
    meaning: 'a rating, a target or a consensus',
    scope: 'analyst:read',
  },
  'screener.matched': {
    meaning: 'symbols that match the screener of the webhook and did not before',
    scope: 'fundamentals:read',
  },
  'data.ready': { meaning: 'a publish is readable', scope: undefined, isForAll: true },
  'ingest.failed': { meaning: 'a run of a source has failed', scope: undefined, isForAll: true },
  'webhook.test': { meaning: 'asked for by the account itself', scope: undefined, isForAll: true },
} as const satisfies Record<string, EventTypeSpec>;

export type EventType = keyof typeof EVENT_TYPES;

export const EVENT_TYPE_NAMES = Object.keys(EVENT_TYPES) as readonly EventType[];

/** Something that has happened, readable by the time it is told. */
export interface MarketEvent {
  /** `evt_` and letters and digits; the same each time the same thing is told. No full stop. */
  id: string;
  type: EventType;
  /** Milliseconds since the epoch. */
  occurredAtMs: number;
  /**
   * Canonical symbols it concerns, all of them, also where `data` names some only; undefined: it
   * concerns none, and webhooks that name symbols get it only if its type is for all.
   */
  symbols: readonly string[] | undefined;
  data: EventData;
  /** Only this webhook gets it, whatever it has subscribed to. */
  webhookId?: string;
}
