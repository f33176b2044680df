/**
 * Merges raw rows one by one into existing series, or series that several files share.
 *
 * At each (series, ts) the row of the file with the greatest (as-of, modification time, SHA-256)
 * wins. One other row for each distinct set of values is kept in the table of superseded rows. So
 * order and repetition of loads do not matter.
 */

import type { DuckDBConnection } from '@duckdb/node-api';
import { BAR_FIELDS } from '../../../base/bars.ts';
import { type BarTable, barTable, storedInterval } from '../connection/bar-table.ts';
import type { CandleSegment } from '../connection/candle-segment.ts';
import { exists, listsOf, listTable, runOne } from '../connection/sql-rows.ts';
import type { SeriesPart } from './series.ts';

const VALUE_LIST = BAR_FIELDS.join(', ');
const COLUMNS = `series_id, file_id, ts, ${VALUE_LIST}`;
const NO_CONFLICTS = `CREATE OR REPLACE TEMP TABLE conflicts AS
  SELECT ${COLUMNS}, 1 AS place, false AS was_served FROM incoming LIMIT 0`;

const INSERTED_COLUMNS = {
  insertedId: 'INTEGER',
  ticker: 'VARCHAR',
  symbol: 'VARCHAR',
  asOf: 'BIGINT',
  modified: 'BIGINT',
  fromDay: 'INTEGER',
} as const;

export interface MergeInput {
  parts: readonly SeriesPart[];
  /** Vintages by file, in microseconds: the stated as-of, else the file's newest bar. */
  ownAsOf: Float64Array;
  /** Series of first reads of files that were then examined. */
  orphanSeriesIds: readonly number[];
}

/**
 * Merges `incoming`, whose files are in the ledger. Adds rows that are new or have new values to
 * the temporary table `touched`.
 */
export async function mergeRawRows(
  connection: DuckDBConnection,
  segment: CandleSegment,
  input: MergeInput,
): Promise<void> {
  await assignSeries(connection, segment, input);
  await mergeIncoming(connection, barTable(segment.interval));
  await connection.run(`
    UPDATE series SET as_of = greatest(series.as_of, make_timestamp(n.as_of)),
      modified = greatest(series.modified, make_timestamp(n.modified))
    FROM (SELECT series_id, max("asOf") AS as_of, max(modified) AS modified
          FROM merged GROUP BY series_id) n
    WHERE series.series_id = n.series_id`);
}

/**
 * Merges `incoming`, whose rows have their series, and adds to `touched`. Leaves added rows in
 * `fresh`, and rows with a key in common in `conflicts`.
 */
export async function mergeIncoming(connection: DuckDBConnection, table: BarTable): Promise<void> {
  if (await hasConflicts(connection, table)) {
    await findConflicts(connection, table);
    await resolveConflicts(connection, table);
  } else {
    // The usual case: planning the statements for conflicts takes longer than a small load should.
    await connection.run(NO_CONFLICTS);
    await connection.run(`CREATE OR REPLACE TEMP TABLE fresh AS SELECT ${COLUMNS} FROM incoming`);
  }
  await connection.run('INSERT INTO touched SELECT series_id, ts, file_id FROM fresh');
  await connection.run(
    `INSERT INTO ${table.bars} SELECT ${COLUMNS} FROM fresh ORDER BY series_id, ts`,
  );
  await updateSeries(connection);
}

async function resolveConflicts(
  connection: DuckDBConnection,
  { bars, superseded }: BarTable,
): Promise<void> {
  await connection.run(`
    INSERT INTO touched
      SELECT c.series_id, c.ts, c.file_id FROM conflicts c JOIN ${bars} b USING (series_id, ts)
      WHERE c.place = 1 AND (${BAR_FIELDS.map((v) => `b.${v} IS DISTINCT FROM c.${v}`).join(' OR ')})`);
  // In place, so that a corrected series stays in one piece on disk.
  await connection.run(`
    UPDATE ${bars} SET file_id = c.file_id, ${BAR_FIELDS.map((v) => `${v} = c.${v}`).join(', ')}
    FROM conflicts c WHERE c.place = 1 AND ${bars}.series_id = c.series_id AND ${bars}.ts = c.ts
      AND ${bars}.file_id <> c.file_id`);
  await connection.run(`
    DELETE FROM ${superseded} USING conflicts c
    WHERE ${superseded}.series_id = c.series_id AND ${superseded}.ts = c.ts`);
  await connection.run(
    `INSERT INTO ${superseded} SELECT ${COLUMNS} FROM conflicts WHERE place > 1 ORDER BY series_id, ts`,
  );
}

