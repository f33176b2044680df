/** One server of several threads: what they share, and what happens when one of them dies. */

import { DatabaseSync } from 'node:sqlite';
import { Webhook } from 'standardwebhooks';
import { type StreamedEvent, Tapeworks } from 'tapeworks/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorSchema } from '../../../src/api/http/error-types.ts';
import { accountsPath, modePaths } from '../../../src/base/config/data-dir.ts';
import { openEvents } from '../../api/support/event-reader.ts';
import { loadAll, run } from '../../jobs/support/store.ts';
import { startReceiver } from '../../jobs/webhooks/receiver.ts';
import { NOW_MS, risingBars, segmentOf } from '../../store/duckdb/support/fixtures.ts';
import { ask, askMany } from '../support/ask.ts';
import { type CliFolder, createCliFolder, type RunningCli } from '../support/run-cli.ts';
import { startThreads, THREADS, type Threads } from '../support/threads.ts';

const PATH = '/v1/svc/symbols';
const KEYS = '/v1/svc/developer/keys';

let folder: CliFolder;
let server: RunningCli;
let address: string;
let threads: Threads;

beforeAll(async () => {
  threads = await startThreads(async () => {}, { TAPEWORKS_WEBHOOK_PRIVATE: 'on' });
  ({ folder, server, address } = threads);
});
afterAll(() => folder.remove());

interface KeyOptions {
  mode?: 'live' | 'test';
  limit?: string;
  account?: string;
  scopes?: string;
}

async function newKey(options: KeyOptions = {}): Promise<{ id: string; rawKey: string }> {
  const { mode = 'test', limit = 'none', account = 'default', scopes = 'all' } = options;
  const args = ['--mode', mode, '--limit', limit, '--account', account, '--scopes', scopes];
  return folder.json('keys', 'create', '--label', 'x', ...args);
}

const withKey = (rawKey: string, more: Record<string, string> = {}) => ({
  headers: { 'X-API-Key': rawKey, ...more },
});

const countOf = (statuses: readonly { status: number }[], wanted: number) =>
  statuses.filter(({ status }) => status === wanted).length;

/** Calls of a key in the file. */
function callsOf(keyId: string): number {
  const db = new DatabaseSync(accountsPath(folder.dataDir), { readOnly: true });
  const sum = db.prepare('SELECT coalesce(sum(calls), 0) AS calls FROM usage WHERE key_id = ?');
  const calls = Number(sum.get(keyId)?.calls);
  db.close();
  return calls;
}

describe('API threads', () => {
  it('answer all of them, on one port', async () => {
    const { rawKey } = await newKey();
    const answers = await askMany(100, address + PATH, withKey(rawKey));
    expect(countOf(answers, 200)).toBe(100);
    expect(new Set(answers.map(({ thread }) => thread)).size).toBe(THREADS);
    const probes = await askMany(20, `${address}/healthz`);
    expect(countOf(probes, 200)).toBe(20);
    expect(countOf(await askMany(20, `${address}/readyz`), 503)).toBe(20);
  });

  it('do not take a port from another server', async () => {
    const other = createCliFolder({ TAPEWORKS_PORT: new URL(address).port });
    const { code, stderr } = await other.run('serve', '--processes', '2');
    await other.remove();
    expect(code).toBe(1);
    expect(stderr).toContain('is in use: stop the other process or set TAPEWORKS_PORT');
  });
});

