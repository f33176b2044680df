/** Refuses bars of minutes or hours whose times are in no column that is read. */

import type { DuckDBConnection } from '@duckdb/node-api';
import { jsonTable, selectRows } from '../../store/duckdb/connection/sql-rows.ts';

/** Opens of a day, on average, from which its rows are no versions of a daily bar. */
const OPENS_MIN = 3;
/** Highest close of a day as a multiple of the lowest, for bars of one security. */
const SPREAD_MAX = 1.25;

/**
 * Gives all rows of such series of `judged` a reason. Versions of a running day have one open.
 * @param isDuplicateSql Condition for rows whose only fault is another row of their day.
 */
export async function refuseSeveralADay(
  connection: DuckDBConnection,
  isDuplicateSql: string,
): Promise<void> {
  const found = await selectRows<{ series: number; bars: number }>(
    connection,
    `SELECT series, round(avg(bars))::INTEGER AS bars FROM (
       SELECT series, count(*) AS bars, count(DISTINCT open) AS opens,
         max(close) / min(close) AS spread FROM judged
       WHERE (reason IS NULL OR ${isDuplicateSql})
         AND series IN (SELECT series FROM judged WHERE ${isDuplicateSql})
       GROUP BY series, ts)
     GROUP BY series HAVING avg(opens) >= ${OPENS_MIN} AND median(spread) <= ${SPREAD_MAX}`,
  );
  if (found.length === 0) return;
  const verdicts = found.map(({ series, bars }) => ({
    series,
    told: `it has some ${bars} bars a day, and no column of times that is read: name it time, with values like 09:30`,
  }));
  await connection.run(
    `UPDATE judged SET reason = v.told
     FROM (FROM ${jsonTable({ series: 'INTEGER', told: 'VARCHAR' })}) AS v
     WHERE judged.series = v.series AND (judged.reason IS NULL OR ${isDuplicateSql})`,
    [JSON.stringify(verdicts)],
  );
}
