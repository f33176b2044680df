/** Events and their receivers, in the tables `events` and `deliveries`. */

import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { Mode } from '../../../base/config/data-dir.ts';
import { limits } from '../../../base/limits.ts';
import { inTransaction } from '../database/transaction.ts';
import { EVENT_TYPES, type EventType, type MarketEvent } from './event-record.ts';

/** An active webhook and the events that it receives. */
export interface Subscription {
  webhookId: string;
  types: ReadonlySet<string>;
  /** Undefined: all. */
  symbols: ReadonlySet<string> | undefined;
}

interface Subscriber extends Subscription {
  seq: number;
  /** Scopes of the account's tier; undefined: all. */
  scopes: ReadonlySet<string> | undefined;
  isActive: boolean;
}

export function createEventStore(db: DatabaseSync, now: () => number) {
  const selectSubscribers = db.prepare(
    `SELECT webhooks.seq, webhooks.id, events, symbols, accounts.scopes, disabled_at
     FROM webhooks JOIN accounts ON accounts.id = webhooks.account
     WHERE mode = ? AND suspended_at IS NULL
     ORDER BY webhooks.seq`,
  );
  const insertEvent = db.prepare(
    `INSERT INTO events (id, mode, type, body, added_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT DO NOTHING RETURNING seq`,
  );
  const insertDelivery = db.prepare(
    `INSERT INTO deliveries (event, webhook, status, attempts, next_at, created_at)
     VALUES (?, ?, 'pending', 0, ?, ?)`,
  );
  const prune = db.prepare(
    `DELETE FROM events WHERE added_at <= ? AND seq IN (SELECT seq FROM events ORDER BY seq LIMIT ?)`,
  );

  const subscribersOf = (mode: Mode) => selectSubscribers.all(mode).map(subscriberFromRow);

  function add(mode: Mode, events: readonly MarketEvent[], notBeforeMs = 0): number {
    const nowMs = now();
    const { keptMs, pruneRows, waitsS } = limits.webhook;
    const firstMs = Math.max(nowMs, notBeforeMs) + waitsS[0] * 1000;
    prune.run(nowMs - keptMs, pruneRows + events.length);
    const subscribers = subscribersOf(mode);
    let newCount = 0;
    for (const event of events) {
      const receivers = subscribers.filter((subscriber) => isFor(subscriber, event));
      const body = receivers.length === 0 ? null : bodyOf(event);
      const inserted = insertEvent.get(event.id, mode, event.type, body, nowMs);
      if (!inserted) continue;
      newCount++;
      for (const { seq } of receivers) {
        insertDelivery.run(Number(inserted.seq), seq, firstMs, nowMs);
      }
    }
    return newCount;
  }

  return {
    /**
     * Stores events, and a delivery for each active webhook that receives them, in one transaction.
     * Skips events whose id is stored; ids are kept for `limits.webhook.keptMs`.
     *
     * @param notBeforeMs Earliest time of an attempt; default: now.
     * @returns the number of new events.
     */
    addEvents: (mode: Mode, events: readonly MarketEvent[], notBeforeMs?: number): number =>
      inTransaction(db, () => add(mode, events, notBeforeMs)),
    /** Lists active webhooks of a mode, so that no event is made without a receiver. */
    subscriptions: (mode: Mode): Subscription[] =>
      subscribersOf(mode).filter(({ isActive }) => isActive),
  };
}

function subscriberFromRow(row: Record<string, SQLOutputValue>): Subscriber {
  const setOf = (names: SQLOutputValue) =>
    names === null ? undefined : new Set(String(names).split(' '));
  return {
    seq: Number(row.seq),
    webhookId: String(row.id),
    types: new Set(String(row.events).split(' ')),
    symbols: setOf(row.symbols),
    scopes: setOf(row.scopes),
    isActive: row.disabled_at === null,
  };
}

function isFor(subscriber: Subscriber, { type, symbols, webhookId }: MarketEvent): boolean {
  if (!isAllowed(subscriber, type)) return false;
  // A disabled webhook gets only the test that its owner requests.
  if (type === 'webhook.test') return subscriber.webhookId === webhookId;
  if (!subscriber.isActive) return false;
  if (webhookId !== undefined) return subscriber.webhookId === webhookId;
  if (!subscriber.types.has(type)) return false;
  if (subscriber.symbols === undefined) return true;
  const wanted = subscriber.symbols;
  return symbols === undefined ? isForAll(type) : symbols.some((symbol) => wanted.has(symbol));
}

function isForAll(type: EventType): boolean {
  return 'isForAll' in EVENT_TYPES[type];
}

/** Returns true if the tier, which may have changed since, includes the event's scope. */
function isAllowed({ scopes }: Subscriber, type: EventType): boolean {
  const { scope } = EVENT_TYPES[type];
  return scope === undefined || scopes === undefined || scopes.has(scope);
}

/** Returns the body, stored as text so that every attempt sends and signs the same bytes. */
function bodyOf({ id, type, occurredAtMs, data }: MarketEvent): string {
  return JSON.stringify({ id, type, timestamp: new Date(occurredAtMs).toISOString(), data });
}