describe('limits', () => {
  it('let exactly as many requests of a window through as they say', async () => {
    const { rawKey } = await newKey({ limit: '50/3600' });
    const answers = await askMany(200, address + PATH, withKey(rawKey));
    expect(new Set(answers.map(({ thread }) => thread)).size).toBe(THREADS);
    expect(countOf(answers, 200)).toBe(50);
    expect(countOf(answers, 429)).toBe(150);
    const remaining = answers.map(({ headers }) => Number(headers['x-svc-ratelimit-remaining']));
    const passed = remaining.filter((_, i) => answers[i].status === 200).toSorted((a, b) => a - b);
    expect(passed).toEqual(Array.from({ length: 50 }, (_, i) => i));
    for (const { headers } of answers) {
      expect(headers['x-svc-ratelimit-limit']).toBe('50');
      expect(Number(headers['x-svc-ratelimit-reset']) % 3600).toBe(0);
    }
  });

  it('count failed authentications of an address over all threads', async () => {
    const answers = await askMany(200, address + PATH);
    expect(countOf(answers, 401)).toBeGreaterThanOrEqual(60);
    // Another minute may begin meanwhile.
    expect(countOf(answers, 401)).toBeLessThanOrEqual(120);
    const [refused] = answers.filter(({ status }) => status === 429);
    expect(errorSchema.parse(JSON.parse(refused.text)).error.type).toBe('rate_limit_error');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1);
  });

  it('count tokens of an account over all threads and keys', async () => {
    const operator = await newKey({ mode: 'live', scopes: 'accounts:write' });
    const plan = JSON.stringify({ id: 'acme', label: 'Acme', plan: { tokensPerDay: 20 } });
    const json = { 'Content-Type': 'application/json' };
    const made = await ask(`${address}/v1/svc/accounts`, {
      method: 'POST',
      body: plan,
      ...withKey(operator.rawKey, json),
    });
    expect(made.status).toBe(201);
    const keys = [await newKey({ account: 'acme' }), await newKey({ account: 'acme' })];
    const statuses: number[] = [];
    for (let i = 0; i < 30; i++) {
      statuses.push((await ask(address + PATH, withKey(keys[i % 2].rawKey))).status);
    }
    expect(statuses).toEqual([...Array(20).fill(200), ...Array(10).fill(429)]);
  });
});

describe('keys', () => {
  it('are revoked in every thread', async () => {
    const [{ rawKey, id }, operator] = [await newKey(), await newKey()];
    expect(countOf(await askMany(50, address + PATH, withKey(rawKey)), 200)).toBe(50);
    const revoked = await ask(`${address}${KEYS}/${id}`, {
      method: 'DELETE',
      ...withKey(operator.rawKey),
    });
    expect(revoked.status).toBe(204);
    // Asking goes on, so that every thread has reason to remember the key.
    const refusing = async () => {
      const answers = await askMany(50, address + PATH, withKey(rawKey));
      const threads = new Set(answers.map(({ thread }) => thread)).size;
      return [threads, answers.some(({ status }) => status === 200)];
    };
    await expect.poll(refusing).toEqual([THREADS, false]);
  });

  it('are made once for an Idempotency-Key, whichever threads it meets', async () => {
    const { rawKey } = await newKey();
    const body = JSON.stringify({ label: 'once', scopes: ['quotes:read'] });
    const more = { 'Content-Type': 'application/json', 'Idempotency-Key': 'one' };
    const post = { method: 'POST', body, ...withKey(rawKey, more) };
    const twins = await askMany(20, address + KEYS, post);
    const made = twins.filter(({ status }) => status === 201);
    expect(made.length + countOf(twins, 409)).toBe(20);
    const repeats = await askMany(20, address + KEYS, post);
    const ids = [...made, ...repeats].map(({ text }) => JSON.parse(text).id);
    expect(new Set(ids).size).toBe(1);
  });
});

