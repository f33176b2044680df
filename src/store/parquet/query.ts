/** Runs SQL over the Parquet files of one version in this process, which must do nothing else. */

import { DuckDBInstance } from '@duckdb/node-api';
import { limits } from '../../base/limits.ts';
import { chunksOf } from '../duckdb/connection/chunk-columns.ts';
import { type JsonValue, jsonFromValue } from '../duckdb/connection/json-value.ts';
import { readingStatement } from '../duckdb/connection/query.ts';

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

function quotedText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/**
 * Runs one SELECT. DuckDB opens the given files alone and writes nothing: it has no other file, no
 * extension and no temporary directory, and its configuration is locked before the query is parsed.
 * A path in `allowed_paths` may also be written, so only a SELECT is run.
 *
 * @throws {ParameterError} Not one SELECT.
 * @throws {Error} DuckDB rejects the query.
 */
export async function queryFiles({ views, sql }: FileQuery): Promise<FileQueryRows> {
  const db = await DuckDBInstance.create(':memory:', {
    memory_limit: `${duckdbMegabytes}MB`,
    threads: '1',
    temp_directory: '',
    max_temp_directory_size: '0KiB',
    secret_directory: '',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    allow_community_extensions: 'false',
  });
  const connection = await db.connect();
  const listOf = (files: readonly string[]) => `[${files.map(quotedText).join()}]`;
  await connection.run(`SET allowed_paths = ${listOf(Object.values(views).flat())}`);
  await connection.run('SET enable_external_access = false');
  for (const [name, files] of Object.entries(views)) {
    await connection.run(`CREATE VIEW ${name} AS FROM read_parquet(${listOf(files)})`);
  }
  await connection.run('SET lock_configuration = true');
  const statement = await readingStatement(connection, sql, false);
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
