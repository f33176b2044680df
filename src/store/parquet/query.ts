/** Runs SQL over the Parquet files of one version in this process, which must do nothing else. */

import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { ParameterError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import { chunksOf } from '../duckdb/connection/chunk-columns.ts';
import { type JsonValue, jsonFromValue } from '../duckdb/connection/json-value.ts';
import { readingStatement } from '../duckdb/connection/query.ts';
import { sqlString } from '../duckdb/connection/sql-rows.ts';

export interface FileQuery {
  /** Files of each view, relative to the working directory. */
  views: Readonly<Record<string, readonly string[]>>;
  sql: string;
}

export interface FileQueryRows {
  /** Names are unique: a repeated one gets `:1`, `:2` … */
  columns: string[];
  rows: JsonValue[][];
  /** True if the query gives more rows than `limits.sql.rowsMax`. */
  hasMore: boolean;
}

const { duckdbMegabytes, rowsMax } = limits.sql;

/** Views and functions that show settings, which have paths of the server, or run SQL of a text. */
const HIDDEN = new Set([
  ...['current_setting', 'duckdb_settings', 'pg_settings'],
  ...['query', 'query_table', 'json_execute_serialized_sql'],
]);

/**
 * Checks what DuckDB's parser makes of a query, since some statements write when they are bound:
 * EXPORT DATABASE makes a folder.
 *
 * @throws {ParameterError} Not a SELECT, or it names one of `HIDDEN`.
 */
async function checkParsed(connection: DuckDBConnection, sql: string): Promise<void> {
  const reader = await connection.runAndReadAll(`SELECT json_serialize_sql(${sqlString(sql)})`);
  const parsed = JSON.parse(String(reader.getRows()[0][0]), (name, value) => {
    const isName = name === 'function_name' || name === 'table_name';
    if (isName && HIDDEN.has(String(value).replaceAll('"', '').toLowerCase())) {
      throw new ParameterError('query', `query must not use ${value}`);
    }
    return value;
  });
  // The error that follows shows the place of a mistake in the syntax.
  if (parsed.error_type === 'parser') await connection.extractStatements(sql);
  if (!parsed.error) return;
  throw new ParameterError('query', 'query must only read (SELECT, DESCRIBE, SHOW TABLES)');
}

/**
 * Opens a database in memory that has the given views. DuckDB opens their files alone: it has no
 * other file, no extension and no temporary directory, and its configuration is locked.
 */
export async function openViews(views: FileQuery['views']): Promise<DuckDBConnection> {
  const db = await DuckDBInstance.create(':memory:', {
    memory_limit: `${duckdbMegabytes}MB`,
    threads: '1',
    temp_directory: '',
    max_temp_directory_size: '0KiB',
    secret_directory: '',
    // Errors name it: the default is in the home of the server.
    extension_directory: 'none',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    allow_community_extensions: 'false',
  });
  const connection = await db.connect();
  const listOf = (files: readonly string[]) => `[${files.map(sqlString).join()}]`;
  await connection.run(`SET allowed_paths = ${listOf(Object.values(views).flat())}`);
  await connection.run('SET enable_external_access = false');
  for (const [name, files] of Object.entries(views)) {
    await connection.run(`CREATE VIEW ${name} AS FROM read_parquet(${listOf(files)})`);
  }
  await connection.run('SET lock_configuration = true');
  return connection;
}

/**
 * Runs one SELECT. A path in `allowed_paths` may also be written, so nothing else is bound.
 *
 * @throws {ParameterError} Not one SELECT, or it uses settings.
 * @throws {Error} DuckDB rejects the query.
 */
export async function queryFiles({ views, sql }: FileQuery): Promise<FileQueryRows> {
  const connection = await openViews(views);
  await checkParsed(connection, sql);
  const statement = await readingStatement(connection, sql);
  const result = await statement.stream();
  const columns = result.deduplicatedColumnNames();
  const rows: JsonValue[][] = [];
  for await (const chunk of chunksOf(result)) {
    for (const row of chunk.getRows()) {
      if (rows.length === rowsMax) return { columns, rows, hasMore: true };
      rows.push(row.map(jsonFromValue));
    }
  }
  return { columns, rows, hasMore: false };
}
