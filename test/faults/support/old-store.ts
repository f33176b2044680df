/** A store and a manifest as an earlier version of the program left them. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { DuckDBInstance } from '@duckdb/node-api';
import { MANIFEST_NAME } from '../../../src/base/config/data-dir.ts';
import { MIGRATIONS, migrate } from '../../../src/store/duckdb/connection/migrations.ts';
import { selectRows } from '../../../src/store/duckdb/connection/sql-rows.ts';
import { NOW_MS } from './flow.ts';

/** Version since which `security_tickers` is a view; it was a table. */
const TICKERS_ARE_A_VIEW = 12;

/**
 * A store as an earlier version had it: its tables, with those of today's columns that they have.
 *
 * @param from A store of today, whose rows it gets.
 */
export async function writeOldStore(path: string, from: string, version: number): Promise<void> {
  const instance = await DuckDBInstance.create(path);
  const connection = await instance.connect();
  try {
    await migrate(
      connection,
      NOW_MS,
      MIGRATIONS.filter((one) => one.version <= version),
    );
    await connection.run(`ATTACH '${from}' AS today (READ_ONLY)`);
    const shared = await selectRows<{ name: string; columns: string }>(
      connection,
      `SELECT table_name AS name, string_agg('"' || column_name || '"', ', ') AS columns FROM duckdb_columns() c
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
    if (version < TICKERS_ARE_A_VIEW) {
      await connection.run('INSERT INTO security_tickers FROM today.security_tickers');
    }
    await connection.run('DETACH today');
    await connection.run('CHECKPOINT');
  } finally {
    connection.disconnectSync();
    instance.closeSync();
  }
}

/** A manifest of an earlier format, which only says that all has to be published anew. */
export function writeOldManifest(serving: string, format: number): void {
  mkdirSync(serving, { recursive: true });
  const older = { format };
  const manifest = { ...older, crc32: crc32(JSON.stringify(older)) };
  writeFileSync(join(serving, MANIFEST_NAME), JSON.stringify(manifest));
}
