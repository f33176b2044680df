/** Converts rows of the outbox to events, in the form of API responses. */

import type { DatasetRow } from '../../src/base/datasets/dataset.ts';
import { type ListName, ROW_EVENTS } from '../../src/base/datasets/datasets.ts';
import { limits } from '../../src/base/limits.ts';
import type {
  EventData,
  EventType,
  MarketEvent,
} from '../../src/store/accounts/webhooks/event-record.ts';
import type { Subscription } from '../../src/store/accounts/webhooks/event-store.ts';
import type { PublishedVersion } from '../../src/store/arrow/read/published-version.ts';
import type { OutboxRow } from '../../src/store/duckdb/connection/outbox.ts';
import { makeListRows } from '../publish/lists/rows.ts';
import { namedSymbols, symbolEvents } from './symbol-events.ts';

/** Types of events that loads write. */
export const OUTBOX_TYPES: readonly EventType[] = ['candles.updated', ...ROW_EVENTS];

/** Payload that `writeCandlesUpdated` writes. */
interface CandlesPayload {
  source: string;
  interval: string;
  from: number;
  symbols: string[];
}

/** Payload that `writeRowEvents` writes. */
interface RowPayload {
  dataset: ListName;
  row: DatasetRow;
}

/** Builds the events; none for an article that `version` does not serve. */
export function outboxEvents(
  rows: readonly OutboxRow[],
  version: PublishedVersion,
  subscriptions: readonly Subscription[],
): MarketEvent[] {
  return rows.flatMap((row) =>
    row.type === 'candles.updated' ? candleEvents(row, subscriptions) : rowEvent(row, version),
  );
}

function candleEvents(
  { eventId, createdMs, payload }: OutboxRow,
  subscriptions: readonly Subscription[],
): MarketEvent[] {
  const { source, interval, from, symbols } = JSON.parse(payload) as CandlesPayload;
  const shared = { interval, source, from: new Date(from).toISOString() };
  return symbolEvents(
    {
      type: 'candles.updated',
      key: eventId,
      occurredAtMs: createdMs,
      symbols,
      dataOf: (wanted) => ({ ...shared, ...namedSymbols(wanted) }),
    },
    subscriptions,
  );
}

function rowEvent(row: OutboxRow, version: PublishedVersion): MarketEvent[] {
  const { eventId: id, type, createdMs: occurredAtMs, payload } = row;
  const { dataset, row: stored } = JSON.parse(payload) as RowPayload;
  if (dataset === 'news') {
    const article = version.article(String(stored.id));
    if (!article) return [];
    const answered = JSON.parse(article.json) as { symbols: string[] };
    const data = { dataset, row: bounded(answered) };
    return [{ id, type: type as EventType, occurredAtMs, symbols: answered.symbols, data }];
  }
  // A security may have changed its symbol in the same publish.
  const symbol = version.resolve(String(stored.symbol)) ?? String(stored.symbol);
  const answered = JSON.parse(rowJson(dataset, { ...stored, symbol }, version));
  const data = { dataset, symbol, row: bounded(answered) };
  return [{ id, type: type as EventType, occurredAtMs, symbols: [symbol], data }];
}

function rowJson(
  dataset: Exclude<ListName, 'news'>,
  row: DatasetRow,
  version: PublishedVersion,
): string {
  if (dataset === 'analyst-consensus') {
    for (const { json } of version.list(dataset, String(row.symbol)).rows()) return json;
  }
  return makeListRows(dataset, [row], [])[0].json;
}

/** Shortens long texts: receivers may refuse a large body. */
function bounded(row: object): EventData {
  const { textCharsMax } = limits.events;
  return Object.fromEntries(
    Object.entries(row).map(([field, value]) => [
      field,
      typeof value === 'string' && value.length > textCharsMax
        ? `${value.slice(0, textCharsMax)}…`
        : value,
    ]),
  );
}
