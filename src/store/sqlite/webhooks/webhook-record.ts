/** The shapes of a webhook and of a delivery to it. */

import type { Mode } from '../../../base/config/data-dir.ts';
import type { ScreenerConditions } from '../../../compute/screener/conditions.ts';
import type { EventType } from './event-record.ts';

export interface NewWebhook {
  account: string;
  mode: Mode;
  /** Checked by `checkedWebhookUrl`. */
  url: string;
  events: readonly EventType[];
  /** Canonical; undefined: all. */
  symbols?: readonly string[];
  description?: string;
  /** There iff `events` has `screener.matched`. */
  screener?: WebhookScreener;
}

/** Stored as JSON in one column; publishing, which has no parser of queries, reads `conditions`. */
export interface WebhookScreener {
  /** Query text of `GET /svc/screener`, as the account gave it and as it is shown. */
  query: string;
  /** What `screenerQuery` makes of it; its bounds that are infinite are null as JSON. */
  conditions: ScreenerConditions;
}

export interface Webhook {
  id: string;
  url: string;
  events: EventType[];
  /** Null: all. */
  symbols: string[] | null;
  description: string | null;
  screener: string | null;
  /** Date-times are ISO texts. */
  createdAt: string;
  /** Null: it gets events. */
  disabledAt: string | null;
  /** Why; null while it gets events. */
  disabledReason: string | null;
}

/** A webhook with its secret (`whsec_…`), which is shown at creation and rotation only. */
export interface WebhookWithSecret extends Webhook {
  secret: string;
}

/** What a publish needs to tell new matches of a screener. */
export interface ScreenerWebhook {
  id: string;
  account: string;
  screener: WebhookScreener;
  /** Null: all. */
  symbols: string[] | null;
  /** Symbols that matched when it was looked at last; undefined: it never was. */
  matched: string[] | undefined;
}

export type DeliveryStatus = 'pending' | 'delivered' | 'failed';

/** An event on its way to one webhook. */
export interface Delivery {
  eventId: string;
  type: EventType;
  status: DeliveryStatus;
  /** Attempts that have ended. */
  attempts: number;
  /** Of the last attempt; null where it got no answer, or none has ended. */
  responseStatus: number | null;
  /** Why the last attempt failed; null otherwise. */
  error: string | null;
  /** Date-times are ISO texts, null where it never happened or will not. */
  createdAt: string;
  lastAttemptAt: string | null;
  nextAttemptAt: string | null;
}
