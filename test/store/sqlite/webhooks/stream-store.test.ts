/** Rows of streams: shared, renewed, expired; and their events. */

import { beforeEach, expect, it } from 'vitest';
import { limits } from '../../../../src/base/limits.ts';
import { openAccountUpkeep } from '../../../../src/store/sqlite/upkeep.ts';
import type { MarketEvent } from '../../../../src/store/sqlite/webhooks/event-record.ts';
import type { NewStream } from '../../../../src/store/sqlite/webhooks/stream-store.ts';
import { useAccounts } from '../support/open-accounts.ts';

const fixture = useAccounts();
const { leaseMs } = limits.stream;

beforeEach(() => {
  for (const id of ['a', 'b']) fixture.accounts.createAccount({ id, label: id });
});

const READY: NewStream = { account: 'a', mode: 'live', events: ['data.ready', 'news.published'] };

function openOne(stream: Partial<NewStream> = {}): number {
  return fixture.accounts.openStreams([{ ...READY, ...stream }])[0].seq;
}

function emit(id: string, symbols?: string[]): void {
  const event: MarketEvent = {
    ...{ id, type: symbols ? 'news.published' : 'data.ready', occurredAtMs: 0, symbols, data: {} },
  };
  fixture.accounts.addEvents('live', [event]);
}

const idsAfter = (seq: number) =>
  fixture.accounts.streamedAfter('live', seq).events.map(({ id, receivers }) => [id, receivers]);

it('equal streams of an account share a row, in whatever order they name things', () => {
  const first = openOne({ symbols: ['A', 'B'] });
  const events = READY.events.toReversed();
  expect(openOne({ symbols: ['B', 'A'], events })).toBe(first);
  const others = [openOne(), openOne({ account: 'b' }), openOne({ mode: 'sandbox' })];
  expect(new Set([first, ...others]).size).toBe(4);
});

it('an event is stored once, with the streams that get it', () => {
  const all = openOne();
  const some = openOne({ symbols: ['A'] });
  openOne({ mode: 'sandbox' });
  emit('evt_1', ['B']);
  emit('evt_2', ['A', 'B']);
  emit('evt_3');
  emit('evt_3');
  expect(idsAfter(0)).toEqual([
    ['evt_1', ` ${all} `],
    ['evt_2', ` ${all} ${some} `],
    ['evt_3', ` ${all} ${some} `],
  ]);
});

it('is renewed while it lasts; after its end it is another, which had no earlier event', () => {
  const first = openOne();
  emit('evt_1');
  fixture.clock.nowMs += leaseMs - 1;
  expect(fixture.accounts.renewStreams([first])).toEqual([]);
  fixture.clock.nowMs += leaseMs - 1;
  expect(openOne()).toBe(first);
  fixture.clock.nowMs += leaseMs;
  expect(fixture.accounts.renewStreams([first])).toEqual([first]);
  const [again] = fixture.accounts.openStreams([READY]);
  expect(again.seq).not.toBe(first);
  expect(again.fromSeq).toBe(fixture.accounts.streamedSeq('live', 'evt_1'));
});

it('gets nothing while its account is suspended, or when its tier loses the scope', () => {
  openOne();
  fixture.accounts.changeAccount('a', { isSuspended: true });
  emit('evt_1');
  fixture.accounts.changeAccount('a', { isSuspended: false, plan: { scopes: ['quotes:read'] } });
  emit('evt_2', ['A']);
  emit('evt_3');
  expect(idsAfter(0).map(([id]) => id)).toEqual(['evt_3']);
});

it('is no webhook to those who list, read or delete webhooks', () => {
  openOne();
  const [{ webhookId }] = fixture.accounts.subscriptions('live');
  const place = { limit: 10 };
  expect(fixture.accounts.listWebhookPart('a', 'live', place).rows).toEqual([]);
  expect(fixture.accounts.findWebhook('a', 'live', webhookId)).toBeUndefined();
  expect(fixture.accounts.deleteWebhook('a', 'live', webhookId)).toBe(false);
  emit('evt_1');
  expect(fixture.accounts.claimDeliveries(10)).toEqual([]);
});

it('events and streams whose time is over are removed, by maintenance too', () => {
  openOne();
  emit('evt_1');
  fixture.clock.nowMs += leaseMs;
  openOne();
  emit('evt_2');
  expect(idsAfter(0).map(([id]) => id)).toEqual(['evt_2']);
  expect(fixture.accounts.streamedRange()).toEqual({ floor: 1, head: 2 });
  fixture.clock.nowMs += leaseMs;
  using upkeep = openAccountUpkeep(fixture.path, () => fixture.clock.nowMs);
  upkeep.removeOld();
  expect(idsAfter(0)).toEqual([]);
  expect(fixture.accounts.streamedRange()).toEqual({ floor: 2, head: 2 });
  fixture.clock.nowMs -= leaseMs;
  expect(fixture.accounts.subscriptions('live')).toEqual([]);
});
