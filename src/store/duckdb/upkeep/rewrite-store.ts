/**
 * Rewrites the market store into a file without holes: DuckDB reuses deleted space but never
 * returns it, and late rows are far from their series. Contents stay the same, so publishing
 * continues.
 */

import { basename } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { ModePaths } from '../../../base/config/data-dir.ts';
import { syncFolder } from '../../../base/durable-file.ts';
import { failpoint } from '../../../base/failpoints.ts';
import { renameSync, rmSync, statSync } from '../../../base/world/files.ts';
import { BAR_TABLES } from '../connection/bar-table.ts';
import { openMarketForWriting } from '../connection/open.ts';
import { deleteOrphanRows } from '../connection/orphan-rows.ts';
import { selectColumn, selectValue, sqlString } from '../connection/sql-rows.ts';
import { acquireWriterLock, type WriterOptions } from '../connection/writer-lock.ts';

export interface RewrittenStore {
  bytesBefore: number;
  bytesAfter: number;
}

/**
 * Ending of the file while it is written; the next run removes what an interrupted one has left.
 */
export const REWRITTEN_ENDING = '.rewritten';

const ATTACHED = 'rewritten';

/** Tables whose rows are sorted, since they are read as columns. Others keep their order. */
const SORTED_TABLES = new Set<string>(
  BAR_TABLES.flatMap(({ bars, superseded }) => [bars, superseded]),
);

/** A kill leaves the file before or the one after. */
export async function rewriteStore(
  paths: ModePaths,
  options: WriterOptions & { nowMs: number },
): Promise<RewrittenStore> {
  const lock = await acquireWriterLock(paths, options);
  try {
    const unfinished = paths.market + REWRITTEN_ENDING;
    for (const path of [unfinished, `${unfinished}.wal`]) {
      failpoint('remove file', basename(path));
      rmSync(path, { force: true });
    }
    // The lock outlives the connection: no process may load between the copy and the swap.
    const market = await openMarketForWriting(paths, { ...options, lock });
    try {
      await deleteOrphanRows(market.connection);
      await copyTables(market.connection, unfinished);
    } finally {
      market.close();
    }
    const sizes = { before: statSync(paths.market).size, after: statSync(unfinished).size };
    failpoint('rename file', 'market.duckdb');
    renameSync(unfinished, paths.market);
    syncFolder(paths.root);
    return { bytesBefore: sizes.before, bytesAfter: sizes.after };
  } finally {
    lock.release();
  }
}

async function copyTables(connection: DuckDBConnection, path: string): Promise<void> {
  const name = await selectValue<string>(connection, 'SELECT current_database()');
  await connection.run(`ATTACH ${sqlString(path)} AS ${ATTACHED}`);
  try {
    await connection.run(`COPY FROM DATABASE "${name}" TO ${ATTACHED} (SCHEMA)`);
    const tables = await selectColumn<string>(
      connection,
      `SELECT table_name FROM duckdb_tables()
       WHERE database_name = '${name}' AND NOT temporary ORDER BY table_name`,
    );
    for (const table of tables) {
      const order = SORTED_TABLES.has(table) ? 'ORDER BY series_id, ts' : '';
      await connection.run(`INSERT INTO ${ATTACHED}."${table}" FROM "${name}"."${table}" ${order}`);
    }
    // Everything must be in the main file: a log next to it would stay behind at the rename.
    failpoint('checkpoint store', 'rewritten');
    await connection.run(`CHECKPOINT ${ATTACHED}`);
  } finally {
    await connection.run(`DETACH ${ATTACHED}`);
  }
}
