/**
 * Judges candidate rows: good ones land as Parquet, sorted, one per (series, ts); each bad one
 * gets the first reason that applies. Nothing vanishes: every candidate is one or the other.
 */

import { selectRows } from '../store/market/sql-rows.ts';
import { dailyRowRules, reasonSql } from './row-rules.ts';
import type { Scratch } from './scratch.ts';
import { sqlString } from './sql-text.ts';

export interface SettleRequest {
  /**
   * SELECT giving (series INTEGER, file_index INTEGER, line BIGINT, text VARCHAR, reason VARCHAR,
   * ts TIMESTAMP, open, high, low, close, volume DOUBLE). `reason` is set where a row could not be
   * parsed; `series` is of one file and may be NULL only then; `text` is the row as it was read, NULL if it never
   * was text.
   */
  candidatesSql: string;
  nowMs: number;
  /** Receives (file_index INTEGER = series, ts, open, high, low, close, volume). */
  parquetPath: string;
}

export interface Settled {
  /** Good rows by series; a series without any is missing. */
  acceptedBySeries: Map<number, number>;
  acceptedByFile: Map<number, number>;
  rejectedByFile: Map<number, number>;
}

const DUPLICATE = 'a later line has the same date';

/**
 * @returns counts. The refused rows go to the scratch table `rejected` (see `startQuarantine`), in
 *   place of earlier ones of the same files; all rows stay in the table `judged`, which has the
 *   columns of `candidatesSql` with every refused row's `reason`.
 */
export async function settleRows(scratch: Scratch, request: SettleRequest): Promise<Settled> {
  const { connection } = scratch;
  await connection.run(`
    CREATE OR REPLACE TEMP TABLE judged AS
    WITH ruled AS (
      SELECT * REPLACE (coalesce(reason, ${reasonSql(dailyRowRules(request.nowMs))}) AS reason)
      FROM (${request.candidatesSql})
    )
    SELECT * REPLACE (
      CASE WHEN reason IS NULL AND row_number() OVER (
        PARTITION BY series, ts, reason IS NULL ORDER BY line DESC
      ) > 1 THEN ${sqlString(DUPLICATE)} ELSE reason END AS reason)
    FROM ruled`);
  await connection.run(`
    DELETE FROM rejected WHERE file_index IN (SELECT file_index FROM judged);
    INSERT INTO rejected
    SELECT file_index, line, reason,
      coalesce(text, concat_ws(',', ts, open, high, low, close, volume))
    FROM judged WHERE reason IS NOT NULL`);
  await connection.run(`
    COPY (
      SELECT series AS file_index, ts, open, high, low, close, volume
      FROM judged WHERE reason IS NULL ORDER BY series, ts
    ) TO ${sqlString(request.parquetPath)} (FORMAT parquet, COMPRESSION zstd)`);
  return {
    acceptedBySeries: await countBy(scratch, 'series', 'reason IS NULL'),
    acceptedByFile: await countBy(scratch, 'file_index', 'reason IS NULL'),
    rejectedByFile: await countBy(scratch, 'file_index', 'reason IS NOT NULL'),
  };
}

async function countBy(
  { connection }: Scratch,
  keySql: string,
  whereSql: string,
): Promise<Map<number, number>> {
  const rows = await selectRows<{ key: number; count: number }>(
    connection,
    `SELECT ${keySql} AS key, count(*)::DOUBLE AS count FROM judged
     WHERE ${whereSql} GROUP BY 1 ORDER BY 1`,
  );
  return new Map(rows.map(({ key, count }) => [key, count]));
}
