import { DuckDBInstance } from '@duckdb/node-api';
import { describe, expect, onTestFinished, test } from 'vitest';
import { StoreVersionError } from '../../../src/errors.ts';
import { MIGRATIONS, migrate, schemaVersion } from '../../../src/store/market/migrations.ts';
import { openMarketForReading, openMarketForWriting } from '../../../src/store/market/open.ts';
import { SOURCES } from '../../../src/store/market/source-priority.ts';
import { freshPaths, NOW_MS } from './fixtures.ts';

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
  test('are numbered from 1 without gaps', () => {
    expect(MIGRATIONS.map(({ version }) => version)).toEqual(MIGRATIONS.map((_, i) => i + 1));
  });

  test('run once each and note when', async () => {
    const connection = await emptyDatabase();
    expect(await schemaVersion(connection)).toBe(0);
    await migrate(connection, NOW_MS);
    const next = [...MIGRATIONS, { version: 3, statements: ['CREATE TABLE later (a INTEGER)'] }];
    await migrate(connection, NOW_MS + 1000, next);
    await migrate(connection, NOW_MS + 2000, next);
    const reader = await connection.runAndReadAll(
      'SELECT version, epoch_ms(applied_at)::DOUBLE FROM schema_migrations ORDER BY 1',
    );
    expect(reader.getRows()).toEqual([
      [1, NOW_MS],
      [2, NOW_MS],
      [3, NOW_MS + 1000],
    ]);
  });

  test('keep what a store of version 1 knows of its symbols', async () => {
    const connection = await emptyDatabase();
    await migrate(connection, NOW_MS, MIGRATIONS.slice(0, 1));
    await connection.run(
      "INSERT INTO symbols VALUES ('AAPL', 'Apple Inc.', 'NASDAQ', 'stock', 'yahoo', NULL)",
    );
    await migrate(connection, NOW_MS);
    const reader = await connection.runAndReadAll(
      'SELECT symbol, company_name, exchange, source, venue, cik, sector FROM symbols',
    );
    expect(reader.getRows()).toEqual([['AAPL', 'Apple Inc.', 'NASDAQ', 'yahoo', null, null, null]]);
  });

  test('leave the version before when a statement fails', async () => {
    const connection = await emptyDatabase();
    await migrate(connection, NOW_MS);
    const failing = { version: 3, statements: ['CREATE TABLE half (a INTEGER)', 'SELEC'] };
    await expect(migrate(connection, NOW_MS, [...MIGRATIONS, failing])).rejects.toThrow();
    expect(await schemaVersion(connection)).toBe(2);
    await expect(connection.run('FROM half')).rejects.toThrow();
  });

  test('refuse a store of a newer program, to read and to write', async () => {
    const paths = freshPaths();
    const db = await openMarketForWriting(paths, { verb: 'test' });
    await db.connection.run('INSERT INTO schema_migrations VALUES (99, NULL)');
    db.close();
    await expect(openMarketForReading(paths)).rejects.toThrow(StoreVersionError);
    await expect(openMarketForWriting(paths, { verb: 'test' })).rejects.toThrow(
      'schema version 99 and this Tapeworks knows versions up to 2',
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
