/**
 * Rows of two tickers of one security with the same key: one is served, and the other one is kept,
 * since a fact that is stated later may give it to another security.
 */

import type { DuckDBConnection } from '@duckdb/node-api';
import type { Dataset } from '../../../base/datasets/dataset.ts';
import { rowDatasets } from '../../../base/datasets/datasets.ts';
import { tableColumns } from '../connection/dataset-columns.ts';
import { NAMED, runOne, selectColumn } from '../connection/sql-rows.ts';
import { keyColumns } from './dataset-table.ts';

/** Returns the columns that are kept, with their types. */
function keptColumns(dataset: Dataset): { name: string; column: string; type: string }[] {
  const own = tableColumns(dataset).map(({ column, type }) => ({
    ...{ name: column.slice(1, -1), column, type },
  }));
  const origin = { ticker: 'VARCHAR', segment_seq: 'INTEGER' };
  const others = Object.entries(origin).map(([name, type]) => ({ name, column: name, type }));
  return [...own, ...others];
}

/** Keeps those of `ranked_rows` that lose against a row of another ticker. */
export async function keepShadowed(connection: DuckDBConnection, dataset: Dataset): Promise<void> {
  const fields = keptColumns(dataset).map(({ name, column }) => `'${name}': ${column}`);
  const winner = `first_value(ticker) OVER (
    PARTITION BY ${keyColumns(dataset).join(', ')} ORDER BY place)`;
  await connection.run(`
    INSERT INTO shadowed_rows
    SELECT '${dataset.table}', ticker, to_json({${fields.join(', ')}})
    FROM (SELECT *, ${winner} AS winner FROM ranked_rows)
    WHERE place > 1 AND ticker <> winner`);
}

/** Puts the kept rows of some tickers back into their tables; they are still to be ranked. */
export async function restoreShadowed(
  connection: DuckDBConnection,
  tickers: readonly string[],
): Promise<void> {
  const named = JSON.stringify(tickers);
  const tables = new Set(
    await selectColumn<string>(
      connection,
      `SELECT DISTINCT table_name FROM shadowed_rows WHERE ticker IN ${NAMED}`,
      [named],
    ),
  );
  if (tables.size === 0) return;
  for (const dataset of rowDatasets.filter(({ table }) => tables.has(table))) {
    const shape = Object.fromEntries(keptColumns(dataset).map(({ name, type }) => [name, type]));
    await runOne(
      connection,
      `INSERT INTO ${dataset.table} BY NAME
       SELECT unnest(from_json("row", '${JSON.stringify(shape)}'))
       FROM shadowed_rows WHERE table_name = '${dataset.table}' AND ticker IN ${NAMED}`,
      [named],
    );
  }
  await connection.run(`DELETE FROM shadowed_rows WHERE ticker IN ${NAMED}`, [named]);
}
