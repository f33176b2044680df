/** One server of several threads: what they share, and what happens when one of them dies. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorSchema } from '../../../src/api/http/error-types.ts';
import { accountsPath } from '../../../src/base/config/data-dir.ts';
import { ask, askMany } from '../support/ask.ts';
import { type CliFolder, createCliFolder, type RunningCli } from '../support/run-cli.ts';

const PATH = '/v1/svc/symbols';
const KEYS = '/v1/svc/developer/keys';

let folder: CliFolder;
let server: RunningCli;
let address: string;
let log = '';
const crashFile = () => join(folder.dataDir, 'crash');

beforeAll(async () => {
  const preload = fileURLToPath(new URL('../support/crash-thread.mjs', import.meta.url));
  const env: Record<string, string> = { NODE_OPTIONS: `--import ${preload}` };
  folder = createCliFolder(env);
  env.CRASH_FILE = crashFile();
  server = await folder.start('serve', '--processes', '3');
  server.process.stderr?.on('data', (chunk) => {
    log += chunk;
  });
  ({ address } = server.document);
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

describe('threads', () => {
  it('answer all of them, on one port', async () => {
    const { rawKey } = await newKey();
    const answers = await askMany(100, address + PATH, withKey(rawKey));
    expect(countOf(answers, 200)).toBe(100);
    expect(new Set(answers.map(({ thread }) => thread)).size).toBe(3);
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
    expect(new Set(answers.map(({ thread }) => thread)).size).toBe(3);
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
    // Another minute may begin meanwhile.
    expect([60, 120]).toContain(countOf(answers, 401));
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
  it('are revoked in every thread within a second', async () => {
    const [{ rawKey, id }, operator] = [await newKey(), await newKey()];
    expect(countOf(await askMany(50, address + PATH, withKey(rawKey)), 200)).toBe(50);
    const revoked = await ask(`${address}${KEYS}/${id}`, {
      method: 'DELETE',
      ...withKey(operator.rawKey),
    });
    expect(revoked.status).toBe(204);
    const untilMs = Date.now() + 1000;
    // Asking goes on, so that every thread has reason to remember the key.
    while (Date.now() < untilMs) await ask(address + PATH, withKey(rawKey));
    const answers = await askMany(50, address + PATH, withKey(rawKey));
    expect(new Set(answers.map(({ thread }) => thread)).size).toBeGreaterThan(1);
    expect(answers.every(({ status }) => status !== 200)).toBe(true);
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

describe('a thread that crashes', () => {
  it('is started again, while others answer, and nothing that it counted is lost', async () => {
    const { rawKey, id } = await newKey();
    const before = await askMany(60, address + PATH, withKey(rawKey));
    const threads = new Set(before.map(({ thread }) => thread));
    writeFileSync(crashFile(), '');
    await expect.poll(() => log, { timeout: 60_000, interval: 10 }).toContain('restarting in');
    expect(log).toContain('crashed by a test');
    let answered = 60;
    const isBack = async () => {
      const { thread } = await ask(address + PATH, withKey(rawKey));
      answered++;
      return !threads.has(thread);
    };
    await expect.poll(isBack, { timeout: 60_000, interval: 1 }).toBe(true);
    await expect.poll(() => callsOf(id), { timeout: 60_000 }).toBe(answered);
  });
});
