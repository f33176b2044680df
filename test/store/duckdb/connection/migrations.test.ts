import { DuckDBInstance } from '@duckdb/node-api';
import { describe, expect, onTestFinished, test } from 'vitest';
import { StoreVersionError } from '../../../../src/base/errors.ts';
import {
  MIGRATIONS,
  migrate,
  schemaVersion,
} from '../../../../src/store/duckdb/connection/migrations.ts';
import {
  openMarketForReading,
  openMarketForWriting,
} from '../../../../src/store/duckdb/connection/open.ts';
import { SOURCES } from '../../../../src/store/duckdb/connection/source-priority.ts';
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
    const version = MIGRATIONS.length + 1;
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
    const schemaOf = async (versions: readonly number[]) => {
      const connection = await emptyDatabase();
      for (const version of versions) {
        await migrate(connection, NOW_MS, MIGRATIONS.slice(0, version));
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
    expect(await schemaOf(MIGRATIONS.map(({ version }) => version))).toEqual(isNew);
  });

  test.each([
    [
      1,
      'facts of symbols',
      ["INSERT INTO symbols VALUES ('AAPL', 'Apple Inc.', 'NASDAQ', 'stock', 'yahoo', NULL)"],
      'SELECT symbol, company_name, exchange, source, venue, cik, sector FROM symbols',
      [['AAPL', 'Apple Inc.', 'NASDAQ', 'yahoo', null, null, null]],
    ],
    [
      3,
      'a security of every symbol',
      ["INSERT INTO symbols (symbol) VALUES ('B'), ('A')"],
      'FROM securities JOIN security_tickers USING (security_id)',
      [
        [1, 'A', null, 'A', null, null],
        [2, 'B', null, 'B', null, null],
      ],
    ],
    [
      3,
      'tickers of series and records',
      [
        "INSERT INTO series (series_id, symbol) VALUES (1, 'B')",
        "INSERT INTO action_coverage (statement_id, symbol) VALUES (1, 'A')",
      ],
      'SELECT symbol, ticker FROM series UNION ALL SELECT symbol, ticker FROM action_coverage',
      [
        ['B', 'B'],
        ['A', 'A'],
      ],
    ],
    [
      7,
      'the as-of of files as their newest bar',
      ["INSERT INTO segment_files (file_id, as_of) VALUES (1, TIMESTAMP '2026-01-02')"],
      'SELECT newest = as_of, epoch_us(modified)::INTEGER FROM segment_files',
      [[true, 0]],
    ],
    [
      8,
      'flags as booleans',
      ["INSERT INTO insider (is_derivative) VALUES ('true'), ('false'), (NULL)"],
      'SELECT is_derivative FROM insider',
      [[true], [false], [null]],
    ],
  ])('give a store of version %i %s', async (version, _, inserts, sql, rows) => {
    const connection = await emptyDatabase();
    await migrate(connection, NOW_MS, MIGRATIONS.slice(0, version));
    for (const insert of inserts) await connection.run(insert);
    await migrate(connection, NOW_MS);
    expect((await connection.runAndReadAll(sql)).getRows()).toEqual(rows);
  });

  test('keep the bars of a store of version 2, and make room for minutes', async () => {
    const connection = await emptyDatabase();
    await migrate(connection, NOW_MS, MIGRATIONS.slice(0, 2));
    for (const row of [
      "series VALUES (1, 'SPY', '1d', 'stooq', 'all', NULL, '', '2020-01-02', '2020-01-02', 1)",
      "bars VALUES (1, 1, '2020-01-02', 1, 3, 0.5, 2, 100)",
      "winners VALUES ('SPY', '1d', 1, '2020-01-02', '2020-01-02', 2)",
    ]) {
      await connection.run(`INSERT INTO ${row}`);
    }
    const candles = async () => (await connection.runAndReadAll('FROM candles')).getRowsJson();
    const before = await candles();
    expect(before).toHaveLength(1);
    await migrate(connection, NOW_MS);
    expect(await candles()).toEqual(before);
    const tables = 'SELECT count(*) FROM (FROM intraday_bars UNION ALL FROM intraday_rival_bars)';
    expect((await connection.runAndReadAll(tables)).getRowsJson()).toEqual([['0']]);
  });

  // A table that was altered and updated in one transaction can't be committed once it has rows.
  test('upgrade a store of any version that has a row in each table', async () => {
    for (const { version } of MIGRATIONS.slice(0, -1)) {
      const connection = await emptyDatabase();
      await migrate(connection, NOW_MS, MIGRATIONS.slice(0, version));
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
      expect(await schemaVersion(connection)).toBe(MIGRATIONS.length);
    }
  });

  test('leave the version before when a statement fails', async () => {
    const connection = await emptyDatabase();
    await migrate(connection, NOW_MS);
    const version = MIGRATIONS.length + 1;
    const failing = { version, statements: ['CREATE TABLE half (a INTEGER)', 'SELEC'] };
    await expect(migrate(connection, NOW_MS, [...MIGRATIONS, failing])).rejects.toThrow();
    expect(await schemaVersion(connection)).toBe(MIGRATIONS.length);
    await expect(connection.run('FROM half')).rejects.toThrow();
  });

  test('refuse a store of a newer program, to read and to write', async () => {
    const paths = freshPaths();
    const db = await openMarketForWriting(paths, { verb: 'test' });
    await db.connection.run('INSERT INTO schema_migrations VALUES (99, NULL)');
    db.close();
    await expect(openMarketForReading(paths)).rejects.toThrow(StoreVersionError);
    await expect(openMarketForWriting(paths, { verb: 'test' })).rejects.toThrow(
      `schema version 99 and this Tapeworks knows versions up to ${MIGRATIONS.length}`,
    );
  });

  test('ask for a writer first when a reader meets an older store', async () => {
    const paths = freshPaths();
    const db = await openMarketForWriting(paths, { verb: 'test' });
    await db.connection.run('DELETE FROM schema_migrations');
    db.close();
    await expect(openMarketForReading(paths)).rejects.toThrow('the next backfill upgrades it');
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
