/** A Postgres whose defaults are not those of an installation, and changes while it is read. */

import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { accountsPlace } from '../../../src/base/config/data-dir.ts';
import { limits } from '../../../src/base/limits.ts';
import { checkPostgres } from '../../../src/cli/doctor/accounts.ts';
import { openKeyCopy } from '../../../src/fleet/postgres/key-copy.ts';
import { postgresSql } from '../../../src/fleet/postgres/sql.ts';
import type { Sql } from '../../../src/store/accounts/database/sql.ts';
import { openAccounts } from '../../../src/store/accounts/open.ts';
import { newCountMemory } from '../../../src/store/accounts/usage/count-memory.ts';
import { freshFolder } from '../../support/folders.ts';
import { type RunningPostgres, startPostgres } from '../../support/postgres-server.ts';
import { someOf } from '../../support/store-runs.ts';
import { postgresFolder } from '../../support/tools.ts';
import { useLimits } from '../../support/use-limits.ts';

const MACHINES = 6;
const CREATES = 16;

// Creates wait for each other, and a busy machine is slow.
const WAIT_MS = 300_000;
useLimits(limits.postgres, { connectMs: WAIT_MS, statementMs: WAIT_MS, lockMs: WAIT_MS });

describe.skipIf(!postgresFolder)('Postgres with other defaults', () => {
  let postgres: RunningPostgres;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres?.stop());

  const LEVELS = ['serializable', 'repeatable read'];

  it.each(someOf(LEVELS, 2))(
    'gives each create of many machines at once its row: %s',
    async (level) => {
      const name = level.replace(' ', '_');
      const url = await postgres.create(name);
      await postgres.query(`ALTER DATABASE ${name} SET default_transaction_isolation = '${level}'`);
      const machines = Array.from({ length: MACHINES }, () =>
        openAccounts(accountsPlace(freshFolder(), url)),
      );
      onTestFinished(async () => void (await Promise.all(machines.map((one) => one.close()))));
      const each = <T>(work: (i: number) => Promise<T>) =>
        Promise.all(Array.from({ length: MACHINES * CREATES }, (_, i) => work(i)));
      const [{ id: account }] = await Promise.all(
        machines.map((one, i) => one.createAccount({ label: `first ${i}` })),
      );
      const screen = { account, mode: 'live', query: 'sector=technology' } as const;
      await each(async (i) => {
        const one = machines[i % MACHINES];
        await one.createKey({ mode: 'live', label: `key ${i}`, scopes: ['all'], account });
        await one.createScreen({ ...screen, name: `screen ${i}` });
        await one.createAccount({ label: `account ${i}` });
      });
      const [one] = machines;
      expect(await one.listKeys()).toHaveLength(MACHINES * CREATES);
      const part = { limit: 100 };
      expect((await one.listScreenPart(account, 'live', part)).total).toBe(MACHINES * CREATES);
    },
  );

  // A night found it: the second change gave the row a number that the look had not asked for.
  it('tells of a revocation also if the key changes again while it is read', async () => {
    const url = await postgres.create('again');
    const one = openAccounts(accountsPlace(freshFolder(), url));
    const sql = postgresSql(url);
    onTestFinished(async () => void (await Promise.all([one.close(), sql.close()])));
    const { id } = await one.createKey({ mode: 'live', label: 'k', scopes: ['all'], limit: null });
    let changes = 0;
    const between = (own: Sql): Sql => ({
      ...own,
      async all(text, ...values) {
        if (text.includes('FROM spent') && changes++ === 0) await one.revokeKey(id);
        return await own.all(text, ...values);
      },
      transaction: (work, rules) => own.transaction((seen) => work(between(seen)), rules),
    });
    const path = join(freshFolder(), 'accounts-copy.sqlite');
    const ignored = { changed: () => undefined, respent: () => undefined };
    const copy = openKeyCopy(path, between(sql), Date.now, newCountMemory(), ignored);
    onTestFinished(() => copy.db.close());
    await one.revokeKey(id);
    await copy.refresh();
    expect(changes).toBeGreaterThan(0);
    const { revoked_at } = copy.db.prepare('SELECT revoked_at FROM keys WHERE id = ?').get(id)!;
    expect(revoked_at).toEqual(expect.any(Number));
  });

  it.each(someOf(LEVELS, 2))(
    'counts each statement of many connections on one row: %s',
    async (level) => {
      const name = `row_${level.replace(' ', '_')}`;
      const url = await postgres.create(name);
      await postgres.query(`ALTER DATABASE ${name} SET default_transaction_isolation = '${level}'`);
      const pools = Array.from({ length: MACHINES }, () => postgresSql(url));
      onTestFinished(async () => void (await Promise.all(pools.map((one) => one.close()))));
      const count = 'UPDATE streamed_head SET seq = seq + 1';
      await Promise.all(Array.from({ length: 96 }, (_, i) => pools[i % MACHINES].run(count)));
      expect(await pools[0].get('SELECT seq FROM streamed_head')).toEqual({ seq: 96 });
    },
  );

  it.each([
    ['read_only', 'default_transaction_read_only = on', 'set default_transaction_read_only to off'],
    ['old', 'search_path = old, pg_catalog, public', 'its version is older than 15'],
    ['standby', 'search_path = standby, pg_catalog, public', 'it is a replica'],
  ])('is refused by doctor: %s', async (name, setting, fault) => {
    const url = await postgres.create(name);
    // Functions of ours in the place of those of another server.
    await postgres.query(
      `CREATE SCHEMA old;
       CREATE FUNCTION old.current_setting(name text) RETURNS text LANGUAGE sql AS $$
         SELECT CASE name WHEN 'server_version_num' THEN '140012'
           ELSE pg_catalog.current_setting(name) END $$;
       CREATE SCHEMA standby;
       CREATE FUNCTION standby.pg_is_in_recovery() RETURNS bool LANGUAGE sql AS 'SELECT true'`,
      name,
    );
    await postgres.query(`ALTER DATABASE ${name} SET ${setting}`);
    expect(await checkPostgres({ accountsUrl: url })).toMatchObject([
      { state: 'failed', detail: expect.stringContaining(fault) },
    ]);
  });
});
