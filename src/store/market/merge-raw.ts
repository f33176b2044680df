/**
 * Raw rows merged one by one into series that exist, or that several files of a segment share.
 *
 * At each (series, ts) the row of the file with the greatest (as-of, SHA-256) is served. Of all
 * other rows ever loaded one per distinct set of values is kept in `rival_bars`. Both follow from
 * the set of rows alone, so the order and repetition of loads don't show.
 */

import type { DuckDBConnection } from '@duckdb/node-api';
import type { CandleSegment } from './candle-segment.ts';
import type { LandedFile } from './land-rows.ts';
import { jsonTable } from './sql-rows.ts';

const VALUES = ['open', 'high', 'low', 'close', 'volume'] as const;
const VALUE_LIST = VALUES.join(', ');
const COLUMNS = `series_id, file_id, ts, ${VALUE_LIST}`;

export interface MergeInput {
  files: readonly LandedFile[];
  /** By file, microseconds. */
  asOf: Float64Array;
  /** Raw series by symbol; symbols without one get the id that their first file landed with. */
  rawIds: ReadonlyMap<string, number>;
}

/**
 * Merges the temporary table `incoming`, whose files the ledger knows by now, and adds the rows
 * that are new or have new values to the temporary table `touched` (series_id, ts).
 */
export async function mergeRawRows(
  connection: DuckDBConnection,
  segment: CandleSegment,
  input: MergeInput,
): Promise<void> {
  await assignSeries(connection, segment, input);
  await findContests(connection);
  await connection.run(`
    INSERT INTO touched
      SELECT series_id, ts FROM fresh
      UNION ALL
      SELECT c.series_id, c.ts FROM contest c JOIN bars b USING (series_id, ts)
      WHERE c.place = 1 AND (${VALUES.map((v) => `b.${v} IS DISTINCT FROM c.${v}`).join(' OR ')})`);
  // In place, so that a corrected series stays in one piece on disk.
  await connection.run(`
    UPDATE bars SET file_id = c.file_id, ${VALUES.map((v) => `${v} = c.${v}`).join(', ')}
    FROM contest c WHERE c.place = 1 AND bars.series_id = c.series_id AND bars.ts = c.ts
      AND bars.file_id <> c.file_id`);
  await connection.run(`INSERT INTO bars SELECT ${COLUMNS} FROM fresh ORDER BY series_id, ts`);
  await connection.run(`
    DELETE FROM rival_bars USING contest c
    WHERE rival_bars.series_id = c.series_id AND rival_bars.ts = c.ts`);
  await connection.run(
    `INSERT INTO rival_bars SELECT ${COLUMNS} FROM contest WHERE place > 1 ORDER BY series_id, ts`,
  );
  await updateSeries(connection);
}

/** Gives the incoming rows their series, new ones entered in `series` without rows as yet. */
async function assignSeries(
  connection: DuckDBConnection,
  segment: CandleSegment,
  { files, asOf, rawIds }: MergeInput,
): Promise<void> {
  const idBySymbol = new Map(rawIds);
  const rows = files
    .filter(({ accepted }) => accepted > 0)
    .map(({ fileIndex, seriesId: landedId }) => {
      const { symbol } = segment.files[fileIndex];
      const known = idBySymbol.get(symbol);
      if (known === undefined) idBySymbol.set(symbol, landedId);
      const isNew = known === undefined;
      return { landedId, seriesId: known ?? landedId, symbol, asOf: asOf[fileIndex], isNew };
    });
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE merged AS SELECT * FROM ${jsonTable({
      landedId: 'INTEGER',
      seriesId: 'INTEGER',
      symbol: 'VARCHAR',
      asOf: 'BIGINT',
      isNew: 'BOOLEAN',
    })}`,
    [JSON.stringify(rows)],
  );
  // First reads of files that were then examined.
  await connection.run(
    'DELETE FROM incoming WHERE series_id NOT IN (SELECT "landedId" FROM merged)',
  );
  await connection.run(
    `INSERT INTO series
     SELECT "seriesId", symbol, $1, $2, 'raw', NULL, '', NULL, NULL, 0 FROM merged WHERE "isNew"`,
    [segment.interval, segment.source],
  );
  await connection.run(`
    UPDATE incoming SET series_id = m."seriesId" FROM merged m
    WHERE incoming.series_id = m."landedId"`);
}

/**
 * `contest`: all rows, old and new, at the keys that more than one row claims, `place` 1 = served.
 * `fresh`: the rows to add to `bars`.
 */
async function findContests(connection: DuckDBConnection): Promise<void> {
  // A row after the series' last bar, the usual case, is sorted out before bars are looked at.
  await connection.run(`
    CREATE OR REPLACE TEMP TABLE stored_keys AS
    SELECT b.series_id, b.ts FROM bars b
    JOIN (SELECT DISTINCT i.series_id, i.ts FROM incoming i JOIN series s USING (series_id)
          WHERE i.ts BETWEEN s.first_ts AND s.last_ts) k
      ON k.series_id = b.series_id AND k.ts = b.ts`);
  const best = `f.as_of DESC NULLS LAST, f.sha256 DESC, ${VALUES.map((v) => `r.${v} DESC`).join(', ')},
    r.file_id`;
  await connection.run(`
    CREATE OR REPLACE TEMP TABLE contest AS
    WITH keys AS (
      FROM stored_keys UNION
      SELECT series_id, ts FROM incoming GROUP BY series_id, ts HAVING count(*) > 1),
    claims AS (
      SELECT ${COLUMNS} FROM incoming SEMI JOIN keys USING (series_id, ts) UNION ALL
      SELECT ${COLUMNS} FROM bars SEMI JOIN keys USING (series_id, ts) UNION ALL
      SELECT ${COLUMNS} FROM rival_bars SEMI JOIN keys USING (series_id, ts)),
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
  await connection.run(`
    UPDATE series SET as_of = greatest(series.as_of, make_timestamp(n."asOf"))
    FROM (SELECT "seriesId", max("asOf") AS "asOf" FROM merged GROUP BY "seriesId") n
    WHERE series.series_id = n."seriesId"`);
}
