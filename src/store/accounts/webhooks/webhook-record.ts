/** Types of webhooks and of deliveries to them. */

import { z } from 'zod';
import type { Mode } from '../../../base/config/data-dir.ts';
import type { SymbolExpression } from '../../../base/symbol-expression.ts';
import { EVENT_TYPE_NAMES, type EventType } from './event-record.ts';

const isoTime = z.iso.datetime({ precision: 3 });

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

/** An event on its way to one webhook, as it is listed. */
export const deliverySchema = z
  .strictObject({
    eventId: z.string().describe('Sent to receivers as `webhook-id`.'),
    type: z.enum(EVENT_TYPE_NAMES),
    status: z.enum(['pending', 'delivered', 'failed']),
    attempts: z.int().min(0).describe('Finished attempts.'),
    responseStatus: z.int().nullable().describe('Status of the last attempt; null: no response.'),
    error: z.string().nullable().describe('Why the last attempt failed.'),
    createdAt: isoTime,
    lastAttemptAt: isoTime.nullable(),
    nextAttemptAt: isoTime.nullable(),
  })
  .meta({ id: 'Delivery' });

export type Delivery = z.infer<typeof deliverySchema>;

export type DeliveryStatus = Delivery['status'];
