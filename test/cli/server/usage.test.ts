/** Usage counts over stops and kills of real processes; keys are never written anywhere. */

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createdKeySchema } from '../../../src/api/routes/keys/schema.ts';
import { accountsPath } from '../../../src/base/config/data-dir.ts';
import { long } from '../../support/store-runs.ts';
import { type RunningCli, useCliFolder } from '../support/run-cli.ts';

const folder = useCliFolder();

const PATH = '/v1/svc/symbols';

async function newKey(): Promise<string> {
  const options = ['--mode', 'test', '--label', 'x', '--scopes', 'all', '--limit', 'none'];
  return (await folder.json('keys', 'create', ...options)).rawKey;
}

/** Calls, errors and tokens in the file, of all keys. */
function counted() {
  const db = new DatabaseSync(accountsPath(folder.dataDir), { readOnly: true });
  const sums = 'coalesce(sum(calls), 0) AS calls, coalesce(sum(tokens), 0) AS tokens';
  const row = db.prepare(`SELECT ${sums} FROM usage`).get();
  db.close();
  return { calls: Number(row?.calls), tokens: Number(row?.tokens) };
}

interface Load {
  answered: number;
  /** Number of requests that were sent, with or without a response. */
  sentCount: number;
  /** Resolves when no client asks any more. */
  done: Promise<unknown>;
}

/** Between the requests of a client: enough are always under way, and the machine is not full. */
const PAUSE_MS = 4;

const CLIENTS = 8;

/** Clients that ask until the server is gone. */
function startLoad({ document }: RunningCli, rawKey: string): Load {
  const load: Load = { answered: 0, sentCount: 0, done: Promise.resolve() };
  const client = async () => {
    for (;;) {
      load.sentCount++;
      try {
        const answer = await fetch(document.address + PATH, { headers: { 'X-API-Key': rawKey } });
        await answer.arrayBuffer();
        if (answer.status !== 200) throw new Error(`status ${answer.status}`);
      } catch {
        return;
      }
      load.answered++;
      await delay(PAUSE_MS);
    }
  };
  load.done = Promise.all(Array.from({ length: CLIENTS }, client));
  return load;
}

long(
  'usage of two threads is written while they answer, loses nothing to a stop, and never counts twice',
  async () => {
    const serve = ['serve', '--processes', '2'];
    const rawKey = await newKey();
    const killed = await folder.start(...serve);
    const load = startLoad(killed, rawKey);
    // What the end loses has not been written yet: that is done every `limits.usage.flushMs`.
    await expect.poll(() => counted().calls).toBeGreaterThan(200);
    const written = counted();
    killed.process.kill('SIGKILL');
    await load.done;
    const known = counted();
    expect(known.calls).toBeGreaterThanOrEqual(written.calls);
    expect(known.calls).toBeLessThanOrEqual(load.sentCount);
    expect(known.tokens).toBe(known.calls);

    const stopped = await folder.start(...serve);
    const next = startLoad(stopped, rawKey);
    await expect.poll(() => next.answered).toBeGreaterThan(300);
    expect(await stopped.stop()).toBe(0);
    await next.done;
    const answered = known.calls + next.answered;
    const { calls, tokens } = counted();
    // Requests whose answers the end has cut off may be counted as well.
    expect(calls).toBeGreaterThanOrEqual(answered);
    expect(calls).toBeLessThanOrEqual(answered + CLIENTS);
    expect(tokens).toBe(calls);
  },
);

/** All bytes of all files of a folder, as Latin-1. */
function allBytes(path: string): string {
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .map((name) => join(path, name))
    .filter((file) => statSync(file).isFile())
    .map((file) => readFileSync(file, 'latin1'))
    .join('\n');
}

/** Every way in which the bytes of a key might lie in a file. */
function spellings(rawKey: string): string[] {
  const secret = rawKey.slice(12);
  return [
    secret,
    Buffer.from(rawKey).toString('base64').slice(16, -4),
    Buffer.from(secret).toString('hex'),
    Buffer.from(secret, 'utf8').toString('utf16le'),
  ];
}

it('no raw key is in the log or in any file, while the server runs or afterwards', async () => {
  const rawKey = await newKey();
  const server = await folder.serve();
  const { address } = server;
  const ask = (path: string, headers: Record<string, string>, options: RequestInit = {}) =>
    fetch(address + path, { ...options, headers: { 'X-API-Key': rawKey, ...headers } });
  const keys = '/v1/svc/developer/keys';
  const body = JSON.stringify({ label: 'child', scopes: ['quotes:read'] });
  const json = { 'Content-Type': 'application/json' };
  const post = (headers: Record<string, string>, text = body) =>
    ask(keys, { ...json, ...headers }, { method: 'POST', body: text });
  const made = [await post({ 'Idempotency-Key': 'a' }), await post({}), await post({})];
  const children = await Promise.all(
    made.map(async (reply) => createdKeySchema.parse(await reply.json()).rawKey),
  );
  expect((await post({ 'Idempotency-Key': 'a' })).status).toBe(201);
  const used = [rawKey, ...children];
  for (const key of used) {
    await ask(`/v1/svc/quotes/AAA?api_key=${key}`, { Authorization: `Bearer ${key}` });
    await ask(`/v1/svc/quotes/${key}`, {});
    await ask(`/v1/svc/quotes/${key.replace('s', '%73')}`, {});
    await ask(`${keys}/${key}`, {}, { method: 'DELETE' });
    await post({}, JSON.stringify({ label: key, scopes: ['all'] }));
    await post({}, JSON.stringify({ label: 'x', scopes: [key] }));
    await post({ 'Idempotency-Key': key });
    await fetch(`${address}/v1/svc/nope`, { headers: { 'X-API-Key': `${key}x` } });
  }
  const whileRunning = allBytes(folder.dataDir);
  await server.close();
  expect(server.log.length).toBeGreaterThan(20);
  for (const bytes of [whileRunning, allBytes(folder.dataDir), JSON.stringify(server.log)]) {
    for (const text of used.flatMap(spellings)) expect(bytes.includes(text)).toBe(false);
  }
});
