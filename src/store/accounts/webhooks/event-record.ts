import type { Scope } from '../keys/scopes.ts';

/** A JSON object as it stands in the body of a webhook under `data`. */
export type EventData = { readonly [field: string]: unknown };

interface EventTypeSpec {
  meaning: string;
  /** Scope that the account's plan must include; undefined: none. */
  scope: Scope | undefined;
  /** True if it also goes to webhooks with a list of symbols, though it concerns none. */
  isForAll?: true;
}

/** Event types, in the order in which documents list them. */
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

/** An event whose data are published by the time it is sent. */
export interface MarketEvent {
  /** Text of `evt_`, letters and digits; the same each time the same event is emitted. */
  id: string;
  type: EventType;
  /** Milliseconds since the epoch. */
  occurredAtMs: number;
  /**
   * All canonical symbols that it concerns. Undefined: none, and webhooks with a list of symbols
   * get it only if its type is for all.
   */
  symbols: readonly string[] | undefined;
  data: EventData;
  /** Id of the only webhook that gets it, whatever its subscription. */
  webhookId?: string;
}
