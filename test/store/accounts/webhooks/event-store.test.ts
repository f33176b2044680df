import { beforeEach, describe, expect, it } from 'vitest';
import type { MarketEvent } from '../../../../src/store/accounts/webhooks/event-record.ts';
import type {
  NewWebhook,
  WebhookScreener,
} from '../../../../src/store/accounts/webhooks/webhook-record.ts';
import { overDatabases, START_MS } from '../support/use-accounts.ts';

overDatabases((fixture) => {
  const DAY_MS = 86_400_000;

  beforeEach(async () => {
    await fixture.validKey();
  });

  async function webhook(changes: Partial<NewWebhook> = {}): Promise<string> {
    const { id } = await fixture.accounts.createWebhook({
      account: 'default',
      mode: 'live',
      url: 'https://example.com/',
      events: ['news.published'],
      ...changes,
    });
    return id;
  }

  let count = 0;
  function event(changes: Partial<MarketEvent> = {}): MarketEvent {
    return {
      id: `evt_${++count}`,
      type: 'news.published',
      occurredAtMs: START_MS,
      symbols: ['AAPL', 'MSFT'],
      data: { row: {} },
      ...changes,
    };
  }

  const add = (...events: MarketEvent[]) => fixture.accounts.addEvents('live', events);

  /** Ids of the events that a webhook gets, oldest first. */
  async function idsOf(id: string): Promise<string[]> {
    const { rows } = await fixture.accounts.listDeliveryPart(id, { limit: 100 });
    return rows.map(({ eventId }) => eventId).reverse();
  }

  async function storedEvents(): Promise<number> {
    const [{ total }] = await fixture.query('SELECT count(*) AS total FROM events');
    return Number(total);
  }

  describe('an event', () => {
    it('goes to the webhooks that asked for its type, in its mode', async () => {
      const news = await webhook();
      const both = await webhook({ events: ['data.ready', 'news.published'] });
      const other = await webhook({ events: ['quote.updated'] });
      const sandbox = await webhook({ mode: 'sandbox' });
      const told = event();
      expect(await add(told)).toBe(1);
      expect(await Promise.all([news, both, other, sandbox].map(idsOf))).toEqual([
        [told.id],
        [told.id],
        [],
        [],
      ]);
    });

    it('that is stored already changes nothing, also for new webhooks', async () => {
      const told = event();
      expect(await add(told)).toBe(1);
      const late = await webhook();
      expect(await add(told, event())).toBe(1);
      expect(await idsOf(late)).toHaveLength(1);
      expect(await fixture.accounts.addEvents('sandbox', [told])).toBe(1);
    });

    it('of symbols goes to webhooks that named one of them, or none', async () => {
      const all = await webhook();
      const apple = await webhook({ symbols: ['AAPL', 'IBM'] });
      const ibm = await webhook({ symbols: ['IBM'] });
      const [both, none] = [event(), event({ symbols: [] })];
      await add(both, none);
      expect(await Promise.all([all, apple, ibm].map(idsOf))).toEqual([
        [both.id, none.id],
        [both.id],
        [],
      ]);
    });

    it('of no symbol goes to webhooks that named some only if its type is for all', async () => {
      const events = ['news.published', 'data.ready', 'ingest.failed'] as const;
      const ibm = await webhook({ symbols: ['IBM'], events });
      const ready = event({ type: 'data.ready', symbols: undefined });
      const failed = event({ type: 'ingest.failed', symbols: undefined });
      await add(event({ symbols: undefined }), ready, failed);
      expect(await idsOf(ibm)).toEqual([ready.id, failed.id]);
    });

    it('for one webhook goes to no other', async () => {
      const [mine, theirs] = [
        await webhook(),
        await webhook({ events: ['news.published', 'webhook.test'] }),
      ];
      const own = event({ webhookId: mine });
      const test = event({ type: 'webhook.test', symbols: undefined, webhookId: mine });
      await add(own, test);
      expect(await Promise.all([mine, theirs].map(idsOf))).toEqual([[own.id, test.id], []]);
    });

    it('does not go to accounts that are suspended, or whose plan does not include it', async () => {
      const { accounts } = fixture;
      for (const id of ['small', 'late']) await accounts.createAccount({ id, label: id });
      const small = await webhook({ account: 'small', events: ['news.published', 'data.ready'] });
      const late = await webhook({ account: 'late' });
      await accounts.changeAccount('small', { plan: { scopes: ['quotes:read'] } });
      await accounts.changeAccount('late', { isSuspended: true });
      const ready = event({ type: 'data.ready', symbols: undefined });
      await add(event(), ready);
      expect(await Promise.all([small, late].map(idsOf))).toEqual([[ready.id], []]);
    });

    it('is known for a week, and its deliveries are', async () => {
      const id = await webhook();
      const old = event();
      await add(old, event());
      fixture.clock.nowMs += 7 * DAY_MS - 1;
      expect(await add(old)).toBe(0);
      expect(await storedEvents()).toBe(2);
      fixture.clock.nowMs += 1;
      expect(await add(old)).toBe(1);
      expect(await storedEvents()).toBe(1);
      expect(await idsOf(id)).toEqual([old.id]);
    });

    it('is stored whole or not at all', async () => {
      const id = await webhook();
      const broken = event({ occurredAtMs: Number.NaN });
      await expect(add(event(), broken)).rejects.toThrow(RangeError);
      expect(await storedEvents()).toBe(0);
      expect(await idsOf(id)).toEqual([]);
    });
  });

  it('a body is removed once no delivery waits for it', async () => {
    const ids = [await webhook(), await webhook()];
    await add(event());
    const bodies = async () => {
      const [{ count }] = await fixture.query('SELECT count(body) AS count FROM events');
      return Number(count);
    };
    const ended = { attempts: 1, responseStatus: null, error: null, nextMs: null };
    const claimed = await fixture.accounts.claimDeliveries(10);
    expect(claimed.map(({ webhookId }) => webhookId)).toEqual(ids);
    await fixture.accounts.settleDelivery(claimed[0], { ...ended, status: 'delivered' });
    expect(await bodies()).toBe(1);
    await fixture.accounts.settleDelivery(claimed[1], { ...ended, status: 'failed' });
    expect(await bodies()).toBe(0);
    await add(event(), event());
    const [gone] = await fixture.accounts.claimDeliveries(1);
    await fixture.accounts.settleDelivery(gone, {
      ...ended,
      status: 'failed',
      disabledReason: 'gone',
    });
    expect(await bodies()).toBe(2);
    await fixture.accounts.deleteWebhook('default', 'live', ids[1]);
    await add(event());
    expect(await bodies()).toBe(2);
  });

  it('a webhook goes with its deliveries, not with the events of others', async () => {
    const [first, second] = [await webhook(), await webhook()];
    const told = event();
    await add(told);
    expect(await fixture.accounts.deleteWebhook('default', 'live', first)).toBe(true);
    expect([await idsOf(first), await idsOf(second)]).toEqual([[], [told.id]]);
  });

  it('screeners that were never tried come first, then those tried longest ago', async () => {
    const screener = { query: 'where=close > 1', filters: [], where: 'close > 1' };
    const ids: string[] = [];
    for (let i = 0; i < 3; i++) ids.push(await webhook({ events: ['screener.matched'], screener }));
    const { accounts } = fixture;
    const change = { matched: undefined, error: undefined };
    await accounts.setScreenerStates([{ ...change, webhookId: ids[0], triedMs: 2 }]);
    await accounts.setScreenerStates([{ ...change, webhookId: ids[1], triedMs: 1 }]);
    const found = await accounts.screenerWebhooks('live');
    expect(found.map(({ id }) => id)).toEqual([ids[2], ids[1], ids[0]]);
    expect(found[0].screener).toEqual(screener);
    const error = 'took too long';
    await accounts.setScreenerStates([{ ...change, webhookId: ids[2], error, triedMs: undefined }]);
    expect((await accounts.findWebhook('default', 'live', ids[2]))?.screenerError).toBe(error);
    expect((await accounts.screenerWebhooks('live'))[0].error).toBe(error);
  });

  it('a screener that an earlier program stored has its filters as expressions', async () => {
    const conditions = {
      ranges: [{ column: 'peRatio', min: 1, max: Number.POSITIVE_INFINITY }],
      texts: [{ column: 'sector', accepted: ['energy'] }],
      activeSinceDay: 20_000,
    };
    const screener = { query: 'q', conditions } as unknown as WebhookScreener;
    await webhook({ events: ['screener.matched'], screener });
    expect((await fixture.accounts.screenerWebhooks('live'))[0].screener).toEqual({
      query: 'q',
      filters: [
        { kind: 'range', name: 'pe_ratio', min: 1, max: Infinity },
        { kind: 'text', name: 'sector', accepted: ['energy'] },
        { kind: 'range', name: 'last_bar_day', min: 20_000, max: Infinity },
      ],
    });
  });

  it('what a screener matched is remembered, also nothing', async () => {
    const filters = [{ kind: 'range', name: 'price', min: 1, max: Infinity } as const];
    const id = await webhook({
      events: ['screener.matched'],
      screener: { query: 'price_min=1', filters },
    });
    const { accounts } = fixture;
    const shown = async () =>
      (await accounts.screenerWebhooks('live')).map(({ matched }) => matched);
    expect((await accounts.screenerWebhooks('live'))[0].screener.filters).toEqual(filters);
    expect(await shown()).toEqual([undefined]);
    const state = { webhookId: id, error: undefined, triedMs: undefined };
    await accounts.setScreenerStates([{ ...state, matched: [] }]);
    expect(await shown()).toEqual([[]]);
    await accounts.setScreenerStates([{ ...state, matched: ['AAPL', 'BRK.B'] }]);
    expect(await shown()).toEqual([['AAPL', 'BRK.B']]);
    await accounts.changeAccount('default', { isSuspended: true });
    expect(await shown()).toEqual([]);
  });
});
