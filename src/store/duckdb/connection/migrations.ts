/**
 * Upgrades of the schema.
 *
 * To change it append an entry with the next number; never edit one that was released. Each runs in
 * its own transaction; a new store is made in one. The first entry makes the tables of the oldest
 * version that is upgraded.
 */

import { isDeepStrictEqual } from 'node:util';
import type { DuckDBConnection } from '@duckdb/node-api';
import { StoreVersionError } from '../../../base/errors.ts';
import { failpoint } from '../../../base/failpoints.ts';
import { newSchema } from './new-schema.ts';
import { SCHEMA_VERSIONS } from './schema-versions.ts';
import { SOURCES } from './source-priority.ts';
import { inTransaction, selectColumn, selectValue, sqlTimestamp } from './sql-rows.ts';

export interface Migration {
  version: number;
  statements: readonly string[];
}

export const MIGRATIONS: readonly Migration[] = Array.from(
  SCHEMA_VERSIONS,
  ([version, statements]) => ({ version, statements }),
);

/** Newest version of the schema that this program knows. */
export const STORE_VERSION = MIGRATIONS[MIGRATIONS.length - 1].version;

export async function schemaVersion(connection: DuckDBConnection): Promise<number> {
  try {
    return await selectValue<number>(
      connection,
      'SELECT coalesce(max(version), 0)::INTEGER FROM schema_migrations',
    );
  } catch (error) {
    // To look for the table first would read the whole catalog at each start.
    if (/schema_migrations does not exist/.test((error as Error).message)) return 0;
    throw error;
  }
}

/** @throws {StoreVersionError} the store's version is too new, or too old to be upgraded. */
export async function migrate(
  connection: DuckDBConnection,
  nowMs: number,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<void> {
  const stored = await schemaVersion(connection);
  assertKnownVersion(stored, migrations);
  // An empty store needs no version between.
  const transactions =
    stored === 0
      ? [migrations]
      : migrations.filter(({ version }) => version > stored).map((one) => [one]);
  for (const together of transactions) {
    await inTransaction(connection, () => apply(connection, together, nowMs, stored === 0));
    // DDL left in the WAL has been replayed wrongly by DuckDB; the main file is safe.
    failpoint('checkpoint store', `schema ${together.at(-1)?.version}`);
    await connection.run('CHECKPOINT');
  }
  await writeSourcePriorities(connection);
}

async function apply(
  connection: DuckDBConnection,
  migrations: readonly Migration[],
  nowMs: number,
  isNew: boolean,
): Promise<void> {
  const all = migrations.flatMap(({ statements }) => statements);
  const rows = migrations.map(({ version }) => `(${version}, ${sqlTimestamp(nowMs * 1000)})`);
  const made = isNew
    ? ['CREATE TABLE schema_migrations (version INTEGER, applied_at TIMESTAMP)', ...newSchema(all)]
    : all;
  await runAll(connection, [...made, `INSERT INTO schema_migrations VALUES ${rows.join(', ')}`]);
}

/** Runs statements as one script, which takes two thirds of the time. */
async function runAll(connection: DuckDBConnection, statements: readonly string[]): Promise<void> {
  await connection.run(statements.join(';\n'));
}

/** @throws {StoreVersionError} `stored` is newer than this program knows, or too old for it. */
export function assertKnownVersion(
  stored: number,
  migrations: readonly Migration[] = MIGRATIONS,
): void {
  const known = migrations[migrations.length - 1].version;
  if (stored > known) {
    throw new StoreVersionError(
      `The store has schema version ${stored} and this Tapeworks knows versions up to ${known}: use the newer Tapeworks that wrote it`,
    );
  }
  const oldest = migrations[0].version;
  if (stored > 0 && stored < oldest) {
    throw new StoreVersionError(
      `market.duckdb has schema version ${stored}, of a development version before 1.0.0, and this Tapeworks upgrades versions from ${oldest}: move the file away and run \`tapeworks rebuild\`, which loads its segments again`,
    );
  }
}

/**
 * Copies the program's table of sources in if it has changed, since SQL views rank by source too.
 */
async function writeSourcePriorities(connection: DuckDBConnection): Promise<void> {
  const stored = await selectColumn<string>(
    connection,
    "SELECT source || ' ' || priority FROM source_priority",
  );
  const wanted = SOURCES.map((source, priority) => `${source} ${priority}`);
  if (isDeepStrictEqual(stored, wanted)) return;
  const rows = SOURCES.map((source, priority) => `('${source}', ${priority})`);
  const insert = `INSERT INTO source_priority VALUES ${rows.join(', ')}`;
  await inTransaction(connection, () =>
    runAll(connection, ['DELETE FROM source_priority', insert]),
  );
}
