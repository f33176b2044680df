import { DuckDBInstance } from '@duckdb/node-api';
import { describe, expect, onTestFinished, test } from 'vitest';
import { required, symbol } from '../../../../src/base/datasets/columns.ts';
import type { Dataset } from '../../../../src/base/datasets/dataset.ts';
import { StoreVersionError } from '../../../../src/base/errors.ts';
import {
  datasetStatements,
  datasetVersions,
} from '../../../../src/store/duckdb/connection/dataset-columns.ts';
import {
  MIGRATIONS,
  migrate,
  STORE_VERSION,
  schemaVersion,
} from '../../../../src/store/duckdb/connection/migrations.ts';
import {
  openMarketForReading,
  openMarketForWriting,
} from '../../../../src/store/duckdb/connection/open.ts';
import { SOURCES } from '../../../../src/store/duckdb/connection/source-priority.ts';
import { someOf } from '../../../support/store-runs.ts';
import { freshPaths, NOW_MS } from '../support/fixtures.ts';

async function emptyDatabase() {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  onTestFinished(() => {
    connection.disconnectSync();
    instance.closeSync();
  });
  return connection;
}

describe('migrations', () => {
  test('run once each and note when', async () => {
    const connection = await emptyDatabase();
    expect(await schemaVersion(connection)).toBe(0);
    await migrate(connection, NOW_MS);
    const version = STORE_VERSION + 1;
    const next = [...MIGRATIONS, { version, statements: ['CREATE TABLE later (a INTEGER)'] }];
    await migrate(connection, NOW_MS + 1000, next);
    await migrate(connection, NOW_MS + 2000, next);
    const reader = await connection.runAndReadAll(
      'SELECT version, epoch_ms(applied_at)::DOUBLE FROM schema_migrations ORDER BY 1',
    );
    expect(reader.getRows()).toEqual([
      ...MIGRATIONS.map(({ version }) => [version, NOW_MS]),
      [version, NOW_MS + 1000],
    ]);
  });

  test('give a store of any version the schema of a new one', async () => {
    const schemaOf = async (counts: readonly number[]) => {
      const connection = await emptyDatabase();
      for (const count of counts) {
        await migrate(connection, NOW_MS, MIGRATIONS.slice(0, count));
      }
      const columns = await connection.runAndReadAll(
        `SELECT table_name, column_name, column_index, data_type, is_nullable, column_default
         FROM duckdb_columns() ORDER BY ALL`,
      );
      const views = await connection.runAndReadAll(
        'SELECT view_name, sql FROM duckdb_views() WHERE NOT internal ORDER BY ALL',
      );
      return [...columns.getRowsJson(), ...views.getRowsJson()];
    };
    const isNew = await schemaOf([MIGRATIONS.length]);
    expect(isNew.length).toBeGreaterThan(100);
    expect(await schemaOf(MIGRATIONS.map((_, i) => i + 1))).toEqual(isNew);
  });

  test('create the table of a dataset, and extend it with later columns', async () => {
    const dataset: Dataset = {
      ...{ name: 'permits', title: 'Permits', table: 'permits', since: 11 },
      ...{ key: ['symbol'], time: 'symbol' },
      columns: [
        symbol(),
        required('isOld', 'flag', 'a flag', 'true'),
        { ...required('weightKg', 'number', 'a number', '1'), since: 12 },
      ],
    };
    expect(datasetVersions([dataset])).toEqual([11, 12]);
    const connection = await emptyDatabase();
    for (const version of [8, 11, 12]) {
      for (const sql of datasetStatements([dataset], version)) await connection.run(sql);
    }
    const reader = await connection.runAndReadAll(
      "SELECT column_name, data_type FROM duckdb_columns() WHERE table_name = 'permits'",
    );
    expect(reader.getRows()).toEqual([
      ['symbol', 'VARCHAR'],
      ['is_old', 'BOOLEAN'],
      ['ticker', 'VARCHAR'],
      ['segment_seq', 'INTEGER'],
      ['weight_kg', 'DOUBLE'],
    ]);
  });

  test('give a store of version 8 flags as booleans', async () => {
    const connection = await emptyDatabase();
    await migrate(connection, NOW_MS, MIGRATIONS.slice(0, 1));
    await connection.run("INSERT INTO insider (is_derivative) VALUES ('true'), ('false'), (NULL)");
    await migrate(connection, NOW_MS);
    const reader = await connection.runAndReadAll('SELECT is_derivative FROM insider');
    expect(reader.getRows()).toEqual([[true], [false], [null]]);
  });

  // A table that was altered and updated in one transaction can't be committed once it has rows.
  test('upgrade a store of any version that has a row in each table', async () => {
    for (const count of someOf(MIGRATIONS.keys().drop(1), 4)) {
      const connection = await emptyDatabase();
      await migrate(connection, NOW_MS, MIGRATIONS.slice(0, count));
      const tables = await connection.runAndReadAll(
        `SELECT table_name, column_name FROM duckdb_columns() JOIN duckdb_tables() USING (table_name)
         WHERE table_name NOT IN ('schema_migrations', 'source_priority')
         QUALIFY row_number() OVER (PARTITION BY table_name ORDER BY column_index) = 1`,
      );
      expect(tables.getRows().length).toBeGreaterThan(5);
      for (const [table, column] of tables.getRows()) {
        await connection.run(`INSERT INTO ${table} (${column}) VALUES ('1')`);
      }
      await migrate(connection, NOW_MS);
      expect(await schemaVersion(connection)).toBe(STORE_VERSION);
    }
  });

  test('leave the version before when a statement fails', async () => {
    const connection = await emptyDatabase();
    await migrate(connection, NOW_MS);
    const version = STORE_VERSION + 1;
    const failing = { version, statements: ['CREATE TABLE half (a INTEGER)', 'SELEC'] };
    await expect(migrate(connection, NOW_MS, [...MIGRATIONS, failing])).rejects.toThrow();
    expect(await schemaVersion(connection)).toBe(STORE_VERSION);
    await expect(connection.run('FROM half')).rejects.toThrow();
  });

  const newer = `schema version 99 and this Tapeworks knows versions up to ${STORE_VERSION}`;
  const older =
    'market.duckdb has schema version 7, of a development version before 1.0.0, and this ' +
    'Tapeworks upgrades versions from 8: move the file away and run `tapeworks rebuild`';

  test.each([
    ['of a newer program', 'INSERT INTO schema_migrations VALUES (99, NULL)', newer, newer],
    ['too old to upgrade', 'UPDATE schema_migrations SET version = 7', older, older],
    ['to upgrade', 'DELETE FROM schema_migrations', 'the next backfill upgrades it', undefined],
  ])('refuse a store %s', async (_, sql, toRead, toWrite) => {
    const paths = freshPaths();
    const db = await openMarketForWriting(paths, { verb: 'test' });
    await db.connection.run(sql);
    db.close();
    const refused = await openMarketForReading(paths).catch((error) => error);
    expect(refused).toBeInstanceOf(StoreVersionError);
    expect(refused.message).toContain(toRead);
    if (toWrite === undefined) return;
    await expect(openMarketForWriting(paths, { verb: 'test' })).rejects.toThrow(toWrite);
  });

  test('give SQL the sources in order of priority', async () => {
    const connection = await emptyDatabase();
    await migrate(connection, NOW_MS);
    const sql = 'SELECT source FROM source_priority ORDER BY priority';
    const sources = async () => (await connection.runAndReadAll(sql)).getRows().flat();
    expect(await sources()).toEqual(SOURCES);
    await connection.run("DELETE FROM source_priority WHERE source = 'stooq'");
    await migrate(connection, NOW_MS);
    expect(await sources()).toEqual(SOURCES);
  });
});
