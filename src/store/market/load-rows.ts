/**
 * Loads one segment of rows: the believed row of each key, ledger, changes and events in one
 * transaction. Of rows with the same key the best is believed: best by source, then as-of, then
 * content. So what is stored depends on the set of segments alone.
 */

import type { DuckDBConnection } from '@duckdb/node-api';
import { type Dataset, rowDatasets } from '../../datasets.ts';
import { assert } from '../../errors.ts';
import { tableColumns } from './dataset-table.ts';
import { requireFewRejected } from './doubt-load.ts';
import { filePattern } from './file-pattern.ts';
import { findSegment, nextIds } from './ledger.ts';
import type { LoadOptions } from './load-candles.ts';
import { knownDaySql, renameIn, symbolColumn } from './move-rows.ts';
import type { MarketDb } from './open.ts';
import { keyColumns, keyed, rankedSql } from './rank-rows.ts';
import { addHolders, type Load, resolveTickers } from './resolve-tickers.ts';
import { writeRowChanges } from './row-changes.ts';
import { writeRowEvents } from './row-events.ts';
import type { RowSegment } from './row-segment.ts';
import { sourcePriority } from './source-priority.ts';
import { inTransaction, jsonTable, selectRow, selectRows, sqlTimestamp } from './sql-rows.ts';
import { nameSymbols } from './symbols.ts';

export interface RowLoadResult {
  /** The segment's number in the ledger; the `row_changes` it caused carry it. */
  seq: number;
  /** The ledger had it: nothing was changed, and the counts are those of its first load. */
  alreadyLoaded: boolean;
  accepted: number;
  rejected: number;
  /** Rows that are new or have other values now. */
  rowsChanged: number;
}

/**
 * Loads a segment.
 *
 * @throws {DoubtfulLoadError} it is not believed.
 * @throws what reading the Parquet file throws; the store is then as before.
 */
export async function loadRows(
  { connection }: MarketDb,
  segment: RowSegment,
  { nowMs, guard }: LoadOptions,
): Promise<RowLoadResult> {
  sourcePriority(segment.source);
  const dataset = rowDatasets.find(({ name }) => name === segment.dataset);
  assert(dataset, `${segment.dataset} is a dataset of rows`);
  const known = await findSegment(connection, segment.id);
  if (known) return { ...known, alreadyLoaded: true, rowsChanged: 0 };
  if (guard) requireFewRejected(segment.origin, segment, guard);
  return inTransaction(connection, async () => {
    const { seq } = await nextIds(connection);
    await writeLedgerRow(connection, segment, { seq, nowMs });
    const isRenamed = await stage(connection, dataset, segment.parquetPath, { seq, nowMs });
    // Within a segment no key comes twice under the tickers that it states.
    const isFirst = !isRenamed && (await isEmpty(connection, dataset.table));
    await (isFirst ? insertAll : merge)(connection, dataset);
    const rowsChanged = await countChanged(connection);
    await recordRowChanges(connection, dataset, seq);
    await writeRowEvents(connection, dataset, { seq, nowMs });
    const { accepted, rejected } = segment;
    return { seq, alreadyLoaded: false, accepted, rejected, rowsChanged };
  });
}

async function writeLedgerRow(
  connection: DuckDBConnection,
  { id, dataset, source, asOfUs, origin, kind, accepted, rejected }: RowSegment,
  { seq, nowMs }: Load,
): Promise<void> {
  await connection.run(
    `INSERT INTO segments
     VALUES (${seq}, $1, $2, $3, NULL, NULL, ${sqlTimestamp(asOfUs)}, $4, $5,
       ${accepted + rejected}, ${accepted}, ${rejected}, ${sqlTimestamp(nowMs * 1000)})`,
    [id, dataset, source, origin, kind],
  );
}

/**
 * Makes the temporary table `incoming` of the segment's rows, under the symbols of today.
 *
 * @returns whether some stated ticker is not the symbol of today.
 */
