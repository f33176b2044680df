import type { DuckDBConnection } from '@duckdb/node-api';
import { sqlFile, sqlName, sqlString } from '../segments/sql-text.ts';
import { areWhole, dateColumn, wideCells } from '../shapes/wide-names.ts';

/**
 * Writes a Parquet file whose names hold ticker and field, such as `('Close', 'AAPL')`, as a table
 * with a row for each symbol and day.
 * @returns the path of the table, or `path` if the file is none of these.
 */
export async function plainParquet(
  connection: DuckDBConnection,
  path: string,
  to: string,
): Promise<string> {
  const file = `read_parquet(${sqlFile(path)}, hive_partitioning = false)`;
  const header = (await connection.runAndReadAll(`FROM ${file} LIMIT 0`)).columnNames();
  const dateAt = dateColumn(header);
  const cells = dateAt === -1 ? [] : wideCells(header, dateAt);
  if (cells.length === 0 || !areWhole(cells)) return path;
  const selects = [...Map.groupBy(cells, ({ symbol }) => symbol)].map(([symbol, own]) => {
    const values = own.map(({ at, field }) => `${sqlName(header[at])} AS ${sqlName(field)}`);
    const numbers = own.map(({ at }) => `TRY_CAST(${sqlName(header[at])} AS DOUBLE)`);
    // The lines are the days of all symbols; one that had none has no number.
    const isBar = numbers.map((number) => `NOT coalesce(isnan(${number}), true)`).join(' OR ');
    return `SELECT ${sqlName(header[dateAt])} AS date, ${values.join(', ')},
      ${sqlString(symbol)} AS symbol FROM ${file} WHERE ${isBar}`;
  });
  await connection.run(
    `COPY (${selects.join(' UNION ALL BY NAME ')}) TO ${sqlString(to)} (FORMAT parquet)`,
  );
  return to;
}
