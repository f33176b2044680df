/** Machines that share a Postgres: each has its own copy of the keys, and Postgres may fail. */

import { randomBytes } from 'node:crypto';
import { copyFileSync, readdirSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { accountsPlace } from '../../../../src/base/config/data-dir.ts';
import { AccountsUnreachableError } from '../../../../src/base/errors.ts';
import { limits } from '../../../../src/base/limits.ts';
import type { ValidKey } from '../../../../src/store/accounts/keys/key-record.ts';
import { openAccounts } from '../../../../src/store/accounts/open.ts';
import type { Accounts } from '../../../../src/store/accounts/records/contract.ts';
import { newCountMemory } from '../../../../src/store/accounts/usage/count-memory.ts';
import type { NewWebhook } from '../../../../src/store/accounts/webhooks/webhook-record.ts';
import { freshFolder } from '../../../support/folders.ts';
import { startBouncer } from '../../../support/pgbouncer.ts';
import { type RunningPostgres, startPostgres } from '../../../support/postgres-server.ts';
import { long } from '../../../support/store-runs.ts';
import { pgbouncer, postgresFolder } from '../../../support/tools.ts';

const KEY = { mode: 'live', label: 'x', scopes: ['all'] } as const;
const WEBHOOK: NewWebhook = {
  account: 'a',
  mode: 'live',
  url: 'https://example.com/',
  events: ['data.ready'],
};
/** All usage of live mode. */
const ALL_USAGE = { mode: 'live', fromDay: 0, toDay: 99_999, rowsMax: 9 } as const;

interface Machine {
  accounts: Accounts;
  clock: { nowMs: number };
  folder: string;
}

async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  await expect.poll(isTrue).toBe(true);
}

/** A proxy that can cut connections right after a commit was sent, before its reply. */
async function lossyProxy(port: number) {
  let isCutting = false;
  let cuts = 0;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(port, '127.0.0.1');
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        client.destroy();
        upstream.destroy();
      });
    }
    let isLost = false;
    client.on('data', (bytes) => {
      if (isCutting && bytes.includes('COMMIT')) {
        isLost = true;
        isCutting = false;
        cuts++;
      }
      upstream.write(bytes);
    });
    upstream.on('data', (bytes) => {
      if (isLost) client.destroy();
      else client.write(bytes);
    });
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    port: (server.address() as { port: number }).port,
    cutNextCommit: () => {
      isCutting = true;
    },
    cuts: () => cuts,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