async function stage(
  connection: DuckDBConnection,
  dataset: Dataset,
  parquetPath: string,
  load: Load,
): Promise<boolean> {
  const fields = tableColumns(dataset);
  const symbols = symbolColumn(dataset);
  const isList = symbols.kind === 'symbols';
  const origin = `${symbols.column} AS ${isList ? 'tickers' : 'ticker'}, ${load.seq} AS segment_seq`;
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE incoming AS
     SELECT ${fields.map(({ column }) => column).join(', ')}, ${origin} FROM read_parquet($1)`,
    [filePattern(parquetPath)],
  );
  const ticker = isList ? `unnest(${symbols.column})` : symbols.column;
  const stated = await selectRows<{ ticker: string; firstDay: number; lastDay: number }>(
    connection,
    `SELECT ticker, min(day) AS "firstDay", max(day) AS "lastDay"
     FROM (SELECT ${ticker} AS ticker, ${knownDaySql(dataset)} AS day FROM incoming)
     GROUP BY ticker ORDER BY ticker`,
  );
  const tickers = stated.map((one) => one.ticker);
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE loading_symbols AS SELECT symbol FROM ${jsonTable({ symbol: 'VARCHAR' })}`,
    [JSON.stringify(tickers.map((symbol) => ({ symbol })))],
  );
  await addHolders(connection);
  await nameSymbols(connection, load.nowMs);
  const resolved = await resolveTickers(connection, stated, load);
  const moves = tickers
    .map((from, i) => ({ from, to: resolved[i] }))
    .filter(({ from, to }) => from !== to);
  await renameIn(connection, 'incoming', symbols, moves);
  return moves.length > 0;
}

async function isEmpty(connection: DuckDBConnection, table: string): Promise<boolean> {
  return (await selectRows(connection, `SELECT 1 AS found FROM ${table} LIMIT 1`)).length === 0;
}

/** What `merge` does where there is nothing to compare with: the first segment of a dataset. */
async function insertAll(connection: DuckDBConnection, dataset: Dataset): Promise<void> {
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE changed_rows AS
     SELECT ${keyed(dataset)} FROM incoming ORDER BY ${keyColumns(dataset).join(', ')}`,
  );
  await connection.run(
    `INSERT INTO ${dataset.table} BY NAME
     SELECT * EXCLUDE (${keyColumns(dataset).join(', ')}) FROM changed_rows`,
  );
}

/**
 * Brings `incoming` into the dataset's table.
 *
 * Leaves the temporary table `changed_rows`: rows that are new or have other values. A row that
 * differs in nothing but when it was so, is as it was.
 */
async function merge(connection: DuckDBConnection, dataset: Dataset): Promise<void> {
  const { table } = dataset;
  const keys = keyColumns(dataset);
  const sameKey = keys.map((key) => `o.${key} IS NOT DISTINCT FROM w.${key}`).join(' AND ');
  const rows = `
    WITH new_rows AS (SELECT ${keyed(dataset)} FROM incoming),
      old_rows AS (
        SELECT * FROM (SELECT rowid AS old_row, ${keyed(dataset)} FROM ${table}) o
        WHERE EXISTS (FROM new_rows w WHERE ${sameKey}))
    FROM old_rows UNION ALL BY NAME FROM new_rows`;
  await connection.run(`CREATE OR REPLACE TEMP TABLE rivals AS ${rankedSql(dataset, rows)}`);
  const isOfKey = dataset.key.flat().includes('asOf');
  const values = tableColumns(dataset)
    .filter(({ field }) => field !== 'asOf' || isOfKey)
    .map(({ column }) => `o.${column} IS NOT DISTINCT FROM w.${column}`);
  await connection.run(`
    CREATE OR REPLACE TEMP TABLE changed_rows AS
    FROM rivals w WHERE place = 1 AND old_row IS NULL
      AND NOT EXISTS (FROM rivals o WHERE o.old_row IS NOT NULL AND ${values.join(' AND ')})`);
  await connection.run(
    `DELETE FROM ${table} WHERE rowid IN (
       SELECT old_row FROM rivals WHERE place > 1 AND old_row IS NOT NULL)`,
  );
  await connection.run(`
    INSERT INTO ${table} BY NAME
    SELECT * EXCLUDE (old_row, place, ${keys.join(', ')}) FROM rivals
    WHERE place = 1 AND old_row IS NULL ORDER BY ${keys.join(', ')}`);
}

async function countChanged(connection: DuckDBConnection): Promise<number> {
  const { count } = await selectRow<{ count: number }>(
    connection,
    'SELECT count(*)::DOUBLE AS count FROM changed_rows',
  );
  return count;
}

/** Notes the lists that hold the rows of `changed_rows`, or held them. */
async function recordRowChanges(
  connection: DuckDBConnection,
  dataset: Dataset,
  seq: number,
): Promise<void> {
  const listKey = symbolColumn(dataset).kind === 'symbol' ? 'symbol' : keyColumns(dataset)[0];
  await writeRowChanges(connection, dataset, `SELECT DISTINCT ${listKey} FROM changed_rows`, seq);
}
