/** `/svc/stream`: events on open connections, over two threads of one data folder. */

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { modePaths } from '../../../src/base/config/data-dir.ts';
import { limits } from '../../../src/base/limits.ts';
import type { EventType, MarketEvent } from '../../../src/store/accounts/webhooks/event-record.ts';
import { scaled } from '../../faults/scale.ts';
import { sharedFolder } from '../../support/folders.ts';
import { long } from '../../support/store-runs.ts';
import { useLimits } from '../../support/use-limits.ts';
import { type EventReader, openEvents } from '../support/event-reader.ts';
import { publishFixtureMarket } from '../support/fixture-server.ts';
import { NOW_MS } from '../support/market-fixture.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';

const dataDir = sharedFolder();
const TIMES = { pollMs: 5, heartbeatMs: 25, stallMs: 100, renewMs: 10, keyCheckMs: 5 };
const ROWS_MAX = scaled(60, 300);
useLimits(limits.stream, { ...TIMES, perKeyMax: 4, rowsMax: ROWS_MAX });
useLimits(limits.key, { cacheMs: 0 });

let one: TestServer;
let two: TestServer;
const open: EventReader[] = [];

beforeAll(async () => {
  await publishFixtureMarket(modePaths(dataDir, 'sandbox').serving);
  one = await startTestServer(dataDir, NOW_MS);
  two = await startTestServer(dataDir, NOW_MS);
});
afterEach(async () => {
  for (const reader of open.splice(0)) {
    reader.close();
    await reader.closed;
  }
  await untilCount(one, 0);
  await untilCount(two, 0);
});
afterAll(async () => {
  await one.close();
  await two.close();
});

/** Waits until a thread has noticed what became of its streams. */
async function untilCount({ streams }: TestServer, count: number): Promise<void> {
  await expect.poll(() => streams.count(), { interval: 1 }).toBe(count);
}

function advance(ms: number): void {
  for (const { clock } of [one, two]) clock.nowMs += ms;
}

interface Asked {
  server?: TestServer;
  query?: string;
  key?: string;
  lastId?: string;
}

const READY = 'events=data.ready';

async function stream({ server = one, query = READY, key, lastId }: Asked = {}) {
  const headers = {
    'X-API-Key': key ?? server.rawKey,
    ...(lastId !== undefined && { 'Last-Event-ID': lastId }),
  };
  const reader = await openEvents(server.address, query, headers);
  open.push(reader);
  return reader;
}

let number = 0;
/** Stores an event as a publish does, in the mode of the keys. */
async function emit(
  type: EventType,
  symbols?: string[],
  data: object = {},
  notBeforeMs = 0,
): Promise<string> {
  number += 1;
  const id = `evt_${number}`;
  const event: MarketEvent = {
    ...{ id, type, occurredAtMs: NOW_MS, symbols },
    data: { number, ...data },
  };
  await two.accounts.addEvents('sandbox', [event], notBeforeMs);
  return id;
}