async function assignSeries(
  connection: DuckDBConnection,
  segment: CandleSegment,
  { parts, ownAsOf, orphanSeriesIds }: MergeInput,
): Promise<void> {
  const inserted = parts
    .filter(({ accepted }) => accepted > 0)
    .map(({ fileIndex, seriesId, ticker, symbol, fromDay }) => ({
      ...{ insertedId: seriesId, ticker, symbol, fromDay },
      asOf: ownAsOf[fileIndex],
      modified: Number(segment.files[fileIndex].modifiedUs ?? 0n),
    }));
  // A new series gets the id with which its first file was inserted.
  await runOne(
    connection,
    `CREATE OR REPLACE TEMP TABLE merged AS
     SELECT l.*, coalesce(s.series_id, first_id) AS series_id,
       s.series_id IS NULL AND "insertedId" = first_id AS is_new
     FROM (SELECT *, min("insertedId") OVER (PARTITION BY ticker, symbol, "fromDay") AS first_id
           FROM ${listTable(INSERTED_COLUMNS)}) l
     LEFT JOIN series s ON s.ticker = l.ticker AND s.symbol = l.symbol
       AND s.from_date IS NOT DISTINCT FROM DATE '1970-01-01' + l."fromDay"
       AND s.basis = 'raw' AND s.interval = $7 AND s.source = $8`,
    [...listsOf(inserted, INSERTED_COLUMNS), storedInterval(segment), segment.source],
  );
  if (orphanSeriesIds.length > 0) {
    await connection.run(`DELETE FROM incoming WHERE series_id IN (${orphanSeriesIds.join(',')})`);
  }
  await runOne(
    connection,
    `INSERT INTO series
     SELECT series_id, symbol, $1, $2, 'raw', NULL, '', NULL, NULL, 0, ticker,
       make_timestamp(0), NULL, DATE '1970-01-01' + "fromDay"
     FROM merged WHERE is_new`,
    [storedInterval(segment), segment.source],
  );
  await connection.run(`
    UPDATE incoming SET series_id = m.series_id FROM merged m
    WHERE incoming.series_id = m."insertedId"`);
}

/** Returns true if any key has two rows. `stored_keys`: keys of incoming rows that are stored. */
async function hasConflicts(connection: DuckDBConnection, { bars }: BarTable): Promise<boolean> {
  // Excludes rows after the series' last bar before bars are read. The tables are joined to a small
  // one, whose bounds let their scans skip row groups.
  await connection.run(`
    CREATE OR REPLACE TEMP TABLE stored_keys AS
    SELECT b.series_id, b.ts FROM ${bars} b
    JOIN (SELECT DISTINCT i.series_id, i.ts FROM incoming i JOIN series s USING (series_id)
          WHERE i.ts BETWEEN s.first_ts AND s.last_ts) k
      ON k.series_id = b.series_id AND k.ts = b.ts`);
  return exists(
    connection,
    `SELECT 1 FROM stored_keys
     UNION ALL SELECT 1 FROM incoming GROUP BY series_id, ts HAVING count(*) > 1`,
  );
}

/**
 * Fills `conflicts` with all rows at keys with more than one (`place` 1 wins; `was_served`: the table
 * of bars has its values), and `fresh` with the rows to add to the table of bars.
 */
async function findConflicts(
  connection: DuckDBConnection,
  { bars, superseded }: BarTable,
): Promise<void> {
  const best = `f.as_of DESC NULLS LAST, f.modified DESC, f.sha256 DESC,
    ${BAR_FIELDS.map((v) => `r.${v} DESC`).join(', ')}, r.file_id`;
  await connection.run(`
    CREATE OR REPLACE TEMP TABLE conflicts AS
    WITH keys AS (
      FROM stored_keys UNION
      SELECT series_id, ts FROM incoming GROUP BY series_id, ts HAVING count(*) > 1),
    claims AS (
      SELECT ${COLUMNS}, false AS served FROM incoming SEMI JOIN keys USING (series_id, ts) UNION ALL
      SELECT ${COLUMNS}, true FROM ${bars} JOIN stored_keys USING (series_id, ts) UNION ALL
      SELECT ${COLUMNS}, false FROM ${superseded} JOIN stored_keys USING (series_id, ts)),
    ranked AS (
      SELECT r.*, row_number() OVER (PARTITION BY series_id, ts ORDER BY ${best}) AS rank,
        row_number() OVER (PARTITION BY series_id, ts, ${VALUE_LIST} ORDER BY ${best}) AS repeat,
        bool_or(served) OVER (PARTITION BY series_id, ts, ${VALUE_LIST}) AS was_served
      FROM claims r JOIN segment_files f ON f.file_id = r.file_id)
    SELECT ${COLUMNS}, row_number() OVER (PARTITION BY series_id, ts ORDER BY rank) AS place,
      was_served
    FROM ranked WHERE repeat = 1`);
  await connection.run(`
    CREATE OR REPLACE TEMP TABLE fresh AS
      SELECT ${COLUMNS} FROM incoming ANTI JOIN conflicts USING (series_id, ts)
      UNION ALL
      SELECT ${COLUMNS} FROM conflicts ANTI JOIN stored_keys USING (series_id, ts) WHERE place = 1`);
}

async function updateSeries(connection: DuckDBConnection): Promise<void> {
  await connection.run(`
    UPDATE series SET first_ts = least(series.first_ts, n.first_ts),
      last_ts = greatest(series.last_ts, n.last_ts),
      row_count = series.row_count + n.row_count
    FROM (SELECT series_id, min(ts) AS first_ts, max(ts) AS last_ts, count(*) AS row_count
          FROM fresh GROUP BY series_id) n
    WHERE series.series_id = n.series_id`);
}
