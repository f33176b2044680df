/** Changes for a publish when securities change their symbols: whole series go and come. */

import type { DuckDBConnection } from '@duckdb/node-api';
import type { StoredInterval } from '../../../base/time/intervals.ts';
import { columnOfField } from '../connection/dataset-columns.ts';
import { writeRowChanges } from '../connection/row-changes.ts';
import { selectColumn } from '../connection/sql-rows.ts';
import { storedDatasets } from '../rows/dataset-table.ts';
import { symbolColumn } from './place-rows.ts';

export async function rememberPlaces(connection: DuckDBConnection): Promise<void> {
  await connection.run(`
    CREATE OR REPLACE TEMP TABLE served_places AS
    SELECT symbol, interval, series_id, from_ts, to_ts, factor
    FROM winners SEMI JOIN loading_symbols USING (symbol)`);
  await connection.run(`
    CREATE OR REPLACE TEMP TABLE stated_places AS
    SELECT symbol, statement_id FROM action_coverage SEMI JOIN loading_symbols USING (symbol)`);
}

/**
 * Writes the `changes` of `loading_symbols` whose served series or corporate-action records differ
 * from before, and the `row_changes` of all of them.
 */
export async function recordMoves(connection: DuckDBConnection, seq: number): Promise<void> {
  await connection.run(`
    INSERT INTO changes
    WITH places AS (
      SELECT symbol, interval, series_id, from_ts, to_ts, factor
      FROM winners SEMI JOIN loading_symbols USING (symbol)),
    statements AS (
      SELECT symbol, statement_id FROM action_coverage SEMI JOIN loading_symbols USING (symbol)),
    restated AS (
      SELECT symbol FROM (
        (FROM statements EXCEPT FROM stated_places)
        UNION ALL (FROM stated_places EXCEPT FROM statements))),
    moved AS (
      SELECT symbol, interval FROM (
        (FROM places EXCEPT FROM served_places) UNION ALL (FROM served_places EXCEPT FROM places))
      UNION SELECT symbol, interval FROM places SEMI JOIN restated USING (symbol))
    SELECT ${seq}, symbol, interval, CASE WHEN p.from_ts IS NULL THEN 'remove' ELSE 'rewrite' END,
      coalesce(least(p.from_ts, b.from_ts), b.from_ts)
    FROM moved
    LEFT JOIN (SELECT symbol, interval, min(from_ts) AS from_ts FROM places GROUP BY ALL) p
      USING (symbol, interval)
    LEFT JOIN (SELECT symbol, interval, min(from_ts) AS from_ts FROM served_places GROUP BY ALL) b
      USING (symbol, interval)`);
  await recordRowMoves(connection, seq);
}

/** Records that a publish must rewrite the lists of the symbols in `loading_symbols`. */
async function recordRowMoves(connection: DuckDBConnection, seq: number): Promise<void> {
  for (const dataset of await storedDatasets(connection)) {
    const { column, kind } = symbolColumn(dataset);
    const isList = kind === 'symbols';
    const concerned = isList
      ? `SELECT ${columnOfField(String(dataset.key[0]))} FROM ${dataset.table}
         WHERE list_has_any(${column}, (SELECT list(symbol) FROM loading_symbols))`
      : 'SELECT DISTINCT symbol FROM loading_symbols';
    await writeRowChanges(connection, dataset, concerned, seq);
  }
}

/** Returns the intervals of bars of `loading_symbols`. */
export async function loadingIntervals(connection: DuckDBConnection): Promise<StoredInterval[]> {
  return selectColumn<StoredInterval>(
    connection,
    `SELECT interval FROM (
       SELECT symbol, interval FROM series UNION SELECT symbol, interval FROM winners)
     SEMI JOIN loading_symbols USING (symbol) GROUP BY interval`,
  );
}
