import { once } from 'node:events';
import { type ClientRequest, request as httpRequest } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { errorSchema } from '../../../src/api/http/error-types.ts';
import { createdKeySchema } from '../../../src/api/routes/keys/schema.ts';
import { accountsPath } from '../../../src/base/config/data-dir.ts';
import { useFixtureServer } from '../support/fixture-server.ts';
import type { Reply } from '../support/test-server.ts';

const KEYS = '/v1/svc/developer/keys';
const DAY_MS = 86_400_000;

const fixture = useFixtureServer();

let count = 0;
const newName = () => `request-${count++}`;

function post(name: string, body: object, rawKey = fixture.server.rawKey): Promise<Reply> {
  return fixture.server.request(KEYS, {
    method: 'POST',
    headers: {
      'X-API-Key': rawKey,
      'Content-Type': 'application/json',
      'Idempotency-Key': name,
    },
    body: JSON.stringify(body),
  });
}

const keyCount = async () => (await fixture.server.accounts.listKeys()).length;
const good = { label: 'laptop', scopes: ['quotes:read', 'news:read'] };

/** A request whose head and first bytes are sent, and no more. */
function startPost(name: string, byteCount: number, start: string): ClientRequest {
  const headers = {
    'X-API-Key': fixture.server.rawKey,
    'Content-Type': 'application/json',
    'Content-Length': byteCount,
    'Idempotency-Key': name,
  };
  const request = httpRequest(fixture.server.address + KEYS, { method: 'POST', headers });
  request.write(start);
  return request;
}

/** Until so many requests with an Idempotency-Key run. */
async function untilClaims(count: number): Promise<void> {
  const db = new DatabaseSync(accountsPath(fixture.dataDir), { readOnly: true });
  const running = db.prepare('SELECT count(*) AS n FROM idempotency WHERE sealed IS NULL');
  while (running.get()?.n !== count) await new Promise(setImmediate);
  db.close();
}

describe('a repeat', () => {
  it('creates nothing new and gets the same response in any spelling', async () => {
    const name = newName();
    const first = await post(name, good);
    const before = await keyCount();
    const again = [
      await post(name, good),
      await post(name, { scopes: good.scopes, label: 'laptop' }),
    ];
    for (const reply of again) {
      expect([reply.status, reply.text]).toEqual([201, first.text]);
      expect(reply.headers.get('Idempotent-Replayed')).toBe('true');
      expect(reply.headers.get('Cache-Control')).toBe('no-store');
    }
    expect(first.headers.has('Idempotent-Replayed')).toBe(false);
    expect(await keyCount()).toBe(before);
    expect(
      fixture.server.accounts.findKey(createdKeySchema.parse(first.json).rawKey),
    ).toBeDefined();
  });

  it('with other parameters is 409', async () => {
    const name = newName();
    await post(name, good);
    const before = await keyCount();
    for (const body of [
      { ...good, label: 'other' },
      { ...good, scopes: ['news:read'] },
    ]) {
      const reply = await post(name, body);
      expect(reply.status).toBe(409);
      expect(errorSchema.parse(reply.json).error.type).toBe('idempotency_error');
    }
    expect(await keyCount()).toBe(before);
  });

  it('by another key, account or mode is a request of its own', async () => {
    const name = newName();
    const callers = [
      await fixture.server.newKey({ account: 'acme' }),
      await fixture.server.newKey({ account: 'acme' }),
      await fixture.server.newKey({ account: 'acme', mode: 'live' }),
      await fixture.server.newKey({ account: 'other' }),
    ];
    const replies = await Promise.all(callers.map((caller) => post(name, good, caller)));
    const keys = replies.map((reply) => createdKeySchema.parse(reply.json).id);
    expect(new Set(keys).size).toBe(4);
  });

  it('after a day is a new request', async () => {
    const name = newName();
    const first = await post(name, good);
    fixture.server.clock.nowMs += DAY_MS - 1;
    expect((await post(name, good)).text).toBe(first.text);
    fixture.server.clock.nowMs += 1;
    expect((await post(name, good)).text).not.toBe(first.text);
  });

  it('of a request that failed is tried again', async () => {
    const name = newName();
    expect((await post(name, { ...good, label: '' })).status).toBe(400);
    const reader = await fixture.server.newKey({ scopes: ['developer:write'] });
    expect((await post(name, good, reader)).status).toBe(403);
    expect((await post(name, good)).status).toBe(201);
  });
});

describe('twins', () => {
  it('that arrive together create one key; the others are 409 or get its response', async () => {
    const name = newName();
    const before = await keyCount();
    const replies = await Promise.all(Array.from({ length: 10 }, () => post(name, good)));
    expect(await keyCount()).toBe(before + 1);
    const made = replies.filter(({ status }) => status === 201);
    expect(new Set(made.map(({ text }) => text)).size).toBe(1);
    const others = replies.filter(({ status }) => status !== 201);
    for (const { status, json } of others) {
      expect([status, errorSchema.parse(json).error.type]).toEqual([409, 'idempotency_error']);
    }
  });

  it('are 409 while the body of the first one still arrives', async () => {
    const name = newName();
    const body = JSON.stringify(good);
    const slow = startPost(name, body.length, body.slice(0, 5));
    await untilClaims(1);
    const twin = await post(name, good);
    expect(twin.status).toBe(409);
    expect(errorSchema.parse(twin.json).error.message).toContain('still running');
    slow.end(body.slice(5));
    const [response] = await once(slow, 'response');
    expect(response.resume().statusCode).toBe(201);
  });

  it('whose first request is cut off can be used again', async () => {
    const name = newName();
    const cut = startPost(name, 100, '{');
    cut.on('error', () => {});
    await untilClaims(1);
    cut.destroy();
    await untilClaims(0);
    expect((await post(name, good)).status).toBe(201);
  });
});

it.each(['', 'a b', 'x'.repeat(256)])('the Idempotency-Key "%s" is refused', async (name) => {
  const reply = await post(name, good);
  expect(reply.status).toBe(400);
  expect(errorSchema.parse(reply.json).error.message).toMatch(/^Idempotency-Key must be/);
});

it('a revoked key gets no stored response', async () => {
  const name = newName();
  const caller = await fixture.server.newKey({ account: 'leaver' });
  await post(name, good, caller);
  const [{ id }] = await fixture.server.accounts.listKeys('leaver');
  await fixture.server.accounts.revokeKey(id);
  fixture.server.clock.nowMs += 1000;
  expect((await post(name, good, caller)).status).toBe(401);
});
