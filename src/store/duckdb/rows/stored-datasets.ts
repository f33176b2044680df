/** Which datasets have rows at all. */

import type { DuckDBConnection } from '@duckdb/node-api';
import { type Dataset, rowDatasets } from '../../../base/datasets/datasets.ts';
import { selectRows } from '../connection/sql-rows.ts';

/** Each statement is milliseconds: a store of bars alone is not asked for the rows of every dataset. */
export async function storedDatasets(connection: DuckDBConnection): Promise<Dataset[]> {
  const looks = rowDatasets.map(
    ({ table }) => `(SELECT '${table}' AS "table" FROM ${table} LIMIT 1)`,
  );
  const rows = await selectRows<{ table: string }>(connection, looks.join(' UNION ALL '));
  const stored = new Set(rows.map(({ table }) => table));
  return rowDatasets.filter(({ table }) => stored.has(table));
}
