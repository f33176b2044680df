/**
 * Raw rows merged one by one into series that exist, or that several files of a segment share.
 *
 * At each (series, ts) the row of the file with the greatest (as-of, modification time, SHA-256) is
 * served. Of all
 * other rows ever loaded one per distinct set of values is kept in the table of rivals. Both
 * follow from the set of rows alone, so the order and repetition of loads don't show.
 */

import type { DuckDBConnection } from '@duckdb/node-api';
import { type BarTable, barTable, storedInterval } from '../connection/bar-table.ts';
import type { CandleSegment } from '../connection/candle-segment.ts';
import { NEW_TOUCHED } from '../connection/changes.ts';
import { listsOf, listTable, selectRow } from '../connection/sql-rows.ts';
import type { LandedFile } from './insert-rows.ts';

const VALUES = ['open', 'high', 'low', 'close', 'volume'] as const;
const VALUE_LIST = VALUES.join(', ');
const COLUMNS = `series_id, file_id, ts, ${VALUE_LIST}`;
const NO_CONTEST = `CREATE OR REPLACE TEMP TABLE contest AS
  SELECT ${COLUMNS}, 1 AS place FROM incoming LIMIT 0`;

const LANDED_COLUMNS = {
  landedId: 'INTEGER',
  ticker: 'VARCHAR',
  symbol: 'VARCHAR',
  asOf: 'BIGINT',
  modified: 'BIGINT',
} as const;

export interface MergeInput {
  files: readonly LandedFile[];
  /** By file, microseconds: the stated as-of, else the file's newest bar. */
  ownAsOf: Float64Array;
  /** By file: the symbol of the security it is of. */
  symbols: readonly string[];
  /** First reads of files that were then examined. */
  deadSeriesIds: readonly number[];
}

/**
 * Merges the temporary table `incoming`, whose files the ledger knows by now, and adds the rows
 * that are new or have new values to the temporary table `touched`, each with the file that it is of.
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
 * Merges the temporary table `incoming`, whose rows carry their series by now, and adds to
 * `touched` as `mergeRawRows` does. Leaves in `fresh` the rows that were added, and in `contest`
 * those of keys that more than one claims.
 */
export async function mergeIncoming(connection: DuckDBConnection, table: BarTable): Promise<void> {
  await connection.run(NEW_TOUCHED);
  if (await isContested(connection, table)) {
    await findContests(connection, table);
    await settleContests(connection, table);
  } else {
    // The usual case: planning all that settles contests takes longer than a small load should.
    await connection.run(NO_CONTEST);
    await connection.run(`CREATE OR REPLACE TEMP TABLE fresh AS SELECT ${COLUMNS} FROM incoming`);
  }
  await connection.run('INSERT INTO touched SELECT series_id, ts, file_id FROM fresh');
  await connection.run(
    `INSERT INTO ${table.bars} SELECT ${COLUMNS} FROM fresh ORDER BY series_id, ts`,
  );
  await updateSeries(connection);
}

/** Changes the stored rows that are contested. */
async function settleContests(
  connection: DuckDBConnection,
  { bars, rivals }: BarTable,
): Promise<void> {
  await connection.run(`
    INSERT INTO touched
      SELECT c.series_id, c.ts, c.file_id FROM contest c JOIN ${bars} b USING (series_id, ts)
      WHERE c.place = 1 AND (${VALUES.map((v) => `b.${v} IS DISTINCT FROM c.${v}`).join(' OR ')})`);
  // In place, so that a corrected series stays in one piece on disk.
  await connection.run(`
    UPDATE ${bars} SET file_id = c.file_id, ${VALUES.map((v) => `${v} = c.${v}`).join(', ')}
    FROM contest c WHERE c.place = 1 AND ${bars}.series_id = c.series_id AND ${bars}.ts = c.ts
      AND ${bars}.file_id <> c.file_id`);
  await connection.run(`
    DELETE FROM ${rivals} USING contest c
    WHERE ${rivals}.series_id = c.series_id AND ${rivals}.ts = c.ts`);
  await connection.run(
    `INSERT INTO ${rivals} SELECT ${COLUMNS} FROM contest WHERE place > 1 ORDER BY series_id, ts`,
  );
}

