/** Checks candidate rows: each is good, or refused with the first reason that applies. */

import { countText } from '../../base/count-text.ts';
import type { BaseInterval, Hours } from '../../base/time/intervals.ts';
import { selectRow, selectRows } from '../../store/duckdb/connection/sql-rows.ts';
import { refuseClosedDays, type ServedDays } from './closed-days.ts';
import { refuseMisdated } from './misdated.ts';
import { exchangedNotes, refuseMisplaced, repeatedLastNotes } from './misplaced.ts';
import {
  DUPLICATES,
  dailyRowRules,
  IS_LEVELLED_SQL,
  intradayRowRules,
  LEVELLED_SQL,
  MOST_OUTSIDE,
  mostOutsideSql,
  reasonSql,
} from './row-rules.ts';
import type { Scratch } from './scratch.ts';
import { refuseSeams } from './seams.ts';
import { isOfHoursSql, makeSessionHours } from './session-hours.ts';
import { refuseSeveralADay } from './several-a-day.ts';
import { doubledStamps, IS_CONTRADICTED_SQL, settleDoubled } from './several-securities.ts';
import { refuseShifted } from './shifted-rows.ts';
import { sqlFile, sqlString } from './sql-text.ts';

export interface JudgeRequest {
  /**
   * SELECT giving (series INTEGER, file_index INTEGER, line BIGINT, text VARCHAR, reason VARCHAR,
   * ts TIMESTAMP, is_correction BOOLEAN, open, high, low, close, volume DOUBLE). `reason` is set if
   * a row could not be parsed, and only then may `series` be NULL. All rows of a `series` are from
   * one file. `text` is the row as read, or NULL if it was never text.
   */
  candidatesSql: string;
  interval: BaseInterval;
  nowMs: number;
  /** True if rows come series by series, each stamp once and in rising order. */
  isRising?: boolean;
  /** Indexes of files whose newest row is the first: of several rows of a stamp the first one counts. */
  newestFirst?: readonly number[];
  /**
   * Given if a series may hold rows of several securities, which needs the column `identity`.
   * `isOne` if the user states the symbol: parts end to end are then of one. `symbolColumns` has the
   * name of the column of symbols by file index.
   */
  several?: { isOne: boolean; symbolColumns: ReadonlyMap<number, string> };
  /** True if the user states that the dates are right. */
  areDatesRight?: boolean;
  servedDays?: ServedDays;
}

export interface Judged {
  acceptedByFile: Map<number, number>;
  rejectedByFile: Map<number, number>;
  /** Accepted rows whose low or high was moved to open or close by a rounding. */
  levelledByFile: Map<number, number>;
  /** Notes on series whose rows are kept. */
  notes: string[];
}

const DUPLICATE_TEXTS = DUPLICATES.map(sqlString);

/**
 * Keeps the last of several rows of a stamp, or the last correction if there is one. Refused rows
 * replace those of the same files in the scratch table `rejected`. All rows stay in the table
 * `judged`, with the columns of `candidatesSql` and with `is_levelled`.
 */
