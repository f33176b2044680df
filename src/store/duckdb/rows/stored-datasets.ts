/** Datasets that have rows. */

import type { DuckDBConnection } from '@duckdb/node-api';
import { type Dataset, rowDatasets } from '../../../base/datasets/datasets.ts';
import { selectRows } from '../connection/sql-rows.ts';

/** Returns the datasets with rows, in one statement: one for each dataset costs milliseconds. */
export async function storedDatasets(connection: DuckDBConnection): Promise<Dataset[]> {
  const looks = rowDatasets.map(
    ({ table }) => `(SELECT '${table}' AS "table" FROM ${table} LIMIT 1)`,
  );
  const rows = await selectRows<{ table: string }>(connection, looks.join(' UNION ALL '));
  const stored = new Set(rows.map(({ table }) => table));
  return rowDatasets.filter(({ table }) => stored.has(table));
}
