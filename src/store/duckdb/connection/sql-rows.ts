/**
 * Small sets of rows in and out of DuckDB. Bars never go this way: they move as columns.
 *
 * Each asynchronous call of DuckDB needs a thread of its pool, and waits for a processor twice: some
 * 14 ms where other programs keep the processors busy. Chunks of a whole result are in memory, so
 * reading them asynchronously would only add waits.
 */

import type {
  DuckDBConnection,
  DuckDBDataChunk,
  DuckDBMaterializedResult,
  DuckDBValue,
} from '@duckdb/node-api';
import { failpoint } from '../../../base/failpoints.ts';

/** Returns rows as objects; T names the columns, whose types the query must cast to fit. */
export async function selectRows<T>(
  connection: DuckDBConnection,
  sql: string,
  values?: DuckDBValue[],
): Promise<T[]> {
  const convert = await valueConverter();
  const result = await runOne(connection, sql, values);
  const names = result.deduplicatedColumnNames();
  const rows: Record<string, unknown>[] = [];
  for (const chunk of chunksInMemory(result)) {
    const columns = chunk.convertColumns(convert);
    for (let i = 0; i < chunk.rowCount; i++) {
      const row: Record<string, unknown> = {};
      for (const [place, name] of names.entries()) row[name] = columns[place][i];
      rows.push(row);
    }
  }
  return rows as T[];
}

/** Returns the one row of a query that always gives one. */
export async function selectRow<T>(
  connection: DuckDBConnection,
  sql: string,
  values?: DuckDBValue[],
): Promise<T> {
  return (await selectRows<T>(connection, sql, values))[0];
}

/** Returns the one column of a query, whose type T the query must cast to fit. */
export async function selectColumn<T>(
  connection: DuckDBConnection,
  sql: string,
  values?: DuckDBValue[],
): Promise<T[]> {
  const convert = await valueConverter();
  const column: unknown[] = [];
  for (const chunk of chunksInMemory(await runOne(connection, sql, values))) {
    for (const value of chunk.convertColumnValues(0, convert)) column.push(value);
  }
  return column as T[];
}

/** Returns the one value of a query that always gives one. */
export async function selectValue<T>(
  connection: DuckDBConnection,
  sql: string,
  values?: DuckDBValue[],
): Promise<T> {
  return (await selectColumn<T>(connection, sql, values))[0];
}

/** Longest text that is written into a statement: a literal of thousands of rows is slower to plan. */
const LITERAL_LENGTH_MAX = 2000;

/** Literals and quoted names of a statement, which are left as they are, and its parameters. */
const QUOTED_OR_PARAMETER = /'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\d+)/g;

/**
 * Runs one statement. Short texts are written into it, since a statement with parameters is planned
 * twice; with others it takes two asynchronous calls, where `DuckDBConnection.run` needs three.
 */
export async function runOne(
  connection: DuckDBConnection,
  sql: string,
  values?: readonly DuckDBValue[],
): Promise<DuckDBMaterializedResult> {
  if (!values) return connection.run(sql);
  if (values.every(isShort)) {
    return connection.run(
      sql.replace(QUOTED_OR_PARAMETER, (text, place?: string) =>
        place === undefined ? text : sqlString(values[Number(place) - 1]),
      ),
    );
  }
  const prepared = await connection.prepare(sql);
  try {
    prepared.bind([...values]);
    return await prepared.run();
  } finally {
    prepared.destroySync();
  }
}

function isShort(value: DuckDBValue): value is string {
  return typeof value === 'string' && value.length <= LITERAL_LENGTH_MAX && !value.includes('\0');
}

/** Imports DuckDB at the first query, since servers import this file and must not load it. */
async function valueConverter() {
  return (await import('@duckdb/node-api')).JSDuckDBValueConverter;
}

function* chunksInMemory(result: DuckDBMaterializedResult): Generator<DuckDBDataChunk> {
  for (let i = 0; i < result.chunkCount; i++) yield result.getChunk(i);
}

/** SQL of tickers that are bound as a JSON list to `$1`. */
export const NAMED = `(SELECT unnest(from_json($1, '["VARCHAR"]')))`;

/** Returns true if a query gives any row. */
export async function exists(
  connection: DuckDBConnection,
  sql: string,
  values?: DuckDBValue[],
): Promise<boolean> {
  // Planned faster than `SELECT EXISTS`.
  const found = await selectColumn(connection, `SELECT 1 FROM (${sql}) LIMIT 1`, values);
  return found.length > 0;
}

/**
 * Returns SQL of a derived table over `$1`, to be bound to `JSON.stringify(rows)`: 10,000 rows take
 * about 30 ms.
 *
 * @param columns Column name → DuckDB type. Doubles survive bit for bit; microseconds travel as
 *   BIGINT.
 */
export function jsonTable(columns: Record<string, string>): string {
  const shape = JSON.stringify([columns]);
  return `(SELECT unnest(from_json($1, '${shape}'), recursive := true))`;
}

/**
 * Returns SQL of a derived table whose columns are `$1`, `$2` …, to be bound to `listsOf(rows,
 * columns)`: half the time of `jsonTable` for thousands of rows.
 */
export function listTable(columns: Record<string, string>): string {
  const lists = Object.entries(columns).map(
    ([name, type], i) => `unnest(from_json($${i + 1}, '["${type}"]')) AS "${name}"`,
  );
  return `(SELECT ${lists.join(', ')})`;
}

export function listsOf<K extends string>(
  rows: readonly { readonly [Key in K]?: string | number | null }[],
  columns: Readonly<Record<K, string>>,
): string[] {
  return (Object.keys(columns) as K[]).map((name) => JSON.stringify(rows.map((row) => row[name])));
}

/** Quotes a text: `it's` → `'it''s'`. */
export function sqlString(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/**
 * Returns the pattern that only this path matches, since DuckDB's readers take every path for a
 * pattern: `Q[1].csv` → `Q[[]1].csv`. A path with a backslash next to such a character matches
 * nothing.
 */
export function filePattern(path: string): string {
  return path.replace(/[*?[]/g, '[$&]');
}

export function sqlDay(date: string): string {
  return `(${date} - DATE '1970-01-01')::INTEGER`;
}

export function sqlTimestamp(us: bigint | number): string {
  return `make_timestamp(${us})`;
}

/**
 * Runs `work` in one transaction. The error of a failed rollback is dropped: the first one says
 * more, and closing the connection rolls back too.
 */
export async function inTransaction<T>(
  connection: DuckDBConnection,
  work: () => Promise<T>,
): Promise<T> {
  failpoint('begin rows');
  await connection.run('BEGIN TRANSACTION');
  try {
    const result = await work();
    failpoint('commit rows');
    await connection.run('COMMIT');
    failpoint('rows committed');
    return result;
  } catch (error) {
    await connection.run('ROLLBACK').catch(() => undefined);
    throw error;
  }
}