describe('a stream', () => {
  it('sends its head at once, uncompressed, and says how to come back', async () => {
    const { rawKey } = one;
    const reader = await openEvents(one.address, READY, {
      'X-API-Key': rawKey,
      'Accept-Encoding': 'gzip, br',
    });
    open.push(reader);
    expect(reader.response.statusCode).toBe(200);
    expect(reader.response.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
      'x-svc-ratelimit-limit': expect.any(String),
    });
    expect(reader.response.headers).not.toHaveProperty('content-encoding');
    await reader.until(({ lastId }) => lastId !== '');
    expect(reader.text).toMatch(/^retry: 2000\nid: at_\d+_\d+\n\n/);
  });

  it('gets the body that webhooks get, of its types alone', async () => {
    const reader = await stream({ query: 'events=data.ready,news.published' });
    await emit('earnings.updated', ['ABC']);
    const id = await emit('news.published', ['ABC', 'XYZ']);
    const { type, lastId, body } = await reader.next();
    expect([type, lastId]).toEqual(['news.published', id]);
    expect(body).toEqual({
      ...{ id, type, timestamp: new Date(NOW_MS).toISOString() },
      data: { number },
    });
  });

  it('with symbols gets events about one of them, and those that are for all', async () => {
    const reader = await stream({ query: 'events=data.ready,news.published&symbols=xyz,DEF' });
    await emit('news.published', ['ABC']);
    const about = await emit('news.published', ['ABC', 'XYZ']);
    const ready = await emit('data.ready');
    expect([(await reader.next()).lastId, (await reader.next()).lastId]).toEqual([about, ready]);
  });

  it('gets nothing of the other mode', async () => {
    const reader = await stream();
    const event = { type: 'data.ready', occurredAtMs: 0, symbols: undefined, data: {} } as const;
    await two.accounts.addEvents('live', [{ ...event, id: 'evt_live' }]);
    const id = await emit('data.ready');
    expect((await reader.next()).lastId).toBe(id);
  });

  it('holds an event, and those after it, until its data is readable', async () => {
    const reader = await stream({ query: 'events=data.ready,ingest.failed' });
    const later = await emit('data.ready', undefined, {}, one.clock.nowMs + 1000);
    const soon = await emit('ingest.failed');
    await reader.until(({ text }) => text.split('id: at_').length > 3);
    expect(reader.text).not.toContain('evt_');
    advance(1000);
    expect([(await reader.next()).lastId, (await reader.next()).lastId]).toEqual([later, soon]);
  });

  it('sends its position as a sign of life, which readers of events do not see', async () => {
    const reader = await stream();
    const first = await emit('earnings.updated');
    await reader.until(({ text }) => text.split('id: at_').length > 3);
    expect(reader.lastId).toMatch(/^at_/);
    expect(reader.text).not.toContain(first);
    expect(reader.text).not.toContain('data:');
  });

  it('stays open in a mode without events', async () => {
    const key = await one.newKey({ mode: 'live' });
    const reader = await stream({ key });
    await reader.until(({ text }) => text.split('id: at_').length > 3);
  });

  it('counts as one request, in usage and in metrics', async () => {
    const key = await one.newKey();
    const reader = await stream({ key });
    await reader.until(({ lastId }) => lastId !== '');
    one.writeCounts();
    const { json } = await one.request('/v1/svc/developer/usage/daily', {
      headers: { 'X-API-Key': key },
    });
    expect(JSON.stringify(json)).toContain('"/svc/stream"');
  });

  it('answers HEAD without opening', async () => {
    const reply = await one.request(`/v1/svc/stream?${READY}`, {
      method: 'HEAD',
      headers: { 'X-API-Key': one.rawKey },
    });
    expect([reply.status, reply.headers.get('Content-Type')]).toEqual([200, 'text/event-stream']);
    expect(one.streams.count()).toBe(0);
  });
});

describe('a client that comes back', () => {
  it('continues on another thread after its last event, and after its last position', async () => {
    const first = await stream();
    const id = await emit('data.ready');
    await first.next();
    first.close();
    const missed = [await emit('data.ready'), await emit('data.ready')];
    const byEvent = await stream({ server: two, lastId: id });
    expect([(await byEvent.next()).lastId, (await byEvent.next()).lastId]).toEqual(missed);
    await byEvent.until(({ lastId }) => lastId.startsWith('at_'));
    const { lastId } = byEvent;
    byEvent.close();
    const third = await emit('data.ready');
    const byPosition = await stream({ lastId });
    expect((await byPosition.next()).lastId).toBe(third);
  });

  it.each([
    ['an event that no stream had', () => 'evt_unknown'],
    ['a position of other parameters', (lastId: string) => lastId.replace(/_\d+$/, '_999999')],
    [
      'a position of a file that was replaced',
      (lastId: string) => lastId.replace('at_', 'at_9999'),
    ],
    ['nonsense', () => 'äöü'.normalize('NFD').replaceAll(/[^ -~]/g, '?')],
  ])('with %s is told to request its data again', async (_name, changed) => {
    const first = await stream({ query: 'events=data.ready&symbols=XYZ' });
    await first.until(({ lastId }) => lastId !== '');
    const lastId = changed(first.lastId);
    const again = await stream({ query: 'events=data.ready&symbols=XYZ', lastId });
    const { type, body } = await again.next();
    expect(type).toBe('stream.reset');
    expect(body).toMatchObject({
      type: 'stream.reset',
      data: { lastEventId: lastId, events: ['data.ready'], symbols: ['XYZ'], screens: null },
    });
    const id = await emit('data.ready');
    expect((await again.next()).lastId).toBe(id);
  });

  it('after its stream has expired is told so', async () => {
    const first = await stream();
    const id = await emit('data.ready');
    await first.next();
    first.close();
    await untilCount(one, 0);
    advance(limits.stream.leaseMs + 1);
    const again = await stream({ server: two, lastId: id });
    expect((await again.next()).type).toBe('stream.reset');
  });

  it('a publish makes nothing for streams that have expired', async () => {
    const first = await stream({ query: 'events=analyst.rating_changed' });
    await first.until(({ lastId }) => lastId !== '');
    const types = async () =>
      (await two.accounts.subscriptions('sandbox')).flatMap((one) => [...one.types]);
    expect(await types()).toContain('analyst.rating_changed');
    first.close();
    await untilCount(one, 0);
    advance(limits.stream.leaseMs + 1);
    expect(await types()).toEqual([]);
  });
});

