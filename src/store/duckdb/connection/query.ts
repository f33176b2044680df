import {
  type DuckDBConnection,
  type DuckDBPreparedStatement,
  type DuckDBResult,
  StatementType,
} from '@duckdb/node-api';
import type { ModePaths } from '../../../base/config/data-dir.ts';
import { ParameterError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits.ts';
import { chunksOf } from './chunk-columns.ts';
import { type JsonValue, jsonFromValue } from './json-value.ts';
import { type MarketDb, openMarketForReading } from './open.ts';

type Prepare = (connection: DuckDBConnection) => Promise<void>;

export interface SqlResult {
  /** Names are unique: a repeated one gets `:1`, `:2` … */
  columns: string[];
  types: string[];
  rows: Record<string, JsonValue>[];
}

/**
 * @param prepare Called with the connection before the query, to add temporary tables.
 * @throws as `openMarketForReading`, `prepare` and `runReadOnlySql`.
 */
export async function queryMarket(
  paths: ModePaths,
  text: string,
  onWaiting?: (holder: string) => void,
  prepare?: Prepare,
): Promise<SqlResult> {
  using db = await openMarketForReading(paths, { onWaiting });
  return await runReadOnlySql(db, text, prepare);
}

/**
 * Runs one statement that reads. `openMarketForReading` keeps it from writing; the check of its
 * kind makes the refusal plain.
 *
 * @throws {ParameterError} `query`: not one statement, not one that reads, DuckDB rejects it, or it
 *   gives more than `limits.store.sqlRowsMax` rows.
 */
export async function runReadOnlySql(
  db: MarketDb,
  text: string,
  prepare?: Prepare,
): Promise<SqlResult> {
  const connection = await db.connect();
  try {
    await prepare?.(connection);
  } catch (error) {
    connection.disconnectSync();
    throw error;
  }
  try {
    const statement = await readingStatement(connection, text);
    const result = await statement.stream();
    const columns = result.deduplicatedColumnNames();
    const types = result.columnTypes().map(String);
    return { columns, types, rows: await allRows(result, columns) };
  } catch (error) {
    if (error instanceof ParameterError) throw error;
    throw new ParameterError('query', (error as Error).message, { cause: error });
  } finally {
    connection.disconnectSync();
  }
}

/**
 * Prepares one statement that reads.
 *
 * @throws {ParameterError} `query`: not one statement, or not one that reads.
 */
export async function readingStatement(
  connection: DuckDBConnection,
  text: string,
): Promise<DuckDBPreparedStatement> {
  if (text.trim() === '')
    throw new ParameterError('query', 'query must be one statement, got none');
  const statements = await connection.extractStatements(text);
  if (statements.count !== 1) {
    throw new ParameterError('query', `query must be one statement, got ${statements.count}`);
  }
  const statement = await statements.prepare(0);
  const { statementType } = statement;
  if (statementType === StatementType.SELECT || statementType === StatementType.EXPLAIN) {
    return statement;
  }
  const kind = StatementType[statementType];
  throw new ParameterError('query', `query must only read (SELECT, EXPLAIN …), got ${kind}`);
}

async function allRows(result: DuckDBResult, columns: string[]): Promise<SqlResult['rows']> {
  const rows: SqlResult['rows'] = [];
  for await (const chunk of chunksOf(result)) {
    if (rows.length + chunk.rowCount > limits.store.sqlRowsMax) {
      const most = limits.store.sqlRowsMax.toLocaleString('en');
      throw new ParameterError('query', `query gives more than ${most} rows: add a LIMIT`);
    }
    for (const row of chunk.getRows()) {
      rows.push(Object.fromEntries(columns.map((name, i) => [name, jsonFromValue(row[i])])));
    }
  }
  return rows;
}
