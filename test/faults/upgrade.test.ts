import { cpSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { expect, it } from 'vitest';
import { publish } from '../../jobs/publish.ts';
import { modePaths } from '../../src/data-dir.ts';
import { MIGRATIONS, migrate } from '../../src/store/market/migrations.ts';
import { openMarketForWriting } from '../../src/store/market/open.ts';
import { selectRows } from '../../src/store/market/sql-rows.ts';
import { BATCHES, DEPS, loadOne } from './flow.ts';
import { logicalHash } from './logical-hash.ts';
import { inFreshFolder } from './run-child.ts';
import { TIMEOUT_MS, tell } from './scale.ts';

/** Days only: what every version of the schema can hold. */
const DAYS = BATCHES.flat().filter((load) => 'interval' in load && load.interval === '1d');

/**
 * A store as an earlier version had it: its tables, with those of today's columns that they have.
 *
 * @param from A store of today, whose rows it gets.
 */
async function writeOldStore(path: string, from: string, version: number): Promise<void> {
  const instance = await DuckDBInstance.create(path);
  const connection = await instance.connect();
  try {
    await migrate(connection, DEPS.nowMs, MIGRATIONS.slice(0, version));
    await connection.run(`ATTACH '${from}' AS today (READ_ONLY)`);
    const shared = await selectRows<{ name: string; columns: string }>(
      connection,
      `SELECT table_name AS name, string_agg(column_name, ', ') AS columns FROM duckdb_columns() c
       WHERE database_name <> 'today' AND NOT internal AND table_name NOT IN
           ('schema_migrations', 'source_priority', 'candles')
         AND EXISTS (SELECT 1 FROM duckdb_columns() t JOIN duckdb_tables() o USING (table_name)
           WHERE t.database_name = 'today' AND o.database_name = 'today'
             AND t.table_name = c.table_name AND t.column_name = c.column_name)
         AND table_name IN (SELECT table_name FROM duckdb_tables() WHERE database_name <> 'today')
       GROUP BY ALL`,
    );
    for (const { name, columns } of shared) {
      await connection.run(`INSERT INTO ${name} (${columns}) SELECT ${columns} FROM today.${name}`);
    }
    await connection.run('DETACH today');
    await connection.run('CHECKPOINT');
  } finally {
    connection.disconnectSync();
    instance.closeSync();
  }
}

it(
  'a store of every earlier version is upgraded to the same data',
  async () => {
    await inFreshFolder(async (home) => {
      const today = modePaths(join(home, 'today'), 'live');
      mkdirSync(today.root, { recursive: true });
      for (const load of DAYS) await loadOne(today, load);
      await publish(today, DEPS);
      const expected = logicalHash(today.serving);
      expect(expected.rows).toBeGreaterThan(180);
      const copy = join(home, 'copy.duckdb');
      cpSync(today.market, copy);
      const versions = MIGRATIONS.map(({ version }) => version);
      for (const version of versions.slice(0, -1)) {
        const paths = modePaths(join(home, `v${version}`), 'live');
        mkdirSync(paths.root, { recursive: true });
        const old = join(home, `old-${version}.duckdb`);
        await writeOldStore(old, copy, version);
        renameSync(old, paths.market);
        const market = await openMarketForWriting(paths, DEPS);
        market.close();
        await publish(paths, DEPS);
        expect(logicalHash(paths.serving), `version ${version}`).toEqual(expected);
      }
      tell('upgrades', { versions: versions.length - 1, losses: 0 });
    });
  },
  TIMEOUT_MS,
);