describe('bounds', () => {
  it('a key has its number of streams, and one more after it closes one', async () => {
    const key = await one.newKey();
    const readers: EventReader[] = [];
    for (let i = 0; i < 4; i++) readers.push(await stream({ key }));
    const refused = await one.request(`/v1/svc/stream?${READY}`, { headers: { 'X-API-Key': key } });
    expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, '5']);
    expect(refused.text).toContain('The API key has 4 open streams');
    readers[0].close();
    await untilCount(one, 3);
    expect((await stream({ key })).response.statusCode).toBe(200);
  });

  long('many streams get many events within bounded memory', async () => {
    const { keyCount, eventCount, megabytes } = scaled(
      { keyCount: 10, eventCount: 25, megabytes: 100 },
      { keyCount: 50, eventCount: 100, megabytes: 300 },
    );
    const keys = await Promise.all(Array.from({ length: keyCount }, () => one.newKey()));
    const readers: EventReader[] = [];
    globalThis.gc?.();
    const before = process.memoryUsage().rss;
    for (const key of keys) {
      for (let i = 0; i < 4; i++) readers.push(await stream({ key }));
    }
    const ids: string[] = [];
    for (let i = 0; i < eventCount; i++) {
      ids.push(await emit('data.ready', undefined, { x: 'x'.repeat(2000) }));
    }
    for (const reader of readers) await reader.until(({ received }) => received === eventCount);
    for (const { text } of readers) {
      expect(text.match(/^id: evt_\d+$/gm)).toEqual(ids.map((id) => `id: ${id}`));
    }
    // The clients' half, with all texts, is in this process too: in the long form 200 times 0.2 MB.
    expect(process.memoryUsage().rss - before).toBeLessThan(megabytes * 1024 * 1024);
  });

  it('a client that reads nothing is cut off, and misses nothing when it comes back', async () => {
    const key = await one.newKey();
    const slow = await stream({ key, query: 'events=news.published' });
    await slow.until(({ lastId }) => lastId !== '');
    slow.response.pause();
    const text = 'x'.repeat(400_000);
    const ids: string[] = [];
    // More than the buffers of two sockets hold.
    const count = 40;
    while (ids.length < count) ids.push(await emit('news.published', undefined, { text }));
    await untilCount(one, 0);
    slow.response.resume();
    await slow.closed;
    const idsIn = ({ text: all }: EventReader) =>
      [...all.matchAll(/^id: (evt_\d+)\n.*\n\n/gm)].map(([, id]) => id);
    const got = idsIn(slow);
    expect(got.length).toBeLessThan(count);
    // A busy machine may make this client slow too.
    while (got.length < count) {
      const again = await stream({ key, query: 'events=news.published', lastId: got.at(-1) });
      await again.until(({ received }) => got.length + received === count).catch(() => undefined);
      again.close();
      await again.closed;
      got.push(...idsIn(again));
    }
    expect(got).toEqual(ids);
  });

  it('a client behind the events that are kept is told so', async () => {
    const first = await stream();
    const id = await emit('data.ready');
    await first.next();
    first.close();
    await untilCount(one, 0);
    for (let i = 0; i < ROWS_MAX + 2; i++) await emit('data.ready');
    const again = await stream({ lastId: id });
    expect((await again.next()).type).toBe('stream.reset');
  });
});

