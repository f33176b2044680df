import type { DuckDBConnection } from '@duckdb/node-api';
import { filePattern, sqlString } from '../../store/duckdb/connection/sql-rows.ts';

/** Literals for SQL statements that take no bound parameters, such as COPY and read_csv. */

export { sqlString };

/** A file for `read_csv` and `read_parquet`, whatever characters its path has. */
export function sqlFile(path: string): string {
  return sqlString(filePattern(path));
}

/** A column name as a quoted identifier. */
export function sqlName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/**
 * Reads all values of a Parquet file, some 20 ns each, and keeps none.
 *
 * @throws as DuckDB does when a part of it is damaged.
 */
export async function readParquetThrough(
  connection: DuckDBConnection,
  path: string,
): Promise<void> {
  await connection.run(
    `SELECT count(hash(COLUMNS(*))) FROM read_parquet(${sqlFile(path)}, hive_partitioning = false)`,
  );
}