export async function judgeRows(scratch: Scratch, request: JudgeRequest): Promise<Judged> {
  const connection = await scratch.connect();
  const { interval, nowMs } = request;
  const isDaily = interval === '1d';
  const rules = isDaily ? dailyRowRules(nowMs) : intradayRowRules(interval, nowMs);
  const duplicate = isDaily
    ? DUPLICATE_TEXTS[0]
    : `CASE WHEN is_correction THEN ${DUPLICATE_TEXTS[1]} ELSE ${DUPLICATE_TEXTS[2]} END`;
  const ruledSql = `SELECT * REPLACE (coalesce(reason, ${reasonSql(rules)}) AS reason,
      ${LEVELLED_SQL.low} AS low, ${LEVELLED_SQL.high} AS high), ${IS_LEVELLED_SQL} AS is_levelled
    FROM (${request.candidatesSql})`;
  const { newestFirst = [] } = request;
  const isReversed = newestFirst.length > 0 ? `file_index IN (${newestFirst})` : 'false';
  const order = `CASE WHEN ${isReversed} THEN -line ELSE line END`;
  const settledSql = `
    WITH ruled AS (${ruledSql})
    SELECT * REPLACE (
      CASE WHEN reason IS NULL AND row_number() OVER (
        PARTITION BY series, ts, reason IS NULL
        ORDER BY is_correction DESC, ${order} DESC
      ) > 1 THEN ${duplicate} ELSE reason END AS reason)
    FROM ruled`;
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE judged AS ${request.isRising ? ruledSql : settledSql}`,
  );
  const isDuplicateSql = `reason IN (${DUPLICATE_TEXTS})`;
  if (isDaily && !request.areDatesRight && !request.isRising) {
    await refuseSeveralADay(connection, isDuplicateSql);
    await refuseMisplaced(connection, { isDuplicateSql, order });
  }
  const notes: string[] = [];
  if (request.several) {
    const doubled = await doubledStamps(connection, interval, { isDuplicateSql, order });
    const judged = { doubled, symbolColumns: request.several.symbolColumns, isDuplicateSql };
    if (!request.several.isOne) notes.push(...(await refuseSeams(connection, judged)));
    await settleDoubled(connection, judged);
    if (isDaily && !request.areDatesRight) {
      notes.push(...(await repeatedLastNotes(connection, { isDuplicateSql, order })));
      notes.push(...(await exchangedNotes(connection)));
    }
  }
  if (isDaily && !request.areDatesRight) {
    await refuseMisdated(connection);
    await refuseClosedDays(connection, request.servedDays);
    await refuseShifted(connection, `(${isDuplicateSql} OR ${IS_CONTRADICTED_SQL})`);
  }
  await connection.run(
    `UPDATE judged SET reason = '${MOST_OUTSIDE}' WHERE reason IS NULL
       AND series IN (SELECT series FROM judged GROUP BY series HAVING ${mostOutsideSql()})`,
  );
  await connection.run(`
    DELETE FROM rejected WHERE file_index IN (SELECT file_index FROM judged);
    INSERT INTO rejected
    SELECT file_index, line, reason,
      coalesce(text, concat_ws(',', ts, open, high, low, close, volume))
    FROM judged WHERE reason IS NOT NULL`);
  return {
    acceptedByFile: await countByFile(scratch, 'judged WHERE reason IS NULL'),
    rejectedByFile: await countByFile(scratch, 'judged WHERE reason IS NOT NULL'),
    levelledByFile: await countByFile(scratch, 'judged WHERE is_levelled AND reason IS NULL'),
    notes,
  };
}

/** Note for the report, or none. */
export function levelledNote(rowCount: number): string[] {
  if (rowCount === 0) return [];
  const bars = rowCount === 1 ? 'a bar' : `${countText(rowCount)} bars`;
  return [`the high or low of ${bars} missed open or close by a rounding, and was moved to it`];
}

/**
 * Stages the good rows of `judged` as (file_index INTEGER = series, ts, open, high, low, close,
 * volume), of these hours only.
 * @param isRising The same value as for `judgeRows`.
 * @returns the number of rows of each series. A series without rows is missing.
 */
export async function stageAccepted(
  scratch: Scratch,
  parquetPath: string,
  hours?: Hours,
  isRising = false,
): Promise<Map<number, number>> {
  const where = `reason IS NULL${hours === undefined ? '' : ` AND ${isOfHoursSql(hours)}`}`;
  if (hours !== undefined) await makeSessionHours(scratch);
  const connection = await scratch.connect();
  await connection.run(`
    COPY (
      SELECT series AS file_index, ts, open, high, low, close, volume
      FROM judged WHERE ${where} ${isRising && hours === undefined ? '' : 'ORDER BY series, ts'}
    ) TO ${sqlString(parquetPath)} (FORMAT parquet, COMPRESSION zstd)`);
  // Reads metadata and one column: cheaper than computing the hours of all rows again.
  return countByFile(scratch, `read_parquet(${sqlFile(parquetPath)})`);
}

export function sumOf(counts: ReadonlyMap<unknown, number>): number {
  return counts.values().reduce((sum, count) => sum + count, 0);
}

/** Counts the good rows of `judged`: the bars of all hours. */
export async function countAccepted(scratch: Scratch): Promise<number> {
  const sql = 'SELECT count(*)::DOUBLE AS count FROM judged WHERE reason IS NULL';
  return (await selectRow<{ count: number }>(await scratch.connect(), sql)).count;
}

async function countByFile(scratch: Scratch, fromSql: string): Promise<Map<number, number>> {
  const connection = await scratch.connect();
  const rows = await selectRows<{ key: number; count: number }>(
    connection,
    `SELECT file_index AS key, count(*)::DOUBLE AS count FROM ${fromSql}
     GROUP BY 1 ORDER BY 1`,
  );
  return new Map(rows.map(({ key, count }) => [key, count]));
}
