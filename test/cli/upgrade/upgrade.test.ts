/** `upgrade --check` over data of older and newer versions. */

import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, describe, expect, it } from 'vitest';
import { KEY_PREFIX } from '../../../jobs/redis/connection.ts';
import { accountsPath, modePaths } from '../../../src/base/config/data-dir.ts';
import { createRedis } from '../../../src/base/redis/redis-client.ts';
import { ACCOUNTS_VERSION } from '../../../src/store/accounts/sqlite/schema.ts';
import { FORMAT, OLDEST_FORMAT } from '../../../src/store/arrow/format/manifest.ts';
import { STORE_VERSION } from '../../../src/store/duckdb/connection/migrations.ts';
import { openMarketForWriting } from '../../../src/store/duckdb/connection/open.ts';
import { SCHEMA_VERSIONS } from '../../../src/store/duckdb/connection/schema-versions.ts';
import { OLD_ACCOUNTS_VERSION, writeOldAccounts } from '../../faults/support/old-accounts.ts';
import { writeOldManifest, writeOldStore } from '../../faults/support/old-store.ts';
import { startRedis } from '../../support/redis-server.ts';
import { long } from '../../support/store-runs.ts';
import { redisServer } from '../../support/tools.ts';
import { type CliFolder, createCliFolder } from '../support/run-cli.ts';

let folder: CliFolder;
afterEach(() => folder?.remove());

async function check() {
  const { code, stdout } = await folder.run('upgrade', '--check', '--json');
  const report = JSON.parse(stdout);
  const states: Record<string, string> = {};
  for (const { part, state, detail } of report.parts) states[part] = `${state}: ${detail}`;
  return { code, states, canGoBack: report.canGoBack, seconds: report.seconds };
}

/** Returns a hash of every file, so that a check that writes is seen. */
function contentOf(dir: string): string[] {
  return readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(dir, name)).isFile() && !/-(wal|shm)$/.test(name))
    .map(
      (name) =>
        `${name} ${createHash('sha256')
          .update(readFileSync(join(dir, name)))
          .digest('hex')}`,
    )
    .sort();
}

const OLDER_STORE_VERSION = [...SCHEMA_VERSIONS.keys()].at(-2)!;

/** Fills the folder with data of the version before this one. */
async function writeOlderData(): Promise<void> {
  const { dataDir } = folder;
  const paths = modePaths(dataDir, 'live');
  const today = modePaths(join(dataDir, 'today'), 'live');
  for (const { root } of [paths, today]) mkdirSync(root, { recursive: true });
  (await openMarketForWriting(today, { verb: 'test' })).close();
  await writeOldStore(paths.market, today.market, OLDER_STORE_VERSION);
  writeOldManifest(paths.serving, OLDEST_FORMAT - 1);
  writeOldAccounts(accountsPath(dataDir));
}

