import type { DuckDBConnection } from '@duckdb/node-api';
import type { Dataset } from '../../../base/datasets/dataset.ts';
import { statements } from '../../../base/datasets/filings.ts';
import { jsonTable, runOne } from './sql-rows.ts';

/** @param listKeysSql SQL of symbols or ids of articles, each once. */
export async function writeRowChanges(
  connection: DuckDBConnection,
  { name }: Dataset,
  listKeysSql: string,
  seq: number,
): Promise<void> {
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE changed_lists AS SELECT * FROM (${listKeysSql}) l(list_key)`,
  );
  await connection.run(
    `DELETE FROM row_changes WHERE dataset = '${name}' AND list_key IN (FROM changed_lists)`,
  );
  await connection.run(
    `INSERT INTO row_changes SELECT ${seq}, '${name}', list_key FROM changed_lists ORDER BY list_key`,
  );
}

/**
 * Records symbols whose splits a load has changed: their figures per share of the last twelve
 * months are on one split basis.
 *
 * @param before Winning splits and dividends as text, by symbol.
 */
export async function recordSplitChanges(
  connection: DuckDBConnection,
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
  seq: number,
): Promise<void> {
  const splitsOf = (actions = '') =>
    actions
      .split(';')
      .filter((action) => action.startsWith('split'))
      .join(';');
  const symbols = [...new Set([...before.keys(), ...after.keys()])].filter(
    (symbol) => splitsOf(before.get(symbol)) !== splitsOf(after.get(symbol)),
  );
  if (symbols.length === 0) return;
  await runOne(
    connection,
    `CREATE OR REPLACE TEMP TABLE split_symbols AS SELECT * FROM ${jsonTable({ symbol: 'VARCHAR' })}`,
    [JSON.stringify(symbols.map((symbol) => ({ symbol })))],
  );
  const stated = `SELECT DISTINCT symbol FROM ${statements.table} SEMI JOIN split_symbols USING (symbol)`;
  await writeRowChanges(connection, statements, stated, seq);
}
