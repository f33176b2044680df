import type { DuckDBConnection } from '@duckdb/node-api';
import { sqlFile, sqlName, sqlString } from '../segments/sql-text.ts';
import { isAdjustedClose } from '../shapes/fields.ts';
import type { WideCell } from '../shapes/unstacked.ts';
import { areWhole, dateColumn, nameOfDates, wideCells } from '../shapes/wide-names.ts';

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
  // In the order in which yfinance writes prices of one ticker, which tells their basis.
  if (await isAdjustedByYfinance(connection, path, cells)) {
    cells.sort((a, b) => (a.field < b.field ? -1 : 1));
  }
  const selects = [...Map.groupBy(cells, ({ symbol }) => symbol)].map(([symbol, own]) => {
    const values = own.map(({ at, field }) => `${sqlName(header[at])} AS ${sqlName(field)}`);
    const numbers = own.map(({ at }) => `TRY_CAST(${sqlName(header[at])} AS DOUBLE)`);
    // The lines are the days of all symbols; one that had none has no number.
    const isBar = numbers.map((number) => `NOT coalesce(isnan(${number}), true)`).join(' OR ');
    return `SELECT ${sqlName(header[dateAt])} AS ${nameOfDates(header[dateAt])},
      ${values.join(', ')}, ${sqlString(symbol)} AS symbol FROM ${file} WHERE ${isBar}`;
  });
  await connection.run(
    `COPY (${selects.join(' UNION ALL BY NAME ')}) TO ${sqlString(to)} (FORMAT parquet)`,
  );
  return to;
}

/** True for the levels of yfinance, by the metadata of pandas, without an adjusted close. */
async function isAdjustedByYfinance(
  connection: DuckDBConnection,
  path: string,
  cells: readonly WideCell[],
): Promise<boolean> {
  if (cells.some(({ field }) => isAdjustedClose(field))) return false;
  const sql = `SELECT decode(value)::JSON->>'$.column_indexes[*].name' AS names
    FROM parquet_kv_metadata(${sqlFile(path)}) WHERE decode(key) = 'pandas'`;
  const [row] = (await connection.runAndReadAll(sql)).getRowObjectsJson();
  const names = (row?.names ?? []) as string[];
  return names.includes('Price') && names.includes('Ticker');
}
