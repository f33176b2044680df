/** Types of webhooks and of deliveries to them. */

import type { Mode } from '../../../base/config/data-dir.ts';
import type { SymbolExpression } from '../../../base/symbol-expression.ts';
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
  /** Present if `events` has `screener.matched`. */
  screener?: WebhookScreener;
  /** Id of the saved screen that `screener` is from. */
  screen?: string;
}

/** A screener, stored as JSON; a publish, which does not parse queries, reads the other fields. */
export interface WebhookScreener {
  /** Query text of `GET /svc/screener`, as the account wrote it. */
  query: string;
  /** Filters of the query; JSON stores infinite bounds as null. */
  filters: readonly SymbolExpression[];
  /** Expression over bars and companies; undefined: none. */
  where?: string;
  /** Canonical symbols; undefined: all. */
  symbols?: readonly string[];
}

export interface Webhook {
  id: string;
  url: string;
  events: EventType[];
  /** Null: all. */
  symbols: string[] | null;
  description: string | null;
  screener: string | null;
  /** Id of the saved screen that `screener` is from; null without one, or if it was deleted. */
  screen: string | null;
  /** Reason why the screener was not evaluated at the last publish; null if it was. */
  screenerError: string | null;
  /** Date-times are ISO texts. */
  createdAt: string;
  /** Null: it is enabled. */
  disabledAt: string | null;
  /** Null while it is enabled. */
  disabledReason: string | null;
}

/** A webhook with its secret (`whsec_…`), which is shown at creation and rotation only. */
export interface WebhookWithSecret extends Webhook {
  secret: string;
}

/** A webhook whose screener a publish evaluates. */
export interface ScreenerWebhook {
  id: string;
  account: string;
  screener: WebhookScreener;
  /** The saved screen that `screener` is from; null without one, or if it was deleted. */
  screen: { id: string; name: string } | null;
  /** Null: all. */
  symbols: string[] | null;
  /** Symbols that matched at the last publish; undefined: it was never evaluated. */
  matched: string[] | undefined;
  /** Reason why it was not evaluated at the last publish; null if it was. */
  error: string | null;
}

/** Result of evaluating a webhook's screener. */
export interface ScreenerState {
  webhookId: string;
  /** All matches; undefined if they are the stored ones. */
  matched: readonly string[] | undefined;
  /** Reason why it was not evaluated; null if it was, undefined if that is as stored. */
  error: string | null | undefined;
  /** Time of the try, if others have to wait for the next publish; undefined if not. */
  triedMs: number | undefined;
}

export type DeliveryStatus = 'pending' | 'delivered' | 'failed';

/** An event on its way to one webhook. */
export interface Delivery {
  eventId: string;
  type: EventType;
  status: DeliveryStatus;
  /** Number of ended attempts. */
  attempts: number;
  /** Status of the last attempt; null if there was no response, or no attempt yet. */
  responseStatus: number | null;
  /** Reason why the last attempt failed; null otherwise. */
  error: string | null;
  /** Date-times are ISO texts; null if there is none. */
  createdAt: string;
  lastAttemptAt: string | null;
  nextAttemptAt: string | null;
}
