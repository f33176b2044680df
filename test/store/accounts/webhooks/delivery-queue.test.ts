import { beforeEach, describe, expect, it } from 'vitest';
import { limits } from '../../../../src/base/limits.ts';
import type {
  ClaimedDelivery,
  SettledAttempt,
} from '../../../../src/store/accounts/webhooks/delivery-queue.ts';
import { useLimits } from '../../../support/use-limits.ts';
import { overDatabases } from '../support/use-accounts.ts';

useLimits(limits.webhook, { accountRunningMax: 8, allRunningMax: 64, freeMin: 32 });

overDatabases((fixture) => {
  beforeEach(async () => {
    await fixture.validKey();
  });

  const { runningMax, leaseMs } = limits.webhook;

  async function webhook(account = 'default'): Promise<string> {
    const { id } = await fixture.accounts.createWebhook({
      account,
      mode: 'live',
      url: 'https://example.com/',
      events: ['data.ready'],
    });
    return id;
  }

  let count = 0;
  async function addEvents(number: number): Promise<void> {
    const events = Array.from({ length: number }, () => ({
      id: `evt_${++count}`,
      type: 'data.ready' as const,
      occurredAtMs: fixture.clock.nowMs,
      symbols: undefined,
      data: {},
    }));
    await fixture.accounts.addEvents('live', events);
  }

  const claim = (max = 1000): Promise<ClaimedDelivery[]> => fixture.accounts.claimDeliveries(max);

  /** Counts the claimed deliveries of each webhook. */
  function countsOf(claimed: ClaimedDelivery[]): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const { webhookId } of claimed) counts[webhookId] = (counts[webhookId] ?? 0) + 1;
    return counts;
  }

  const delivered: SettledAttempt = {
    ...{ status: 'delivered', attempts: 1, responseStatus: 200, error: null, nextMs: null },
  };

  function failedUntil(nextMs: number): SettledAttempt {
    return { ...delivered, status: 'pending', responseStatus: 500, error: 'answered 500', nextMs };
  }

  it('gives the oldest of each webhook, so many at once and not more', async () => {
    const [first, second] = [await webhook(), await webhook()];
    await addEvents(10);
    const claimed = await claim();
    expect(countsOf(claimed)).toEqual({ [first]: runningMax, [second]: runningMax });
    const oldest = Array.from({ length: runningMax }, (_, i) => `evt_${count - 9 + i}`);
    const ids = claimed.filter(({ webhookId }) => webhookId === first).map((c) => c.eventId);
    expect(ids).toEqual(oldest);
    expect(await claim()).toEqual([]);
    await fixture.accounts.settleDelivery(claimed[0], delivered);
    expect((await claim()).map(({ eventId }) => eventId)).toEqual([`evt_${count - 5}`]);
  });

  it('gives one at a time of a webhook that fails, until one is delivered', async () => {
    const id = await webhook();
    await addEvents(8);
    const [first, ...others] = await claim();
    const soon = fixture.clock.nowMs + 5000;
    await fixture.accounts.settleDelivery(first, failedUntil(soon));
    for (const other of others.slice(1))
      await fixture.accounts.settleDelivery(other, failedUntil(soon));
    expect(await claim()).toEqual([]);
    await fixture.accounts.settleDelivery(others[0], failedUntil(soon));
    const [only, ...more] = await claim();
    expect([only.webhookId, more]).toEqual([id, []]);
    await fixture.accounts.settleDelivery(only, delivered);
    expect(await claim()).toHaveLength(3);
  });

  it('bounds what runs of an account, but for the first of each webhook', async () => {
    await fixture.accounts.createAccount({ id: 'other', label: 'x' });
    for (let i = 0; i < 6; i++) await webhook();
    const theirs = await webhook('other');
    await addEvents(4);
    const counts = countsOf(await claim());
    expect(counts[theirs]).toBe(4);
    const total = Object.values(counts).reduce((sum, n) => sum + n, 0);
    // Two webhooks take what the account may have, and four their first attempt.
    expect(total).toBe(limits.webhook.accountRunningMax + 4 + 4);
  });

  it('claims first for webhooks with fewer running attempts, if not all can be claimed', async () => {
    const busy = await webhook();
    await addEvents(4);
    expect(await claim(2)).toHaveLength(2);
    const idle = await webhook();
    await addEvents(1);
    expect((await claim(1)).map(({ webhookId }) => webhookId)).toEqual([idle]);
    expect((await claim(1)).map(({ webhookId }) => webhookId)).toEqual([busy]);
  });

  it('a lease that has ended settles nothing once another has claimed', async () => {
    const id = await webhook();
    await addEvents(1);
    const [late] = await claim();
    fixture.clock.nowMs += leaseMs - 1;
    expect(await claim()).toEqual([]);
    fixture.clock.nowMs += 1;
    const [next] = await claim();
    expect([next.seq, next.attempts]).toEqual([late.seq, 0]);
    expect(next.lease).not.toBe(late.lease);
    expect(await fixture.accounts.settleDelivery(late, failedUntil(fixture.clock.nowMs))).toBe(
      false,
    );
    expect(await fixture.accounts.settleDelivery(next, delivered)).toBe(true);
    const { rows } = await fixture.accounts.listDeliveryPart(id, { limit: 1 });
    expect(rows[0].status).toBe('delivered');
  });

  it('a webhook that rests is given nothing, and others are', async () => {
    const resting = await webhook();
    await addEvents(1);
    const { nowMs } = fixture.clock;
    await fixture.accounts.settleDelivery((await claim())[0], {
      ...failedUntil(nowMs + 1000),
      restUntilMs: nowMs + 30_000,
    });
    const other = await webhook();
    await addEvents(1);
    fixture.clock.nowMs = nowMs + 29_999;
    expect(Object.keys(countsOf(await claim()))).toEqual([other]);
    fixture.clock.nowMs = nowMs + 30_000;
    expect(Object.keys(countsOf(await claim()))).toEqual([resting]);
  });

  it('an attempt that ends after the webhook was disabled is the last one', async () => {
    const id = await webhook();
    await addEvents(2);
    const [gone, other] = await claim();
    const failed = { ...delivered, status: 'failed', responseStatus: 410, error: 'x' } as const;
    await fixture.accounts.settleDelivery(gone, { ...failed, disabledReason: 'gone' });
    await fixture.accounts.settleDelivery(other, failedUntil(fixture.clock.nowMs + 5000));
    const { rows } = await fixture.accounts.listDeliveryPart(id, { limit: 2 });
    expect(rows.map(({ status, nextAttemptAt }) => [status, nextAttemptAt])).toEqual([
      ['failed', null],
      ['failed', null],
    ]);
  });

  it('keeps places for accounts within their bound, however many hooks of others hang', async () => {
    for (const account of ['a', 'b', 'c']) {
      await fixture.accounts.createAccount({ id: account, label: 'x' });
      for (let i = 0; i < 14; i++) await webhook(account);
    }
    await addEvents(1);
    const { allRunningMax, accountRunningMax } = limits.webhook;
    const taken = await claim(allRunningMax);
    // Two beyond their bound; the third one is within it, and finds no more than that left.
    expect(taken).toHaveLength(14 + 14 + accountRunningMax);
    expect(await claim(allRunningMax - taken.length)).toEqual([]);
    await fixture.accounts.createAccount({ id: 'd', label: 'x' });
    const honest = await webhook('d');
    await addEvents(1);
    const next = await claim(allRunningMax - taken.length);
    expect(next.map(({ webhookId }) => webhookId)).toEqual([honest]);
  });

  describe('what is next', () => {
    const next = () => fixture.accounts.nextDeliveryMs();

    it('is nothing, what is due, or the time of the next attempt', async () => {
      expect(await next()).toBeUndefined();
      await webhook();
      expect(await next()).toBeUndefined();
      await addEvents(1);
      expect(await next()).toBe(fixture.clock.nowMs);
      const [only] = await claim();
      // Under way, it is awaited no more until its lease ends.
      expect(await next()).toBeUndefined();
      await fixture.accounts.settleDelivery(only, failedUntil(fixture.clock.nowMs + 5000));
      expect(await next()).toBe(fixture.clock.nowMs + 5000);
    });

    it('comes back by itself when the process that has it dies', async () => {
      await webhook();
      await addEvents(1);
      await claim();
      fixture.clock.nowMs += leaseMs;
      expect(await next()).toBe(fixture.clock.nowMs);
    });

    it('is not what a busy webhook has to wait for', async () => {
      await webhook();
      await addEvents(runningMax + 3);
      expect(await claim()).toHaveLength(runningMax);
      expect(await next()).toBeUndefined();
    });
  });

  it('gives only what is late to those who help', async () => {
    await webhook();
    await addEvents(1);
    const late = async () => await fixture.accounts.claimDeliveries(10, 5000);
    expect(await late()).toEqual([]);
    fixture.clock.nowMs += 4999;
    expect(await late()).toEqual([]);
    fixture.clock.nowMs += 1;
    expect(await late()).toHaveLength(1);
  });
});
