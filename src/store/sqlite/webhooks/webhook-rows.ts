/** From rows of the table `webhooks` to the shapes of a webhook. */

import type { EventType } from './event-record.ts';
import type { ScreenerWebhook, Webhook, WebhookScreener } from './webhook-record.ts';

export interface WebhookTableRow {
  seq: number;
  id: string;
  account: string;
  url: string;
  events: string;
  symbols: string | null;
  description: string | null;
  screener: string | null;
  matched: string | null;
  secret: Uint8Array;
  old_secret: Uint8Array | null;
  old_secret_until: number | null;
  created_at: number;
  disabled_at: number | null;
  disabled_reason: string | null;
}

export function webhookFromRow(row: WebhookTableRow): Webhook {
  return {
    id: row.id,
    url: row.url,
    events: row.events.split(' ') as EventType[],
    symbols: row.symbols === null ? null : row.symbols.split(' '),
    description: row.description,
    screener: row.screener === null ? null : screenerFromText(row.screener).query,
    createdAt: new Date(row.created_at).toISOString(),
    disabledAt: row.disabled_at === null ? null : new Date(row.disabled_at).toISOString(),
    disabledReason: row.disabled_reason,
  };
}

/** @param row One whose `screener` is not null. */
export function screenerFromRow(row: WebhookTableRow): ScreenerWebhook {
  const { id, account, screener, symbols, matched } = row;
  return {
    id,
    account,
    screener: screenerFromText(String(screener)),
    symbols: symbols === null ? null : symbols.split(' '),
    matched: matched === null ? undefined : matched.split(' ').filter((symbol) => symbol !== ''),
  };
}

/** JSON knows no infinity: null stands for it. */
function screenerFromText(text: string): WebhookScreener {
  const { query, conditions }: WebhookScreener = JSON.parse(text);
  const ranges = conditions.ranges.map(({ column, min, max }) => ({
    column,
    min: min ?? Number.NEGATIVE_INFINITY,
    max: max ?? Number.POSITIVE_INFINITY,
  }));
  return { query, conditions: { ...conditions, ranges } };
}
