/** Events and their receivers, in the tables `events`, `deliveries` and `streamed`. */

import type { Mode } from '../../../base/config/data-dir.ts';
import { limits } from '../../../base/limits.ts';
import type { Sql } from '../database/sql.ts';
import { EVENT_TYPES, type EventType, type MarketEvent } from './event-record.ts';

/** An active webhook, or a stream, and the events that it receives. */
export interface Subscription {
  webhookId: string;
  types: ReadonlySet<string>;
  /** Undefined: all. */
  symbols: ReadonlySet<string> | undefined;
}

interface Subscriber extends Subscription {
  seq: number;
  /** Scopes of the account's plan; undefined: all. */
  scopes: ReadonlySet<string> | undefined;
  isActive: boolean;
  isStream: boolean;
}

export function createEventStore(sql: Sql, now: () => number) {
  const selectSubscribers = `SELECT webhooks.seq, webhooks.id, events, symbols, accounts.scopes, disabled_at, stream_until
     FROM webhooks JOIN accounts ON accounts.id = webhooks.account
     WHERE mode = ? AND suspended_at IS NULL AND (stream_until IS NULL OR stream_until > ?)
     ORDER BY webhooks.seq`;
  const insertEvent = `INSERT INTO events (id, mode, type, body, added_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT DO NOTHING RETURNING seq`;
  const insertDelivery = `INSERT INTO deliveries (event, webhook, status, attempts, next_at, created_at)
     VALUES (?, ?, 'pending', 0, ?, ?)`;
  const prune = `DELETE FROM events WHERE added_at <= ? AND seq IN (SELECT seq FROM events ORDER BY seq LIMIT ?)`;

  const insertStreamed = `INSERT INTO streamed (id, mode, type, body, receivers, readable_at) VALUES (?, ?, ?, ?, ?, ?)`;
  const pruneStreamed = `DELETE FROM streamed WHERE seq <= (SELECT max(seq) FROM streamed) - ?
       OR readable_at <= ? AND seq IN (SELECT seq FROM streamed ORDER BY seq LIMIT ?)`;

  const subscribersOf = async (tx: Sql, mode: Mode) =>
    (await tx.all<SubscriberRow>(selectSubscribers, mode, now())).map(subscriberFromRow);

  /** Removes what is too old, so that no table grows while no maintenance runs. */
  async function removeOld(tx: Sql, nowMs: number, added: number): Promise<void> {
    const { keptMs, pruneRows } = limits.webhook;
    await tx.run(prune, nowMs - keptMs, pruneRows + added);
    const { rowsMax, leaseMs } = limits.stream;
    await tx.run(pruneStreamed, rowsMax, nowMs - leaseMs, pruneRows + added);
  }

  async function add(
    tx: Sql,
    mode: Mode,
    events: readonly MarketEvent[],
    notBeforeMs = 0,
  ): Promise<number> {
    const nowMs = now();
    const readableMs = Math.max(nowMs, notBeforeMs);
    const firstMs = readableMs + limits.webhook.waitsS[0] * 1000;
    await removeOld(tx, nowMs, events.length);
    const subscribers = await subscribersOf(tx, mode);
    let newCount = 0;
    for (const event of events) {
      const receivers = subscribers.filter((subscriber) => isFor(subscriber, event));
      const streams = receivers.filter(({ isStream }) => isStream);
      const body = receivers.length === 0 ? null : bodyOf(event);
      const delivered = streams.length === receivers.length ? null : body;
      const { id, type } = event;
      const values = [id, mode, type, delivered, nowMs];
      const inserted = await tx.get<{ seq: number }>(insertEvent, ...values);
      if (!inserted) continue;
      newCount++;
      for (const { seq, isStream } of receivers) {
        if (!isStream) await tx.run(insertDelivery, inserted.seq, seq, firstMs, nowMs);
      }
      if (streams.length === 0) continue;
      const seqs = ` ${streams.map(({ seq }) => seq).join(' ')} `;
      await tx.run(insertStreamed, id, mode, type, body, seqs, readableMs);
    }
    return newCount;
  }

  return {
    /**
     * Stores events, and a delivery for each active webhook that receives them, in one transaction.
     * Events of streams are stored once for all of them.
     * Skips events whose id is stored; ids are kept for `limits.webhook.keptMs`.
     *
     * @param notBeforeMs Earliest time of an attempt; default: now.
     * @returns the number of new events.
     */
    addEvents: (
      mode: Mode,
      events: readonly MarketEvent[],
      notBeforeMs?: number,
    ): Promise<number> =>
      sql.transaction((tx) => add(tx, mode, events, notBeforeMs), { lock: 'events' }),
    /** Lists active webhooks and streams of a mode, so that no event is made without a receiver. */
    subscriptions: async (mode: Mode): Promise<Subscription[]> =>
      (await subscribersOf(sql, mode)).filter(({ isActive }) => isActive),
  };
}

interface SubscriberRow {
  seq: number;
  id: string;
  events: string;
  symbols: string | null;
  scopes: string | null;
  disabled_at: number | null;
  stream_until: number | null;
}

function subscriberFromRow(row: SubscriberRow): Subscriber {
  const setOf = (names: string | null) => (names === null ? undefined : new Set(names.split(' ')));
  return {
    seq: row.seq,
    webhookId: row.id,
    types: new Set(row.events.split(' ')),
    symbols: setOf(row.symbols),
    scopes: setOf(row.scopes),
    isActive: row.disabled_at === null,
    isStream: row.stream_until !== null,
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

/** Returns true if the plan, which may have changed since, includes the event's scope. */
function isAllowed({ scopes }: Subscriber, type: EventType): boolean {
  const { scope } = EVENT_TYPES[type];
  return scope === undefined || scopes === undefined || scopes.has(scope);
}

/** Returns the body, stored as text so that every attempt sends and signs the same bytes. */
function bodyOf({ id, type, occurredAtMs, data }: MarketEvent): string {
  return JSON.stringify({ id, type, timestamp: new Date(occurredAtMs).toISOString(), data });
}
