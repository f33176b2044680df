/** Migrations of programs of several versions over one Postgres. */

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { settingsFromEnv } from '../../../src/base/config/config.ts';
import { upgradeParts } from '../../../src/cli/upgrade/parts.ts';
import { columnsOf } from '../../../src/fleet/postgres/columns.ts';
import {
  MIGRATIONS,
  type Migration,
  migratePostgres,
  schemaChange,
} from '../../../src/fleet/postgres/schema.ts';
import { connectClient } from '../../../src/fleet/postgres/sql.ts';
import { freshFolder } from '../../support/folders.ts';
import { type RunningPostgres, startPostgres } from '../../support/postgres-server.ts';
import { postgresFolder } from '../../support/tools.ts';

const EXPAND: Migration = { oldest: MIGRATIONS.length, sql: 'ALTER TABLE keys ADD note TEXT' };
const CONTRACT: Migration = {
  oldest: MIGRATIONS.length + 1,
  sql: 'ALTER TABLE webhooks DROP COLUMN description',
};
const EXPANDED = [...MIGRATIONS, EXPAND];
const CONTRACTED = [...EXPANDED, CONTRACT];

describe.skipIf(!postgresFolder)('the schema in Postgres', () => {
  let postgres: RunningPostgres;
  let url: string;
  let count = 0;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres?.stop());
  beforeEach(async () => {
    url = await postgres.create(`schema_${count++}`);
  });

  async function withClient<T>(
    use: (client: Awaited<ReturnType<typeof connectClient>>) => Promise<T>,
  ) {
    const client = await connectClient(url);
    try {
      return await use(client);
    } finally {
      await client.end();
    }
  }
  const migrate = (migrations?: readonly Migration[]) =>
    withClient((client) => migratePostgres(client, migrations));
  const change = (migrations?: readonly Migration[]) =>
    withClient((client) => schemaChange(client, migrations));

  async function part() {
    const settings = { ...settingsFromEnv({}), dataDir: freshFolder(), accountsUrl: url };
    const { state, detail } = (await upgradeParts(settings))[0];
    return [state, detail];
  }

  it('is made by one of several that start at once', async () => {
    expect(await part()).toEqual(['same', 'none yet']);
    await Promise.all([migrate(EXPANDED), migrate(EXPANDED), migrate(EXPANDED)]);
    const rows = await withClient((client) => client.query('SELECT * FROM schema_migrations'));
    expect(rows.rowCount).toBe(EXPANDED.length);
  });

  it('that a newer program has expanded is used by this one, before and after', async () => {
    await migrate();
    expect(await part()).toEqual(['same', `schema ${MIGRATIONS.length}`]);
    expect(await change(EXPANDED)).toMatchObject({ isRefused: false, canGoBack: true });
    await migrate(EXPANDED);
    await migrate();
    const detail = `schema ${EXPANDED.length} of a newer version, which this one can use too`;
    expect(await part()).toEqual(['same', detail]);
  });

  it('that a newer program has contracted is refused, and both versions are named', async () => {
    await migrate();
    expect((await change(CONTRACTED)).canGoBack).toBe(false);
    await migrate(EXPANDED);
    expect((await change(CONTRACTED)).canGoBack).toBe(true);
    await migrate(CONTRACTED);
    await migrate(EXPANDED);
    await expect(migrate()).rejects.toThrow(
      `needs schema version "${EXPANDED.length}", and this program has ${MIGRATIONS.length}`,
    );
    const known = `this one knows up to ${MIGRATIONS.length}`;
    const detail = `schema ${CONTRACTED.length} is of a newer version; ${known}`;
    expect(await part()).toEqual(['refused', detail]);
  });

  it('stays as it was if a step fails', async () => {
    await migrate();
    const broken = [...EXPANDED, { oldest: 1, sql: 'ALTER TABLE none ADD x INT' }];
    await expect(migrate(broken)).rejects.toThrow('none');
    expect(await part()).toEqual(['same', `schema ${MIGRATIONS.length}`]);
  });

  // Schema 1 of a development version had no columns for the run of a backfill.
  it('without columns of its version gets them, and the check names them', async () => {
    await migrate();
    const drop = 'ALTER TABLE backfills DROP COLUMN run, DROP COLUMN cancelled_at';
    await withClient((client) => client.query(drop));
    const added = '"backfills.run", "backfills.cancelled_at" are added: they were missing';
    expect(await part()).toEqual(['upgraded', `schema ${MIGRATIONS.length}, and ${added}`]);
    expect((await change()).canGoBack).toBe(true);
    await Promise.all([migrate(), migrate()]);
    expect(await part()).toEqual(['same', `schema ${MIGRATIONS.length}`]);
  });

  it('without a column that every row needs is refused', async () => {
    await migrate();
    await withClient((client) => client.query('ALTER TABLE keys DROP COLUMN key_prefix'));
    const lacks = 'lacks "keys.key_prefix"';
    expect(await part()).toEqual(['refused', expect.stringContaining(lacks)]);
    await expect(migrate()).rejects.toThrow(lacks);
  });

  it('has the columns that are read from the migrations, and no others', async () => {
    await migrate(CONTRACTED);
    const { rows } = await withClient((client) =>
      client.query(`SELECT table_name || '.' || column_name AS name
        FROM information_schema.columns WHERE table_schema = current_schema()`),
    );
    const real = rows.map(({ name }) => name).filter((name) => !/^schema_migrations/.test(name));
    const tables = columnsOf(CONTRACTED.map(({ sql }) => sql));
    const read = [...tables].flatMap(([table, columns]) =>
      [...columns.keys()].map((column) => `${table}.${column}`),
    );
    expect(read.sort()).toEqual(real.sort());
    expect(tables.get('keys')?.get('note')).toBe('TEXT');
  });

  it('is unknown to an upgrade check while Postgres is away', async () => {
    url = 'postgres://tapeworks@127.0.0.1:1/none';
    expect(await part()).toEqual(['unknown', expect.stringContaining('could not be reached')]);
  });
});
