import type { DuckDBConnection } from '@duckdb/node-api';
import { MILLIS_PER_DAY } from '../../../base/bars.ts';
import type { Dataset } from '../../../base/datasets/dataset.ts';
import { columnOfField, type TableColumn, tableColumns } from '../connection/dataset-columns.ts';
import { jsonTable } from '../connection/sql-rows.ts';
import { keyed, rankedSql, storedDatasets } from '../rows/dataset-table.ts';

export interface SymbolMove {
  from: string;
  to: string;
}

export function symbolColumn(dataset: Dataset): TableColumn {
  return tableColumns(dataset).find(({ kind }) => kind === 'symbol' || kind === 'symbols')!;
}

/** Returns SQL of the day, since the epoch, on which a row became known. */
export function knownDaySql({ time }: Dataset): string {
  return `(epoch_ms(${columnOfField(time)}) // ${MILLIS_PER_DAY})::INTEGER`;
}

/** Gives rows other symbols, all at once, since one may take the place that another leaves. */
export async function renameIn(
  connection: DuckDBConnection,
  table: string,
  { column, kind }: TableColumn,
  moves: readonly SymbolMove[],
): Promise<void> {
  if (moves.length === 0) return;
  const names = jsonTable({ from: 'VARCHAR', to: 'VARCHAR' });
  const moved = `list_transform(${column}, lambda one: coalesce(m.names[one], one))`;
  const sql =
    kind === 'symbol'
      ? `UPDATE ${table} SET ${column} = m."to" FROM ${names} m
         WHERE ${table}.${column} = m."from"`
      : `UPDATE ${table} SET ${column} = ${distinctSql(moved)}
         FROM (SELECT map_from_entries(list((n."from", n."to"))) AS names FROM ${names} n) m
         WHERE list_has_any(${column}, map_keys(m.names))`;
  await connection.run(sql, [JSON.stringify(moves)]);
}

/** Returns SQL of distinct elements in their order, which `list_distinct` does not keep. */
function distinctSql(list: string): string {
  return `list_filter(${list}, lambda one, place: list_position(${list}, one) = place)`;
}

export async function moveRows(
  connection: DuckDBConnection,
  moves: readonly SymbolMove[],
): Promise<void> {
  if (moves.length === 0) return;
  for (const dataset of await storedDatasets(connection)) {
    await renameIn(connection, dataset.table, symbolColumn(dataset), moves);
    await settleRows(
      connection,
      dataset,
      moves.map(({ to }) => to),
    );
  }
}

/** Removes the lesser of two rows with the same key, which two tickers of one security may have. */
export async function settleRows(
  connection: DuckDBConnection,
  dataset: Dataset,
  symbols: readonly string[],
): Promise<void> {
  const { table } = dataset;
  if (symbolColumn(dataset).kind !== 'symbol') return;
  const rows = `SELECT rowid AS old_row, ${keyed(dataset)} FROM ${table}
    WHERE symbol IN (SELECT unnest(from_json($1, '["VARCHAR"]')))`;
  await connection.run(
    `DELETE FROM ${table} WHERE rowid IN (
       SELECT old_row FROM (${rankedSql(dataset, rows)}) WHERE place > 1)`,
    [JSON.stringify(symbols)],
  );
}
