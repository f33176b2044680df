/** Servers of two versions over one Postgres: a rolling restart, the way back, and a contraction. */

import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CliFolder, createCliFolder, type RunningCli } from '../cli/support/run-cli.ts';
import { writeProgram } from '../deploy/newer-program.ts';
import { sharedFolder } from '../support/folders.ts';
import { type RunningPostgres, startPostgres } from '../support/postgres-server.ts';
import { postgresFolder } from '../support/tools.ts';

const KEYS = '/v1/svc/developer/keys';
const SYMBOLS = '/v1/svc/symbols';

/** Adds a column and a table, which an older program does not know. */
const EXPAND = "{ oldest: 1, sql: 'ALTER TABLE keys ADD note TEXT; CREATE TABLE later (x INT)' }";

/** Removes a column that programs before the expansion read. */
const CONTRACT = "{ oldest: 2, sql: 'ALTER TABLE webhooks DROP COLUMN description' }";

function newerProgram(folder: string, ...migrations: string[]): string {
  const list = `\n  },\n  ${migrations.join(',\n  ')},\n];\n\nconst SECRET_BYTES`;
  return writeProgram(folder, [
    ['fleet/postgres/schema.ts', '\n  },\n];\n\nconst SECRET_BYTES', list],
  ]);
}

describe.skipIf(!postgresFolder)('versions over one Postgres', () => {
  const home = sharedFolder();
  let postgres: RunningPostgres;
  let env: Record<string, string>;
  let newer: string;
  let newest: string;
  let rawKey: string;
  let keyId: string;
  const folders: CliFolder[] = [];
  const servers: RunningCli[] = [];

  /** Returns the command line of a version; undefined: of this one. */
  function over(program?: string, dataDir = join(home, 'operator')): CliFolder {
    const folder = createCliFolder({ ...env, TAPEWORKS_DATA_DIR: dataDir }, program);
    folders.push(folder);
    return folder;
  }

  async function start(index: number, program?: string): Promise<void> {
    servers[index] = await over(program, join(home, `machine-${index}`)).start('serve');
  }

  async function send(index: number, path: string, method = 'GET', key = rawKey) {
    const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };
    const body = method === 'POST' ? '{"label":"y","scopes":["quotes:read"]}' : undefined;
    const url = servers[index].document.address + path;
    const response = await fetch(url, { method, headers, body });
    const text = await response.text();
    return { status: response.status, json: text === '' ? undefined : JSON.parse(text) };
  }

  /** Makes a key on each server and revokes it on the other one. */
  async function shareKeys(): Promise<void> {
    for (const [one, other] of [
      [0, 1],
      [1, 0],
    ]) {
      const { status, json } = await send(one, KEYS, 'POST');
      expect(status).toBe(201);
      expect((await send(other, SYMBOLS, 'GET', json.rawKey)).status).toBe(200);
      expect((await send(other, `${KEYS}/${json.id}`, 'DELETE')).status).toBe(204);
      const later = async () => (await send(one, SYMBOLS, 'GET', json.rawKey)).status;
      await expect.poll(later).toBe(401);
    }
  }

  async function check(program?: string) {
    const { code, stdout } = await over(program).run('upgrade', '--check', '--json');
    const { parts, canGoBack } = JSON.parse(stdout);
    const { state, detail } = parts[0];
    return [code, state, detail, canGoBack];
  }

  /** Runs work while a client uses one server, which must never refuse it. */
  async function whileUsed(index: number, work: () => Promise<void>): Promise<void> {
    let isOver = false;
    const client = (async () => {
      while (!isOver) {
        expect((await send(index, SYMBOLS)).status).toBe(200);
        sent++;
      }
    })();
    await work().finally(() => {
      isOver = true;
    });
    await client;
  }
  let sent = 0;

  beforeAll(async () => {
    postgres = await startPostgres();
    env = { TAPEWORKS_ACCOUNTS_URL: await postgres.create('rolling') };
    newer = newerProgram(join(home, 'newer'), EXPAND);
    newest = newerProgram(join(home, 'newest'), EXPAND, CONTRACT);
    const options = ['--mode', 'test', '--label', 'x', '--scopes', 'all', '--limit', 'none'];
    ({ rawKey, id: keyId } = await over().json('keys', 'create', ...options));
    await Promise.all([start(0), start(1)]);
  });
  afterAll(async () => {
    for (const folder of folders) await folder.remove();
    await postgres?.stop();
  });

  it('serve side by side after an expansion, and the older one can come back', async () => {
    expect(await check()).toEqual([0, 'same', 'schema 1', true]);
    expect(await check(newer)).toEqual([3, 'upgraded', 'schema 1 to 2', true]);
    await whileUsed(1, async () => {
      await servers[0].stop();
      await start(0, newer);
      await shareKeys();
    });
    const usable = 'schema 2 of a newer version, which this one can use too';
    expect(await check()).toEqual([0, 'same', usable, true]);
    await whileUsed(1, async () => {
      await servers[0].stop();
      await start(0);
      await shareKeys();
    });
  });

  it('of which the oldest is refused after a contraction, and the others go on', async () => {
    for (const index of [0, 1]) {
      await whileUsed(1 - index, async () => {
        await servers[index].stop();
        await start(index, newer);
      });
    }
    expect(await check(newest)).toEqual([3, 'upgraded', 'schema 2 to 3', true]);
    await whileUsed(1, async () => {
      await servers[0].stop();
      await start(0, newest);
      await shareKeys();
    });
    const refused = 'schema 3 is of a newer version; this one knows up to 1';
    expect(await check()).toEqual([1, 'refused', refused, true]);
    const created = await over().run('keys', 'list');
    expect(created).toMatchObject({ code: 1, stderr: expect.stringContaining('upgrade this') });
  });

  it('have counted every request', async () => {
    const text = `SELECT coalesce(sum(calls), 0)::int AS n FROM usage
       WHERE key_id = '${keyId}' AND endpoint = '/svc/symbols'`;
    const counted = async () => (await postgres.query(text, 'rolling'))[0].n;
    await expect.poll(counted).toBe(sent);
  });
});
