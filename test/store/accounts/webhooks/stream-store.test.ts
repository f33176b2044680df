/** Rows of streams: shared, renewed, expired; and their events. */

import { beforeEach, expect, it } from 'vitest';
import { limits } from '../../../../src/base/limits.ts';
import type { MarketEvent } from '../../../../src/store/accounts/webhooks/event-record.ts';
import type { NewStream } from '../../../../src/store/accounts/webhooks/stream-store.ts';
import { scaled } from '../../../faults/scale.ts';
import { overDatabases } from '../support/use-accounts.ts';

overDatabases((fixture) => {
  const { leaseMs } = limits.stream;

  beforeEach(async () => {
    for (const id of ['a', 'b']) await fixture.accounts.createAccount({ id, label: id });
  });

  const READY: NewStream = { account: 'a', mode: 'live', events: ['data.ready', 'news.published'] };

  async function openOne(stream: Partial<NewStream> = {}): Promise<number> {
    return (await fixture.accounts.openStreams([{ ...READY, ...stream }]))[0].seq;
  }

  async function emit(id: string, symbols?: string[]): Promise<void> {
    const type = symbols ? 'news.published' : 'data.ready';
    const event: MarketEvent = { id, type, occurredAtMs: 0, symbols, data: {} };
    await fixture.accounts.addEvents('live', [event]);
  }

  const idsAfter = async (seq: number) =>
    (await fixture.accounts.streamedAfter('live', seq)).events.map(({ id, receivers }) => [
      id,
      receivers,
    ]);

  it('equal streams of an account share a row, in whatever order they name things', async () => {
    const first = await openOne({ symbols: ['A', 'B'] });
    const events = READY.events.toReversed();
    expect(await openOne({ symbols: ['B', 'A'], events })).toBe(first);
    const others = [
      await openOne(),
      await openOne({ account: 'b' }),
      await openOne({ mode: 'sandbox' }),
    ];
    expect(new Set([first, ...others]).size).toBe(4);
  });

  it('an event is stored once, with the streams that get it', async () => {
    const all = await openOne();
    const some = await openOne({ symbols: ['A'] });
    await openOne({ mode: 'sandbox' });
    await emit('evt_1', ['B']);
    await emit('evt_2', ['A', 'B']);
    await emit('evt_3');
    await emit('evt_3');
    expect(await idsAfter(0)).toEqual([
      ['evt_1', ` ${all} `],
      ['evt_2', ` ${all} ${some} `],
      ['evt_3', ` ${all} ${some} `],
    ]);
  });

  it('is renewed while it lasts; after its end it is another, which had no earlier event', async () => {
    const first = await openOne();
    await emit('evt_1');
    fixture.clock.nowMs += leaseMs - 1;
    expect(await fixture.accounts.renewStreams([first])).toEqual([]);
    fixture.clock.nowMs += leaseMs - 1;
    expect(await openOne()).toBe(first);
    fixture.clock.nowMs += leaseMs;
    expect(await fixture.accounts.renewStreams([first])).toEqual([first]);
    const [again] = await fixture.accounts.openStreams([READY]);
    expect(again.seq).not.toBe(first);
    expect(again.fromSeq).toBe(await fixture.accounts.streamedSeq('live', 'evt_1'));
  });

  it('gets nothing while its account is suspended, or when its plan loses the scope', async () => {
    await openOne();
    await fixture.accounts.changeAccount('a', { isSuspended: true });
    await emit('evt_1');
    await fixture.accounts.changeAccount('a', {
      isSuspended: false,
      plan: { scopes: ['quotes:read'] },
    });
    await emit('evt_2', ['A']);
    await emit('evt_3');
    expect((await idsAfter(0)).map(([id]) => id)).toEqual(['evt_3']);
  });

  it('is no webhook to those who list, read or delete webhooks', async () => {
    await openOne();
    const [{ webhookId }] = await fixture.accounts.subscriptions('live');
    const place = { limit: 10 };
    expect((await fixture.accounts.listWebhookPart('a', 'live', place)).rows).toEqual([]);
    expect(await fixture.accounts.findWebhook('a', 'live', webhookId)).toBeUndefined();
    expect(await fixture.accounts.deleteWebhook('a', 'live', webhookId)).toBe(false);
    await emit('evt_1');
    expect(await fixture.accounts.claimDeliveries(10)).toEqual([]);
  });

  it('events and streams whose time is over are removed, by maintenance too', async () => {
    await openOne();
    await emit('evt_1');
    fixture.clock.nowMs += leaseMs;
    await openOne();
    await emit('evt_2');
    expect((await idsAfter(0)).map(([id]) => id)).toEqual(['evt_2']);
    expect(await fixture.accounts.streamedRange()).toEqual({ floor: 1, head: 2 });
    fixture.clock.nowMs += leaseMs;
    await fixture.accounts.removeOld();
    expect(await idsAfter(0)).toEqual([]);
    expect(await fixture.accounts.streamedRange()).toEqual({ floor: 2, head: 2 });
    fixture.clock.nowMs -= leaseMs;
    expect(await fixture.accounts.subscriptions('live')).toEqual([]);
  });

  it('the first event is in the range that is read while it is stored', async () => {
    for (let i = 0; i < scaled(10, 100); i++) {
      await openOne();
      const { head: before } = await fixture.accounts.streamedRange();
      const emitted = emit(`evt_${i}`);
      const ranges = [];
      for (let looks = 0; looks < 8; looks++) ranges.push(fixture.accounts.streamedRange());
      await emitted;
      for (const { floor } of await Promise.all(ranges)) expect(floor).toBe(before);
      fixture.clock.nowMs += leaseMs;
      await fixture.accounts.removeOld();
    }
  });
});
