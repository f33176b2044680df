import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, it } from 'vitest';
import type { MarketEvent } from '../../../../src/store/sqlite/webhooks/event-record.ts';
import type { NewWebhook } from '../../../../src/store/sqlite/webhooks/webhook-record.ts';
import { START_MS, useAccounts } from '../support/open-accounts.ts';

const DAY_MS = 86_400_000;

const fixture = useAccounts();

beforeEach(() => void fixture.validKey());

function webhook(changes: Partial<NewWebhook> = {}): string {
  const { id } = fixture.accounts.createWebhook({
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
function idsOf(id: string): string[] {
  const { rows } = fixture.accounts.listDeliveryPart(id, { limit: 100 });
  return rows.map(({ eventId }) => eventId).reverse();
}

function storedEvents(): number {
  const db = new DatabaseSync(fixture.path);
  const { total } = db.prepare('SELECT count(*) AS total FROM events').get() as { total: number };
  db.close();
  return total;
}

describe('an event', () => {
  it('goes to the webhooks that asked for its type, in its mode', () => {
    const news = webhook();
    const both = webhook({ events: ['data.ready', 'news.published'] });
    const other = webhook({ events: ['quote.updated'] });
    const sandbox = webhook({ mode: 'sandbox' });
    const told = event();
    expect(add(told)).toBe(1);
    expect([news, both, other, sandbox].map(idsOf)).toEqual([[told.id], [told.id], [], []]);
  });

  it('that is stored already changes nothing, also for new webhooks', () => {
    const told = event();
    expect(add(told)).toBe(1);
    const late = webhook();
    expect(add(told, event())).toBe(1);
    expect(idsOf(late)).toHaveLength(1);
    expect(fixture.accounts.addEvents('sandbox', [told])).toBe(1);
  });

  it('of symbols goes to webhooks that named one of them, or none', () => {
    const all = webhook();
    const apple = webhook({ symbols: ['AAPL', 'IBM'] });
    const ibm = webhook({ symbols: ['IBM'] });
    const [both, none] = [event(), event({ symbols: [] })];
    add(both, none);
    expect([all, apple, ibm].map(idsOf)).toEqual([[both.id, none.id], [both.id], []]);
  });

  it('of no symbol goes to webhooks that named some only if its type is for all', () => {
    const events = ['news.published', 'data.ready', 'ingest.failed'] as const;
    const ibm = webhook({ symbols: ['IBM'], events });
    const ready = event({ type: 'data.ready', symbols: undefined });
    const failed = event({ type: 'ingest.failed', symbols: undefined });
    add(event({ symbols: undefined }), ready, failed);
    expect(idsOf(ibm)).toEqual([ready.id, failed.id]);
  });

  it('for one webhook goes to no other', () => {
    const [mine, theirs] = [webhook(), webhook({ events: ['news.published', 'webhook.test'] })];
    const own = event({ webhookId: mine });
    const test = event({ type: 'webhook.test', symbols: undefined, webhookId: mine });
    add(own, test);
    expect([mine, theirs].map(idsOf)).toEqual([[own.id, test.id], []]);
  });

  it('does not go to accounts that are suspended, or whose plan does not include it', () => {
    const { accounts } = fixture;
    for (const id of ['small', 'late']) accounts.createAccount({ id, label: id });
    const small = webhook({ account: 'small', events: ['news.published', 'data.ready'] });
    const late = webhook({ account: 'late' });
    accounts.changeAccount('small', { plan: { scopes: ['quotes:read'] } });
    accounts.changeAccount('late', { isSuspended: true });
    const ready = event({ type: 'data.ready', symbols: undefined });
    add(event(), ready);
    expect([small, late].map(idsOf)).toEqual([[ready.id], []]);
  });

  it('is known for a week, and its deliveries are', () => {
    const id = webhook();
    const old = event();
    add(old, event());
    fixture.clock.nowMs += 7 * DAY_MS - 1;
    expect(add(old)).toBe(0);
    expect(storedEvents()).toBe(2);
    fixture.clock.nowMs += 1;
    expect(add(old)).toBe(1);
    expect(storedEvents()).toBe(1);
    expect(idsOf(id)).toEqual([old.id]);
  });

  it('is stored whole or not at all', () => {
    const id = webhook();
    const broken = event({ occurredAtMs: Number.NaN });
    expect(() => add(event(), broken)).toThrow(RangeError);
    expect(storedEvents()).toBe(0);
    expect(idsOf(id)).toEqual([]);
  });
});

it('a body is removed once no delivery waits for it', () => {
  const ids = [webhook(), webhook()];
  add(event());
  const bodies = () => {
    const db = new DatabaseSync(fixture.path);
    const { count } = db.prepare('SELECT count(body) AS count FROM events').get() as never;
    db.close();
    return count;
  };
  const ended = { attempts: 1, responseStatus: null, error: null, nextMs: null };
  const claimed = fixture.accounts.claimDeliveries(10);
  expect(claimed.map(({ webhookId }) => webhookId)).toEqual(ids);
  fixture.accounts.settleDelivery(claimed[0], { ...ended, status: 'delivered' });
  expect(bodies()).toBe(1);
  fixture.accounts.settleDelivery(claimed[1], { ...ended, status: 'failed' });
  expect(bodies()).toBe(0);
  add(event(), event());
  const [gone] = fixture.accounts.claimDeliveries(1);
  fixture.accounts.settleDelivery(gone, { ...ended, status: 'failed', disabledReason: 'gone' });
  expect(bodies()).toBe(2);
  fixture.accounts.deleteWebhook('default', 'live', ids[1]);
  add(event());
  expect(bodies()).toBe(2);
});

it('a webhook goes with its deliveries, not with the events of others', () => {
  const [first, second] = [webhook(), webhook()];
  const told = event();
  add(told);
  expect(fixture.accounts.deleteWebhook('default', 'live', first)).toBe(true);
  expect([first, second].map(idsOf)).toEqual([[], [told.id]]);
});

it('screeners that were never tried come first, then those tried longest ago', () => {
  const conditions = { ranges: [], texts: [], activeSinceDay: undefined };
  const screener = { query: 'where=close > 1', conditions, where: 'close > 1' };
  const ids = [1, 2, 3].map(() => webhook({ events: ['screener.matched'], screener }));
  const { accounts } = fixture;
  const change = { matched: undefined, error: undefined };
  accounts.setScreenerStates([{ ...change, webhookId: ids[0], triedMs: 2 }]);
  accounts.setScreenerStates([{ ...change, webhookId: ids[1], triedMs: 1 }]);
  const found = accounts.screenerWebhooks('live');
  expect(found.map(({ id }) => id)).toEqual([ids[2], ids[1], ids[0]]);
  expect(found[0].screener).toEqual(screener);
  const error = 'took too long';
  accounts.setScreenerStates([{ ...change, webhookId: ids[2], error, triedMs: undefined }]);
  expect(accounts.findWebhook('default', 'live', ids[2])?.screenerError).toBe(error);
  expect(accounts.screenerWebhooks('live')[0].error).toBe(error);
});

it('what a screener matched is remembered, also nothing', () => {
  const ranges = [{ column: 'price' as const, min: 1, max: Number.POSITIVE_INFINITY }];
  const conditions = { ranges, texts: [], activeSinceDay: undefined };
  const id = webhook({
    events: ['screener.matched'],
    screener: { query: 'price_min=1', conditions },
  });
  const { accounts } = fixture;
  const shown = () => accounts.screenerWebhooks('live').map(({ matched }) => matched);
  expect(accounts.screenerWebhooks('live')[0].screener.conditions.ranges).toEqual(ranges);
  expect(shown()).toEqual([undefined]);
  const state = { webhookId: id, error: undefined, triedMs: undefined };
  accounts.setScreenerStates([{ ...state, matched: [] }]);
  expect(shown()).toEqual([[]]);
  accounts.setScreenerStates([{ ...state, matched: ['AAPL', 'BRK.B'] }]);
  expect(shown()).toEqual([['AAPL', 'BRK.B']]);
  accounts.changeAccount('default', { isSuspended: true });
  expect(shown()).toEqual([]);
});