it('serve delivers the webhooks that the API is asked to send', async () => {
  const { rawKey } = await newKey({ scopes: 'webhooks:read,webhooks:write' });
  const receiver = await startReceiver();
  const post = async (path: string, body?: object) => {
    const { status, text } = await ask(`${address}/v1/svc/webhooks${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
      ...withKey(rawKey, { 'Content-Type': 'application/json' }),
    });
    expect(status).toBeLessThan(300);
    return JSON.parse(text);
  };
  const url = `http://127.0.0.1:${receiver.port}/`;
  const { id, secret } = await post('', { url, events: ['data.ready'] });
  const { eventId } = await post(`/${id}/test`);
  await receiver.until(1);
  const [{ body, headers, event }] = receiver.got;
  expect(new Webhook(secret).verify(body, headers)).toEqual(event);
  expect(event).toMatchObject({ id: eventId, type: 'webhook.test', data: { webhookId: id } });
  await receiver.close();
});

describe('streams and a thread that crashes', () => {
  const STREAMS = 6;
  const EVENTS = ['data.ready', 'quote.updated'] as const;
  let apiKey: string;
  let days = 5;

  beforeAll(async () => {
    apiKey = (await newKey({ mode: 'live' })).rawKey;
  });

  /** Publishes one more day of two symbols. */
  async function publishDay(): Promise<void> {
    days += 1;
    const paths = modePaths(folder.dataDir, 'live');
    const bars = ['AAPL', 'MSFT'].map((symbol) => ({
      symbol,
      bars: risingBars('2026-06-01', days),
    }));
    await loadAll(paths, segmentOf(bars, { name: `days-${days}` }));
    await run(paths, NOW_MS + days * 1000);
  }

  it('a publish reaches every stream once, over the death of a thread, which loses no count', async () => {
    await publishDay();
    const { rawKey, id } = await newKey();
    const before = await askMany(60, address + PATH, withKey(rawKey));
    const known = new Set(before.map(({ thread }) => thread));
    const stop = new AbortController();
    const got: StreamedEvent[][] = [];
    let openings = 0;
    const follow = async (events: StreamedEvent[]) => {
      const client = new Tapeworks({ url: address, apiKey, retries: 20 });
      const options = { signal: stop.signal, onResponse: () => void openings++ };
      for await (const event of client.streamEvents({ events: EVENTS, symbols: 'AAPL' }, options)) {
        events.push(event);
      }
    };
    const ends = Array.from({ length: STREAMS }, () => {
      const events: StreamedEvent[] = [];
      got.push(events);
      return follow(events).catch(() => undefined);
    });
    await expect.poll(() => openings).toBe(STREAMS);
    await publishDay();
    const typesOf = () => got.map((events) => events.map(({ type }) => type).join(' '));
    const once = Array.from({ length: STREAMS }, () => 'quote.updated data.ready');
    await expect.poll(typesOf).toEqual(once);
    const [quotes, ready] = got[0];
    expect(quotes).toMatchObject({ data: { symbols: ['AAPL'], quotes: [{ symbol: 'AAPL' }] } });
    expect(ready).toMatchObject({ data: { mode: 'live', datasets: ['candles'] } });

    threads.crash('API thread 1');
    await expect.poll(threads.log, { interval: 10 }).toContain('restarting in');
    expect(threads.log()).toContain('crashed by a test');
    let answered = 60;
    const isBack = async () => {
      const { thread } = await ask(address + PATH, withKey(rawKey));
      answered++;
      return !known.has(thread);
    };
    await expect.poll(isBack, { interval: 1 }).toBe(true);
    await expect.poll(() => callsOf(id)).toBe(answered);
    await publishDay();
    await expect.poll(typesOf).toEqual(once.map((types) => `${types} ${types}`));
    for (const events of got) {
      expect(events.map((event) => event.id)).toEqual(got[0].map((event) => event.id));
    }
    stop.abort();
    await Promise.all(ends);
  });

  it('SIGTERM ends streams at their position, and the process with 0', async () => {
    const headers = { 'X-API-Key': apiKey };
    const readers = await Promise.all(
      Array.from({ length: STREAMS }, () => openEvents(address, 'events=data.ready', headers)),
    );
    for (const reader of readers) await reader.until(({ lastId }) => lastId !== '');
    expect(await server.stop()).toBe(0);
    for (const { closed, response } of readers) {
      await closed;
      expect(response.complete).toBe(true);
    }
  });
});