describe('a thread', () => {
  useLimits(limits.stream, { perThreadMax: 0 });

  it('refuses streams beyond its number', async () => {
    const server = await startTestServer(dataDir, NOW_MS);
    const reply = await server.get(`/v1/svc/stream?${READY}`);
    await server.close();
    expect([reply.status, reply.headers.get('Retry-After')]).toEqual([503, '5']);
    expect(reply.text).toContain('streams of events are in progress');
  });
});

describe('a key', () => {
  it('that is revoked on another thread loses its stream', async () => {
    const key = await one.newKey();
    const reader = await stream({ key });
    const id = one.accounts.findKey(key)?.id ?? '';
    await two.accounts.revokeKey(id);
    one.writeCounts();
    await reader.closed;
    await untilCount(one, 0);
    expect(reader.response.complete).toBe(true);
  });

  it('needs the scope of each type', async () => {
    const key = await one.newKey({ scopes: ['webhooks:read', 'news:read'] });
    const headers = { 'X-API-Key': key };
    const refused = await one.request('/v1/svc/stream?events=quote.updated,news.published', {
      headers,
    });
    expect([refused.status, refused.text]).toEqual([
      403,
      expect.stringContaining('lacks the scope \\"quotes:read\\" that quote.updated needs'),
    ]);
    expect((await stream({ key, query: 'events=news.published' })).response.statusCode).toBe(200);
  });
});

describe('parameters', () => {
  it.each([
    ['', 'events must be a comma-separated list out of quote.updated'],
    ['events=webhook.test', 'events must be a comma-separated list out of quote.updated'],
    ['events=data.ready&symbols=BTC-USD', 'BTC-USD'],
    ['events=screener.matched', 'screens is required with the event screener.matched'],
    ['events=data.ready&screens=scr_1', 'screens must not be set without the event'],
    [
      'events=screener.matched&screens=scr_1',
      'screens must be a comma-separated list of 1 to 10 ids',
    ],
  ])('%j are refused', async (query, message) => {
    const reply = await one.get(`/v1/svc/stream?${query}`);
    expect([reply.status, reply.text]).toEqual([400, expect.stringContaining(message)]);
  });

  it('a saved screen becomes a screener that a publish evaluates', async () => {
    const screen = await two.accounts.createScreen({
      ...{ account: 'default', mode: 'sandbox', name: 'cheap', query: 'price_max=10&sort=price' },
    });
    const query = `events=data.ready,screener.matched&screens=${screen.id}`;
    const reader = await stream({ query });
    const [webhook] = await two.accounts.screenerWebhooks('sandbox');
    expect(webhook).toMatchObject({ screen: { id: screen.id, name: 'cheap' }, account: 'default' });
    const event = {
      type: 'screener.matched',
      occurredAtMs: 0,
      symbols: ['ABC'],
      data: {},
    } as const;
    await two.accounts.addEvents('sandbox', [
      { ...event, id: 'evt_other', webhookId: 'wh_other' },
      { ...event, id: 'evt_match', webhookId: webhook.id },
    ]);
    expect((await reader.next()).lastId).toBe('evt_match');
  });
});

it('streams are no webhooks of the account', async () => {
  await stream();
  const { json } = await one.get('/v1/svc/webhooks');
  expect(json).toMatchObject({ data: [], total: 0 });
});

it('a server that stops ends its streams at their position, and refuses others', async () => {
  const server = await startTestServer(dataDir, NOW_MS);
  const reader = await stream({ server });
  await reader.until(({ lastId }) => lastId !== '');
  await server.close();
  await reader.closed;
  expect(reader.response.complete).toBe(true);
  expect(reader.text).toMatch(/\nid: at_\d+_\d+\n\n$/);
});
