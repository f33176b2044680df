/** Merges staged rows into their dataset's table: the winning row of each key stays. */

import type { DuckDBConnection } from '@duckdb/node-api';
import type { Dataset } from '../../../base/datasets/dataset.ts';
import { tableColumns } from '../connection/dataset-columns.ts';
import { exists, selectRows } from '../connection/sql-rows.ts';
import { keyColumns, keyed, rankedSql } from './dataset-table.ts';
import { keepShadowed } from './shadowed-rows.ts';

/**
 * Merges `incoming` into the dataset's table. Leaves the temporary table `changed_rows`: rows that
 * are new or have other values than their as-of.
 *
 * @param hasKeysOnce True if each key occurs once in it.
 * @param isDated True if some of its tickers are of several securities, or of one with others.
 * @param hasOutdated True if `outdated_rows` has stored rows to delete.
 */
export async function mergeRows(
  connection: DuckDBConnection,
  dataset: Dataset,
  { hasKeysOnce, ...merge }: { hasKeysOnce: boolean } & Merge,
): Promise<void> {
  const isFirst = hasKeysOnce && !(await exists(connection, `FROM ${dataset.table}`));
  if (isFirst) await insertAll(connection, dataset);
  else await mergeWithOld(connection, dataset, merge);
}

interface Merge {
  isDated: boolean;
  hasOutdated: boolean;
}

/** Inserts the first segment of a dataset, which has nothing to compare with. */
async function insertAll(connection: DuckDBConnection, dataset: Dataset): Promise<void> {
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE changed_rows AS
     SELECT ${keyed(dataset)} FROM incoming ORDER BY ${keyColumns(dataset).join(', ')}`,
  );
  await connection.run(
    `INSERT INTO ${dataset.table} BY NAME
     SELECT * EXCLUDE (${keyColumns(dataset).join(', ')}) FROM changed_rows`,
  );
}

async function mergeWithOld(
  connection: DuckDBConnection,
  dataset: Dataset,
  { isDated, hasOutdated }: Merge,
): Promise<void> {
  const { table } = dataset;
  const keys = keyColumns(dataset);
  const sameKey = keys.map((key) => `o.${key} IS NOT DISTINCT FROM w.${key}`).join(' AND ');
  const rows = `
    WITH new_rows AS (SELECT ${keyed(dataset)} FROM incoming),
      old_rows AS (
        SELECT * FROM (SELECT rowid AS old_row, ${keyed(dataset)} FROM ${table}) o
        WHERE EXISTS (FROM new_rows w WHERE ${sameKey}))
    FROM old_rows UNION ALL BY NAME FROM new_rows`;
  await connection.run(`CREATE OR REPLACE TEMP TABLE ranked_rows AS ${rankedSql(dataset, rows)}`);
  const isOfKey = dataset.key.flat().includes('asOf');
  const values = tableColumns(dataset)
    .filter(({ field }) => field !== 'asOf' || isOfKey)
    .map(({ column }) => `o.${column} IS NOT DISTINCT FROM w.${column}`);
  await connection.run(`
    CREATE OR REPLACE TEMP TABLE changed_rows AS
    FROM ranked_rows w WHERE place = 1 AND old_row IS NULL
      AND NOT EXISTS (FROM ranked_rows o WHERE o.old_row IS NOT NULL AND ${values.join(' AND ')})`);
  const hasTicker = tableColumns(dataset).some(({ kind }) => kind === 'symbol');
  if (isDated && hasTicker) await keepShadowed(connection, dataset);
  await connection.run(
    `DELETE FROM ${table} WHERE rowid IN (
       SELECT old_row FROM ranked_rows WHERE place > 1 AND old_row IS NOT NULL
       ${hasOutdated ? 'UNION SELECT old_row FROM outdated_rows' : ''})`,
  );
  await connection.run(`
    INSERT INTO ${table} BY NAME
    SELECT * EXCLUDE (old_row, place, ${keys.join(', ')}) FROM ranked_rows
    WHERE place = 1 AND old_row IS NULL ORDER BY ${keys.join(', ')}`);
}

/** Counts `changed_rows` by the number of their segment. */
export async function countChanged(connection: DuckDBConnection): Promise<Map<number, number>> {
  const rows = await selectRows<{ seq: number; count: number }>(
    connection,
    `SELECT segment_seq::INTEGER AS seq, count(*)::DOUBLE AS count
     FROM changed_rows GROUP BY segment_seq`,
  );
  return new Map(rows.map(({ seq, count }) => [seq, count]));
}
