/** Backups of accounts in Postgres, to a folder and to object storage, while others write. */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { backup } from '../../../jobs/backup/backup.ts';
import { backupToObjects, restoreFromObjects } from '../../../jobs/backup/objects.ts';
import { restore } from '../../../jobs/backup/restore.ts';
import { accountsPlace, modePaths } from '../../../src/base/config/data-dir.ts';
import { openAccounts } from '../../../src/store/accounts/open.ts';
import type { Accounts } from '../../../src/store/accounts/records/contract.ts';
import { checkAccountsFile } from '../../../src/store/accounts/sqlite/check.ts';
import { freshFolder, sharedFolder } from '../../support/folders.ts';
import { type RunningPostgres, startPostgres } from '../../support/postgres-server.ts';
import { postgresFolder } from '../../support/tools.ts';

const DEPS = { verb: 'backup', nowMs: Date.now() };
const KEY = { mode: 'live', label: 'x', scopes: ['all'] } as const;

describe.skipIf(!postgresFolder)('a backup of accounts in Postgres', () => {
  let postgres: RunningPostgres;
  let url: string;
  let dataDir: string;
  let living: Accounts;
  let kept: string;
  let revokedLater: { id: string; rawKey: string };
  const home = sharedFolder();
  const target = join(home, 'saved');
  const bucket = pathToFileURL(join(home, 'bucket')).href;

  beforeAll(async () => {
    postgres = await startPostgres();
    url = await postgres.create('living');
    vi.stubEnv('TAPEWORKS_ACCOUNTS_URL', url);
    dataDir = join(home, 'data');
    mkdirSync(modePaths(dataDir, 'live').root, { recursive: true });
    living = openAccounts(accountsPlace(dataDir));
    kept = (await living.createKey(KEY)).rawKey;
    revokedLater = await living.createKey(KEY);
    let isOver = false;
    const writing = (async () => {
      while (!isOver) await living.createKey({ ...KEY, account: `a${Math.random()}` });
    })();
    await backup({ dataDir, target }, DEPS);
    await backupToObjects({ dataDir, target: bucket }, DEPS);
    isOver = true;
    await writing;
    await living.revokeKey(revokedLater.id);
  });
  afterEach(() => vi.stubEnv('TAPEWORKS_ACCOUNTS_URL', url));
  afterAll(async () => {
    vi.unstubAllEnvs();
    await living?.close();
    await postgres?.stop();
  });

  /** Returns the state of both keys in the accounts of a folder. */
  async function keysOf(folder: string): Promise<boolean[]> {
    const accounts = openAccounts(accountsPlace(folder));
    await accounts.refresh();
    const found = [kept, revokedLater.rawKey].map((key) => accounts.findKey(key) !== undefined);
    await accounts.close();
    return found;
  }

  it('has them as of one moment', () => {
    checkAccountsFile(join(target, 'accounts.sqlite'));
  });

  it('is restored to an empty Postgres', async () => {
    vi.stubEnv('TAPEWORKS_ACCOUNTS_URL', await postgres.create('empty'));
    const folder = freshFolder();
    expect(await restore(target, { dataDir: folder }, {})).toMatchObject({ accounts: 'moved' });
    expect(await keysOf(freshFolder())).toEqual([true, true]);
  });

  it('from object storage too', async () => {
    vi.stubEnv('TAPEWORKS_ACCOUNTS_URL', await postgres.create('another'));
    const report = await restoreFromObjects(bucket, { dataDir: freshFolder() }, {});
    expect(report.accounts).toBe('moved');
    expect(await keysOf(freshFolder())).toEqual([true, true]);
  });

  it('leaves a living Postgres as it is', async () => {
    const folder = freshFolder();
    expect(await restore(target, { dataDir: folder }, {})).toMatchObject({ accounts: 'kept' });
    expect(await keysOf(freshFolder())).toEqual([true, false]);
  });

  it('is restored beside a Postgres that is away', async () => {
    vi.stubEnv('TAPEWORKS_ACCOUNTS_URL', 'postgres://tapeworks@127.0.0.1:1/none');
    const folder = freshFolder();
    const report = await restore(target, { dataDir: folder }, {});
    expect(report.accounts).toBe('unreachable');
    vi.stubEnv('TAPEWORKS_ACCOUNTS_URL', '');
    expect(await keysOf(folder)).toEqual([true, true]);
  });

  it('is restored to the embedded database without a setting', async () => {
    vi.stubEnv('TAPEWORKS_ACCOUNTS_URL', '');
    const folder = freshFolder();
    expect((await restore(target, { dataDir: folder }, {})).accounts).toBeUndefined();
    expect(await keysOf(folder)).toEqual([true, true]);
  });

  it('fails, and is not whole, if Postgres is away', async () => {
    vi.stubEnv('TAPEWORKS_ACCOUNTS_URL', 'postgres://tapeworks@127.0.0.1:1/none');
    const place = { dataDir, target: join(freshFolder(), 'saved') };
    await expect(backup(place, DEPS)).rejects.toThrow('could not be reached');
    await expect(restore(place.target, { dataDir: freshFolder() }, {})).rejects.toThrow(
      'no finished backup',
    );
    // The same command continues it.
    vi.stubEnv('TAPEWORKS_ACCOUNTS_URL', url);
    await backup(place, DEPS);
  });
});