/** Gives the incoming rows their series, new ones entered in `series` without rows as yet. */
async function assignSeries(
  connection: DuckDBConnection,
  segment: CandleSegment,
  { files, ownAsOf, symbols, deadSeriesIds }: MergeInput,
): Promise<void> {
  const landed = files
    .filter(({ accepted }) => accepted > 0)
    .map(({ fileIndex, seriesId }) => ({
      landedId: seriesId,
      ticker: segment.files[fileIndex].symbol,
      symbol: symbols[fileIndex],
      asOf: ownAsOf[fileIndex],
      modified: Number(segment.files[fileIndex].modifiedUs ?? 0n),
    }));
  // A series without one as yet gets the id that its first file landed with.
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE merged AS
     SELECT l.*, coalesce(s.series_id, first_id) AS series_id,
       s.series_id IS NULL AND "landedId" = first_id AS is_new
     FROM (SELECT *, min("landedId") OVER (PARTITION BY ticker, symbol) AS first_id
           FROM ${listTable(LANDED_COLUMNS)}) l
     LEFT JOIN series s ON s.ticker = l.ticker AND s.symbol = l.symbol
       AND s.basis = 'raw' AND s.interval = $6 AND s.source = $7`,
    [...listsOf(landed, LANDED_COLUMNS), storedInterval(segment), segment.source],
  );
  if (deadSeriesIds.length > 0) {
    await connection.run(`DELETE FROM incoming WHERE series_id IN (${deadSeriesIds.join(',')})`);
  }
  await connection.run(
    `INSERT INTO series
     SELECT series_id, symbol, $1, $2, 'raw', NULL, '', NULL, NULL, 0, ticker,
       make_timestamp(0)
     FROM merged WHERE is_new`,
    [storedInterval(segment), segment.source],
  );
  await connection.run(`
    UPDATE incoming SET series_id = m.series_id FROM merged m
    WHERE incoming.series_id = m."landedId"`);
}

/** Whether any key has two rows; `stored_keys`: those of incoming rows that are stored. */
async function isContested(connection: DuckDBConnection, { bars }: BarTable): Promise<boolean> {
  // A row after the series' last bar, the usual case, is sorted out before bars are looked at. The
  // tables are joined to one of few rows, whose bounds let their scans pass over row groups.
  await connection.run(`
    CREATE OR REPLACE TEMP TABLE stored_keys AS
    SELECT b.series_id, b.ts FROM ${bars} b
    JOIN (SELECT DISTINCT i.series_id, i.ts FROM incoming i JOIN series s USING (series_id)
          WHERE i.ts BETWEEN s.first_ts AND s.last_ts) k
      ON k.series_id = b.series_id AND k.ts = b.ts`);
  const { found } = await selectRow<{ found: boolean }>(
    connection,
    `SELECT (SELECT count(*) FROM stored_keys) > 0 OR count(*) > 0 AS found
     FROM (SELECT 1 FROM incoming GROUP BY series_id, ts HAVING count(*) > 1)`,
  );
  return found;
}

/**
 * `contest`: all rows, old and new, at the keys that more than one row claims, `place` 1 = served.
 * `fresh`: the rows to add to the table of bars.
 */
async function findContests(
  connection: DuckDBConnection,
  { bars, rivals }: BarTable,
): Promise<void> {
  const best = `f.as_of DESC NULLS LAST, f.modified DESC, f.sha256 DESC,
    ${VALUES.map((v) => `r.${v} DESC`).join(', ')}, r.file_id`;
  await connection.run(`
    CREATE OR REPLACE TEMP TABLE contest AS
    WITH keys AS (
      FROM stored_keys UNION
      SELECT series_id, ts FROM incoming GROUP BY series_id, ts HAVING count(*) > 1),
    claims AS (
      SELECT ${COLUMNS} FROM incoming SEMI JOIN keys USING (series_id, ts) UNION ALL
      SELECT ${COLUMNS} FROM ${bars} JOIN stored_keys USING (series_id, ts) UNION ALL
      SELECT ${COLUMNS} FROM ${rivals} JOIN stored_keys USING (series_id, ts)),
    ranked AS (
      SELECT r.*, row_number() OVER (PARTITION BY series_id, ts ORDER BY ${best}) AS rank,
        row_number() OVER (PARTITION BY series_id, ts, ${VALUE_LIST} ORDER BY ${best}) AS repeat
      FROM claims r JOIN segment_files f ON f.file_id = r.file_id)
    SELECT ${COLUMNS}, row_number() OVER (PARTITION BY series_id, ts ORDER BY rank) AS place
    FROM ranked WHERE repeat = 1`);
  await connection.run(`
    CREATE OR REPLACE TEMP TABLE fresh AS
      SELECT ${COLUMNS} FROM incoming ANTI JOIN contest USING (series_id, ts)
      UNION ALL
      SELECT ${COLUMNS} FROM contest ANTI JOIN stored_keys USING (series_id, ts) WHERE place = 1`);
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
