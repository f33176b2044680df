/** Usage counts over stops and kills of real processes; keys are never written anywhere. */

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createdKeySchema } from '../../../src/api/routes/keys/schema.ts';
import { accountsPath } from '../../../src/base/config/data-dir.ts';
import { type CliFolder, createCliFolder, type RunningCli } from '../support/run-cli.ts';

let folder: CliFolder;

beforeEach(() => {
  folder = createCliFolder({ TAPEWORKS_LOG_LEVEL: 'info' });
});
afterEach(() => folder.remove());

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
  /** Time of each response, by `performance.now()`. */
  answeredMs: number[];
  /** Number of requests that were sent, with or without a response. */
  sentCount: number;
  /** Resolves when no client asks any more. */
  done: Promise<unknown>;
}

/** Between the requests of a client: enough are always under way, and the machine is not full. */
const PAUSE_MS = 4;

/** Clients that ask until the server is gone or there were enough requests. */
function startLoad({ document }: RunningCli, rawKey: string, requestsMax: number): Load {
  const load: Load = { answeredMs: [], sentCount: 0, done: Promise.resolve() };
  const client = async () => {
    while (load.sentCount < requestsMax) {
      load.sentCount++;
      try {
        const answer = await fetch(document.address + PATH, { headers: { 'X-API-Key': rawKey } });
        await answer.arrayBuffer();
        if (answer.status !== 200) throw new Error(`status ${answer.status}`);
      } catch {
        return;
      }
      load.answeredMs.push(performance.now());
      await delay(PAUSE_MS);
    }
  };
  load.done = Promise.all(Array.from({ length: 8 }, client));
  return load;
}

describe('usage of two threads', () => {
  const serve = ['serve', '--processes', '2'];

  it('is complete after an orderly stop, in the middle of requests', async () => {
    const rawKey = await newKey();
    let answered = 0;
    for (const requestsMax of [300, 100_000]) {
      const server = await folder.start(...serve);
      const load = startLoad(server, rawKey, requestsMax);
      while (load.answeredMs.length < 300) await delay(5);
      expect(await server.stop()).toBe(0);
      await load.done;
      answered += load.answeredMs.length;
      const { calls, tokens } = counted();
      // Requests whose answers the end has cut off may be counted as well.
      expect(calls).toBeGreaterThanOrEqual(answered);
      expect(calls).toBeLessThanOrEqual(answered + 8);
      expect(tokens).toBe(calls);
      answered = calls;
    }
  });

  it('loses at most the last second to a SIGKILL, and never counts twice', async () => {
    const rawKey = await newKey();
    let known = 0;
    for (const aliveMs of [700, 2100]) {
      const server = await folder.start(...serve);
      const load = startLoad(server, rawKey, 1_000_000);
      const startMs = performance.now();
      while (performance.now() - startMs < aliveMs) await delay(5);
      const killedMs = performance.now();
      server.process.kill('SIGKILL');
      await load.done;
      const { calls, tokens } = counted();
      const old = load.answeredMs.filter((ms) => ms < killedMs - 1000).length;
      expect(calls - known).toBeGreaterThanOrEqual(old);
      expect(calls - known).toBeLessThanOrEqual(load.sentCount);
      expect(tokens).toBe(calls);
      known = calls;
    }
    expect(known).toBeGreaterThan(100);
    // What was counted before a kill stays as it is.
    const server = await folder.start(...serve);
    expect(await server.stop()).toBe(0);
    expect(counted().calls).toBe(known);
  });
});

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
  const child = folder.spawn('serve', '--json');
  let log = '';
  child.stderr?.on('data', (chunk) => {
    log += chunk;
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  const [document] = await new Promise<Buffer[]>((resolve) =>
    child.stdout?.once('data', (...args) => resolve(args)),
  );
  const { address } = JSON.parse(document.toString());
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
  child.kill('SIGTERM');
  await ended;
  expect(log.split('\n').length).toBeGreaterThan(20);
  for (const bytes of [whileRunning, allBytes(folder.dataDir), log]) {
    for (const text of used.flatMap(spellings)) expect(bytes.includes(text)).toBe(false);
  }
});
