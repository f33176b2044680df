import type { DuckDBConnection } from '@duckdb/node-api';
import { filePattern, sqlString } from '../../store/duckdb/connection/sql-rows.ts';

export { sqlString };

/** File path for `read_csv` and `read_parquet`, with any characters escaped. */
export function sqlFile(path: string): string {
  return sqlString(filePattern(path));
}

export function sqlName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Reads all values of a Parquet file, 20 ns each. @throws DuckDB's error if a page is damaged. */
export async function readParquetThrough(
  connection: DuckDBConnection,
  path: string,
): Promise<void> {
  await connection.run(
    `SELECT count(hash(COLUMNS(*))) FROM read_parquet(${sqlFile(path)}, hive_partitioning = false)`,
  );
}
