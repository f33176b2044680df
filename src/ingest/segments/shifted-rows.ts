/** Refuses a few daily rows of a long series that are dated a day early or late. */

import type { DuckDBConnection } from '@duckdb/node-api';
import { dateFromDay, weekdayFromDay } from '../../base/time/dates.ts';
import { jsonTable, selectRows } from '../../store/duckdb/connection/sql-rows.ts';
import { type MarkedDay, type ShiftedRun, shiftedRuns } from '../timing/shifted-run.ts';
import { WEEKDAYS } from '../timing/week-days.ts';
import { FILLED_DAY } from './row-rules.ts';

const IS_CLOSED_SQL = `reason LIKE 'no session on %' AND reason <> '${FILLED_DAY}'`;

/**
 * Gives such rows of `judged` a reason, where rows of days without a session were refused, or days
 * have several bars.
 * @param isDoubledSql Condition for rows of a day that has another row.
 */
export async function refuseShifted(
  connection: DuckDBConnection,
  isDoubledSql: string,
): Promise<void> {
  const found = await selectRows<{ series: number; days: MarkedDay[] }>(
    connection,
    `WITH days AS (
       SELECT series, (epoch(ts) // 86400)::INTEGER AS day,
         CASE WHEN bool_or(${IS_CLOSED_SQL}) THEN 'closed'
           WHEN count(DISTINCT [open, high, low, close]) > 1 THEN 'doubled' END AS mark
       FROM judged WHERE ts IS NOT NULL AND close IS NOT NULL
         AND (reason IS NULL OR ${IS_CLOSED_SQL} OR ${isDoubledSql})
         AND series IN (SELECT series FROM judged WHERE ${IS_CLOSED_SQL} OR ${isDoubledSql})
       GROUP BY ALL)
     SELECT series, list({'day': day, 'mark': mark} ORDER BY day) AS days FROM days GROUP BY series`,
  );
  const verdicts = found.flatMap(({ series, days }) => {
    const marked = days.map(({ day, mark }) => (mark ? { day, mark } : { day }));
    // A mark alone has its reason.
    return shiftedRuns(marked)
      .filter(({ from, to, marked: own }) =>
        days.some(({ day }) => day !== own && day >= from && day <= to),
      )
      .map((run) => ({ series, from: run.from, to: run.to, reason: reasonOf(run) }));
  });
  if (verdicts.length === 0) return;
  const columns = { series: 'INTEGER', from: 'INTEGER', to: 'INTEGER', reason: 'VARCHAR' };
  await connection.run(
    `UPDATE judged SET reason = v.reason FROM (FROM ${jsonTable(columns)}) AS v
     WHERE judged.series = v.series AND epoch(judged.ts) // 86400 BETWEEN v."from" AND v."to"
       AND judged.close IS NOT NULL`,
    [JSON.stringify(verdicts)],
  );
}

function reasonOf({ marked, missing, mark, from, to }: ShiftedRun): string {
  const [first, last, own, session] = [from, to, marked, missing].map(dateFromDay);
  const side = missing > marked ? 'early' : 'late';
  const fact =
    mark === 'closed'
      ? `${WEEKDAYS[weekdayFromDay(marked)]} ${own} has no session`
      : `${own} has several bars`;
  return `the dates from ${first} to ${last} seem a day ${side}: ${fact}, and the session of ${session} has no bar; if they are right, say so with --dates written`;
}
