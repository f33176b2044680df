/**
 * Two servers with data folders of their own and accounts in one Postgres, over HTTP: through
 * PgBouncer, a connection for each transaction, if it is installed.
 */

import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CliFolder, createCliFolder, type RunningCli } from '../cli/support/run-cli.ts';
import { type RunningBouncer, startBouncer } from '../support/pgbouncer.ts';
import { type RunningPostgres, startPostgres } from '../support/postgres-server.ts';
import { pgbouncer, postgresFolder } from '../support/tools.ts';

const KEYS = '/v1/svc/developer/keys';
const SYMBOLS = '/v1/svc/symbols';

describe.skipIf(!postgresFolder)('servers that share accounts', () => {
  let postgres: RunningPostgres;
  let bouncer: RunningBouncer | undefined;
  let folders: CliFolder[];
  let servers: RunningCli[];
  let rawKey: string;

  beforeAll(async () => {
    postgres = await startPostgres();
    const direct = await postgres.create('fleet');
    bouncer = pgbouncer ? await startBouncer(postgres, 'transaction') : undefined;
    const url = bouncer?.through(direct) ?? direct;
    folders = [1, 2].map(() => createCliFolder({ TAPEWORKS_ACCOUNTS_URL: url }));
    ({ rawKey } = await newKey());
    servers = await Promise.all(folders.map((folder) => folder.start('serve')));
  });
  afterAll(async () => {
    await Promise.all(folders.map((folder) => folder.remove()));
    await bouncer?.stop();
    await postgres.stop();
  });

  /** Makes a key without a rate limit. */
  function newKey() {
    const options = ['--mode', 'test', '--label', 'x', '--scopes', 'all', '--limit', 'none'];
    return folders[0].json('keys', 'create', ...options);
  }

  async function send(server: number, path: string, method = 'GET', key = rawKey) {
    const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };
    const body = method === 'POST' ? '{"label":"y","scopes":["quotes:read"]}' : undefined;
    const url = servers[server].document.address + path;
    const response = await fetch(url, { method, headers, body });
    const text = await response.text();
    return { status: response.status, json: text === '' ? undefined : JSON.parse(text) };
  }

  /** Returns the requests of a key that Postgres has. */
  async function counted(keyId: string): Promise<number> {
    const text = `SELECT coalesce(sum(calls), 0)::int AS n FROM usage WHERE key_id = '${keyId}'`;
    return Number((await postgres.query(text, 'fleet'))[0].n);
  }

  it('know a key that the other one makes, and refuse it after its end', async () => {
    const { status, json } = await send(0, KEYS, 'POST');
    expect(status).toBe(201);
    expect((await send(1, SYMBOLS, 'GET', json.rawKey)).status).toBe(200);
    expect((await send(0, `${KEYS}/${json.id}`, 'DELETE')).status).toBe(204);
    const isRefused = async () => (await send(1, SYMBOLS, 'GET', json.rawKey)).status;
    await expect.poll(isRefused).toBe(401);
  });

  it('serve without Postgres, refuse changes, and lose no count', async () => {
    const own = await newKey();
    const statuses = new Set<number>();
    let sent = 0;
    let isOver = false;
    const clients = [0, 1].map(async (server) => {
      while (!isOver) {
        statuses.add((await send(server, SYMBOLS, 'GET', own.rawKey)).status);
        sent++;
        await delay(5);
      }
    });
    await expect.poll(() => counted(own.id)).toBeGreaterThan(0);
    await postgres.kill();
    const refused = await send(0, KEYS, 'POST');
    expect([refused.status, refused.json.error.type]).toEqual([503, 'overloaded_error']);
    const sentBefore = sent;
    await expect.poll(() => sent).toBeGreaterThan(sentBefore + 30);
    await postgres.restart();
    await expect.poll(async () => (await send(0, KEYS, 'POST')).status).toBe(201);
    isOver = true;
    await Promise.all(clients);
    expect([...statuses]).toEqual([200]);
    await expect.poll(() => counted(own.id)).toBe(sent);
  });
});
