/** Refuses a daily row that is months or years off, at the end or the start of its series. */

import type { DuckDBConnection } from '@duckdb/node-api';
import { dateFromDay } from '../../base/time/dates.ts';
import { jsonTable, selectRows } from '../../store/duckdb/connection/sql-rows.ts';
import { APART_DAYS, misdatedEnd } from '../timing/misdated.ts';

/** Gives such rows of `judged` a reason. */
export async function refuseMisdated(connection: DuckDBConnection): Promise<void> {
  const days =
    '(SELECT series, (epoch(ts) // 86400)::INTEGER AS day FROM judged WHERE reason IS NULL)';
  const found = await selectRows<{ series: number; days: number[] }>(
    connection,
    `WITH apart AS (
       SELECT series, max(day, 2) AS newest, min(day, 2) AS oldest FROM ${days} GROUP BY series
       HAVING newest[1] - newest[2] > ${APART_DAYS} OR oldest[2] - oldest[1] > ${APART_DAYS})
     SELECT series, list(day ORDER BY day) AS days
     FROM ${days} SEMI JOIN apart USING (series) GROUP BY series`,
  );
  const verdicts = found.flatMap(({ series, days }) => {
    const wrong = misdatedEnd(days);
    if (wrong === undefined) return [];
    const [date, meant] = [wrong.day, wrong.meantDay].map(dateFromDay);
    const reason = `${date} is ${wrong.unit} from all other dates, and the session of ${meant} is missing; if the date is right, say so with --dates written`;
    return [{ series, day: wrong.day, reason }];
  });
  if (verdicts.length === 0) return;
  const columns = { series: 'INTEGER', day: 'INTEGER', reason: 'VARCHAR' };
  await connection.run(
    `UPDATE judged SET reason = verdicts.reason
     FROM (SELECT * FROM ${jsonTable(columns)}) AS verdicts
     WHERE judged.series = verdicts.series AND judged.reason IS NULL
       AND epoch(judged.ts) // 86400 = verdicts.day`,
    [JSON.stringify(verdicts)],
  );
}
