/** A Postgres whose defaults are not those of an installation. */

import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { accountsPlace } from '../../../src/base/config/data-dir.ts';
import { checkPostgres } from '../../../src/cli/doctor/accounts.ts';
import { postgresSql } from '../../../src/fleet/postgres/sql.ts';
import { openAccounts } from '../../../src/store/accounts/open.ts';
import { freshFolder } from '../../support/folders.ts';
import { type RunningPostgres, startPostgres } from '../../support/postgres-server.ts';
import { postgresFolder } from '../../support/tools.ts';

const MACHINES = 6;
const CREATES = 16;

describe.skipIf(!postgresFolder)('Postgres with other defaults', () => {
  let postgres: RunningPostgres;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres?.stop());

  const LEVELS = ['serializable', 'repeatable read'];

  it.each(LEVELS)('gives each create of many machines at once its row: %s', async (level) => {
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
  });

  it.each(LEVELS)('counts each statement of many connections on one row: %s', async (level) => {
    const name = `row_${level.replace(' ', '_')}`;
    const url = await postgres.create(name);
    await postgres.query(`ALTER DATABASE ${name} SET default_transaction_isolation = '${level}'`);
    const pools = Array.from({ length: MACHINES }, () => postgresSql(url));
    onTestFinished(async () => void (await Promise.all(pools.map((one) => one.close()))));
    const count = 'UPDATE streamed_head SET seq = seq + 1';
    await Promise.all(Array.from({ length: 96 }, (_, i) => pools[i % MACHINES].run(count)));
    expect(await pools[0].get('SELECT seq FROM streamed_head')).toEqual({ seq: 96 });
  });

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