describe('upgrade --check', () => {
  it('changes nothing over an empty folder', async () => {
    folder = createCliFolder();
    const { code, canGoBack, seconds } = await check();
    expect([code, canGoBack, seconds]).toEqual([0, true, 0]);
    expect(readdirSync(folder.dataDir)).toEqual([]);
  });

  it('names each part of an older version, writes nothing, and exits with 3', async () => {
    folder = createCliFolder();
    await writeOlderData();
    const before = contentOf(folder.dataDir);
    const { code, states, canGoBack, seconds } = await check();
    expect(states).toEqual({
      accounts: `upgraded: schema ${OLD_ACCOUNTS_VERSION} to ${ACCOUNTS_VERSION}`,
      'live store': `upgraded: schema ${OLDER_STORE_VERSION} to ${STORE_VERSION}`,
      'live published files': `upgraded: format ${OLDEST_FORMAT - 1} to ${FORMAT}`,
      'sandbox store': 'same: none yet',
      'sandbox published files': 'same: none yet',
    });
    expect([code, canGoBack]).toEqual([3, false]);
    expect(seconds).toBeGreaterThan(0);
    expect(contentOf(folder.dataDir)).toEqual(before);
  });

  long('finds nothing more once the first write has upgraded', async () => {
    folder = createCliFolder();
    await writeOlderData();
    await folder.json('keys', 'create', '--mode', 'live', '--label', 'a', '--scopes', 'all');
    (await openMarketForWriting(modePaths(folder.dataDir, 'live'), { verb: 'test' })).close();
    const { states } = await check();
    expect(states.accounts).toBe(`same: schema ${ACCOUNTS_VERSION}`);
    expect(states['live store']).toBe(`same: schema ${STORE_VERSION}`);
  });

  it('refuses accounts of a newer version', async () => {
    folder = createCliFolder();
    await folder.json('keys', 'create', '--mode', 'live', '--label', 'a', '--scopes', 'all');
    const db = new DatabaseSync(accountsPath(folder.dataDir));
    db.exec(`INSERT INTO schema_migrations VALUES (${ACCOUNTS_VERSION + 1}, 0)`);
    db.close();
    const { code, states } = await check();
    expect(code).toBe(1);
    const known = `this one knows up to ${ACCOUNTS_VERSION}`;
    expect(states.accounts).toBe(
      `refused: schema ${ACCOUNTS_VERSION + 1} is of a newer version; ${known}`,
    );
  });

  it('refuses a store and accounts of development versions', async () => {
    folder = createCliFolder();
    await writeOlderData();
    const paths = modePaths(folder.dataDir, 'live');
    const market = await openMarketForWriting(paths, { verb: 'test' });
    await market.connection.run('UPDATE schema_migrations SET version = 7');
    market.close();
    const db = new DatabaseSync(accountsPath(folder.dataDir));
    db.exec('UPDATE schema_migrations SET version = 13');
    db.close();
    const { code, states } = await check();
    const old = (version: number, from: number) =>
      `refused: schema ${version} is of a development version; this one upgrades from ${from}`;
    expect([code, states.accounts, states['live store']]).toEqual([1, old(13, 14), old(7, 8)]);
  });

  it('does not wait for a load that has the store', async () => {
    folder = createCliFolder();
    const paths = modePaths(folder.dataDir, 'live');
    mkdirSync(paths.root, { recursive: true });
    const market = await openMarketForWriting(paths, { verb: 'backfill files' });
    try {
      const { code, states } = await check();
      expect(code).toBe(1);
      expect(states['live store']).toMatch(/^unknown: in use by /);
    } finally {
      market.close();
    }
  });

  it('needs --check, because the first write upgrades', async () => {
    folder = createCliFolder();
    const { code, stderr } = await folder.run('upgrade');
    expect([code, stderr]).toEqual([2, expect.stringContaining('needs --check')]);
  });

  it.skipIf(!redisServer)('refuses jobs that a newer version has added to Redis', async () => {
    const redis = await startRedis();
    folder = createCliFolder({ TAPEWORKS_REDIS_URL: redis.url });
    const client = createRedis(redis.url, 'producer');
    try {
      const found = await check();
      expect([found.code, found.states['jobs in Redis']]).toEqual([
        0,
        'same: 0 unfinished, all readable',
      ]);
      const key = `${KEY_PREFIX}:fetch`;
      const data = JSON.stringify({ mode: 'live', later: 1 });
      await client.hset(`${key}:a-b-0`, { name: 'yahoo', data, opts: '{}', timestamp: 1 });
      await client.rpush(`${key}:wait`, 'a-b-0');
      const { code, states } = await check();
      expect([code, states['jobs in Redis']]).toEqual([
        1,
        'refused: 1 of 1 unfinished jobs are of another version, fetch a-b-0 first: ' +
          'let the older workers finish them',
      ]);
    } finally {
      client.disconnect();
      await redis.remove();
    }
  });
});