describe.skipIf(!postgresFolder)('machines that share a Postgres', () => {
  let server: RunningPostgres;
  let url: string;
  let count = 0;
  beforeAll(async () => {
    server = await startPostgres(['fsync=on']);
  });
  afterAll(() => server?.stop());
  beforeEach(async () => {
    url = await server.create(`fleet_${count++}`);
  });

  function machine(address = url): Machine {
    const folder = freshFolder();
    const clock = { nowMs: Date.now() };
    const accounts = openAccounts(accountsPlace(folder, address), () => clock.nowMs);
    // A test may have closed them itself.
    onTestFinished(() => accounts.close().catch(() => undefined));
    return { accounts, clock, folder };
  }

  const useOf = ({ clock }: Machine, key: ValidKey, tokens = 1) => ({
    ...{ key, atMs: clock.nowMs, endpoint: '/svc/symbols', method: 'GET' },
    ...{ isError: false, tokens },
  });

  async function calls({ accounts }: Machine): Promise<number> {
    const rows = await accounts.dailyKeyUsage(ALL_USAGE);
    return rows.reduce((sum, { callCount }) => sum + callCount, 0);
  }

  it('start together on an empty database, and make its tables once', async () => {
    const machines = [machine(), machine(), machine(), machine()];
    await Promise.all(machines.map(({ accounts }) => accounts.createKey(KEY)));
    expect(await machines[0].accounts.listKeys()).toHaveLength(4);
    const secrets = await Promise.all(
      machines.map(async ({ accounts }) => {
        await accounts.refresh();
        return accounts.cursorSecret().toString('hex');
      }),
    );
    expect(new Set(secrets).size).toBe(1);
  });

  it('admit a new key and refuse a revoked one without a look of their own', async () => {
    const [one, two] = [machine(), machine()];
    const { id, rawKey } = await one.accounts.createKey(KEY);
    await until(() => two.accounts.findKey(rawKey) !== undefined);
    const version = two.accounts.version();
    const startMs = performance.now();
    await one.accounts.revokeKey(id);
    expect(one.accounts.findKey(rawKey)).toBeUndefined();
    await until(() => two.accounts.findKey(rawKey) === undefined);
    console.log(`revoked elsewhere after ${(performance.now() - startMs).toFixed(0)} ms`);
    expect(two.accounts.version()).not.toBe(version);
  });

  it('tell threads of a second server over one data folder of a revocation', async () => {
    const one = machine();
    const place = accountsPlace(one.folder, url);
    const memory = newCountMemory();
    const second = openAccounts(place, Date.now, { memory });
    const thread = openAccounts(place, Date.now, { memory, post: second.addCounts });
    onTestFinished(async () => {
      await thread.close();
      await second.close();
    });
    const { id, rawKey } = await one.accounts.createKey(KEY);
    await until(() => thread.findKey(rawKey) !== undefined);
    await second.refresh();
    const version = thread.version();
    await one.accounts.revokeKey(id);
    // Threads keep keys that they have found until this number changes.
    await until(() => thread.version() !== version);
    expect(thread.findKey(rawKey)).toBeUndefined();
  });

  it.skipIf(!pgbouncer).each(['transaction', 'session'] as const)(
    'through a pooler, a connection for each %s: share keys, revocations, claims and usage',
    async (pool) => {
      const bouncer = await startBouncer(server, pool);
      onTestFinished(bouncer.stop);
      const pooled = bouncer.through(url);
      const machines = [machine(pooled), machine(pooled), machine(pooled)];
      const [one, two] = machines;
      const made = await Promise.all(machines.map(({ accounts }) => accounts.createKey(KEY)));
      await until(() => made.every(({ rawKey }) => two.accounts.findKey(rawKey) !== undefined));
      const startMs = performance.now();
      await one.accounts.revokeKey(made[0].id);
      await until(() => two.accounts.findKey(made[0].rawKey) === undefined);
      console.log(
        `${pool}: revoked elsewhere after ${(performance.now() - startMs).toFixed(0)} ms`,
      );
      const id = Buffer.alloc(32, 9);
      const claims = await Promise.all(machines.map(({ accounts }) => accounts.claim(id)));
      expect(claims.map(({ state }) => state).sort()).toEqual(['claimed', 'running', 'running']);
      for (const own of machines) {
        await until(() => own.accounts.findKey(made[1].rawKey) !== undefined);
        own.accounts.count(useOf(own, own.accounts.findKey(made[1].rawKey)!));
      }
      await until(async () => (await calls(one)) === 3);
    },
  );

  it('give work of one Idempotency-Key to one of them', async () => {
    const machines = [machine(), machine(), machine()];
    const id = Buffer.alloc(32, 7);
    const claims = await Promise.all(machines.map(({ accounts }) => accounts.claim(id)));
    expect(claims.map(({ state }) => state).sort()).toEqual(['claimed', 'running', 'running']);
  });

  it('add up their usage, and see the tokens that the others have spent', async () => {
    const [one, two] = [machine(), machine()];
    await one.accounts.createAccount({ id: 'acme', label: 'x', plan: { tokensPerDay: 100 } });
    const { rawKey } = await one.accounts.createKey({ ...KEY, account: 'acme' });
    await two.accounts.refresh();
    const [first, second] = [one, two].map(({ accounts }) => accounts.findKey(rawKey)!);
    // As admission does before each request.
    expect(one.accounts.tokensUsed(first, one.clock.nowMs)).toBe(0);
    expect(two.accounts.tokensUsed(second, two.clock.nowMs)).toBe(0);
    for (let i = 0; i < 10; i++) one.accounts.count(useOf(one, first, 3));
    two.accounts.count(useOf(two, second, 5));
    await until(() => two.accounts.tokensUsed(second, two.clock.nowMs) === 35);
    await until(() => one.accounts.tokensUsed(first, one.clock.nowMs) === 35);
    expect(await calls(one)).toBe(11);
  });

  it('lose and double no usage if replies to commits are lost', async () => {
    const proxy = await lossyProxy(server.port);
    onTestFinished(proxy.close);
    const one = machine(url.replace(String(server.port), String(proxy.port)));
    const { rawKey } = await one.accounts.createKey(KEY);
    const key = one.accounts.findKey(rawKey)!;
    for (let round = 1; round <= 3; round++) {
      proxy.cutNextCommit();
      for (let i = 0; i < 10; i++) one.accounts.count(useOf(one, key));
      await until(() => proxy.cuts() === round);
    }
    one.accounts.count(useOf(one, key));
    await until(async () => (await calls(one).catch(() => 0)) === 31);
  });

  long('forget old senders and totals of past days, and add no late batch twice', async () => {
    const [one, two, late] = [machine(), machine(), machine()];
    const { rawKey } = await one.accounts.createKey(KEY);
    const key = one.accounts.findKey(rawKey)!;
    one.accounts.count(useOf(one, key, 3));
    await until(async () => (await calls(one)) === 1);
    const query = (text: string) => server.query(text, new URL(url).pathname.slice(1));
    const today = Math.floor(Date.now() / 86_400_000);
    const aged = `(extract(epoch FROM now()) - 86400 * 89) * 1000`;
    await query(`UPDATE usage_senders SET sent_at = sent_at - 91 * 86400000::bigint;
      INSERT INTO usage_senders VALUES ('late', 5, ${aged});
      UPDATE spent SET day = ${today - limits.postgres.spentDays - 1}`);
    await two.accounts.refresh();
    // Its reply was lost 89 days ago.
    const copy = new DatabaseSync(accountsPlace(late.folder, url).copyPath);
    copy
      .prepare("INSERT INTO sending VALUES ('late', 5, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
      .run(key.account, key.mode, today, key.id, '/svc/news', 'GET', 100, 0, 100, Date.now());
    copy.close();
    await late.accounts.refresh();
    late.accounts.count(useOf(late, key, 2));
    two.accounts.count(useOf(two, key, 1));
    await until(async () => (await calls(two)) === 3);
    await until(async () => (await query('SELECT day FROM spent')).length === 1);
    expect(await query('SELECT day::int, tokens::int FROM spent')).toEqual([
      { day: today, tokens: 3 },
    ]);
    const senders = await query('SELECT batch::int FROM usage_senders ORDER BY batch');
    expect(senders.map(({ batch }) => batch)).toEqual([1, 1, 5]);
    const held = new DatabaseSync(accountsPlace(two.folder, url).copyPath, { readOnly: true });
    const days = () => held.prepare('SELECT day FROM spent').all();
    await until(() => days().length === 1);
    expect(days()).toEqual([{ day: today }]);
    held.close();
  });

  it('admit known keys while Postgres is dead, and lose no count over a restart', async () => {
    const one = machine();
    const { rawKey } = await one.accounts.createKey(KEY);
    const revoked = await one.accounts.createKey(KEY);
    await one.accounts.revokeKey(revoked.id);
    const key = one.accounts.findKey(rawKey)!;
    await server.kill();
    one.accounts.count(useOf(one, key));
    expect(one.accounts.findKey(rawKey)?.id).toBe(key.id);
    await expect(one.accounts.createKey(KEY)).rejects.toThrow(AccountsUnreachableError);
    await one.accounts.close();
    const again = openAccounts(accountsPlace(one.folder, url), () => one.clock.nowMs);
    onTestFinished(() => again.close());
    expect(again.cursorSecret()).toHaveLength(32);
    expect(again.findKey(rawKey)?.id).toBe(key.id);
    expect(again.findKey(revoked.rawKey)).toBeUndefined();
    again.version();
    one.clock.nowMs += limits.postgres.staleMs + limits.postgres.pollMs * 20 + 1000;
    expect(() => again.version()).toThrow(AccountsUnreachableError);
    await server.restart();
    await until(async () => {
      const rows = await again.dailyKeyUsage(ALL_USAGE).catch(() => []);
      return rows[0]?.callCount === 1;
    });
    // Counts and keys are looked at apart, and either may come first.
    await until(() => again.version() >= 0);
  });

  it('wait a bounded time for a Postgres that is paused', async () => {
    const one = machine();
    const { rawKey } = await one.accounts.createKey(KEY);
    await server.freeze();
    onTestFinished(() => server.thaw());
    const failing = one.accounts.createKey(KEY).catch((error) => error);
    expect(one.accounts.findKey(rawKey)).toBeDefined();
    expect(await failing).toBeInstanceOf(AccountsUnreachableError);
    server.thaw();
    await until(async () => (await one.accounts.listKeys().catch(() => [])).length >= 1);
  });

  it('refuse a webhook where the key file of the others is missing', async () => {
    const [one, two] = [machine(), machine()];
    await one.accounts.createAccount({ id: 'a', label: 'a' });
    const { id, secret } = await one.accounts.createWebhook(WEBHOOK);
    await expect(two.accounts.createWebhook(WEBHOOK)).rejects.toThrow('webhook.key');
    copyFileSync(join(one.folder, 'webhook.key'), join(two.folder, 'webhook.key'));
    expect(await two.accounts.webhookSecrets(id)).toEqual([secret]);
    await two.accounts.createWebhook(WEBHOOK);
  });

  it('read each other’s secrets by the key of the setting, without a file', async () => {
    vi.stubEnv('TAPEWORKS_WEBHOOK_KEY', randomBytes(32).toString('base64'));
    onTestFinished(() => void vi.unstubAllEnvs());
    const [one, two] = [machine(), machine()];
    await one.accounts.createAccount({ id: 'a', label: 'a' });
    const { id, secret } = await one.accounts.createWebhook(WEBHOOK);
    expect(await two.accounts.webhookSecrets(id)).toEqual([secret]);
    await two.accounts.createWebhook(WEBHOOK);
    for (const { folder } of [one, two]) expect(readdirSync(folder)).not.toContain('webhook.key');
    vi.stubEnv('TAPEWORKS_WEBHOOK_KEY', randomBytes(32).toString('base64'));
    const other = machine();
    await expect(other.accounts.createWebhook(WEBHOOK)).rejects.toThrow(
      'another key than that of TAPEWORKS_WEBHOOK_KEY',
    );
  });
});
