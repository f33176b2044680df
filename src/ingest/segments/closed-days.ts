/** Refuses daily rows of days without a session, unless their market trades on such days. */

import type { DuckDBConnection } from '@duckdb/node-api';
import { closedWeekdays } from '../../base/time/closed-days.ts';
import { dateFromDay, weekdayFromDay } from '../../base/time/dates.ts';
import {
  closedRowsSql,
  isClosedSql,
  SATURDAY,
  SUNDAY,
  weekdaySql,
} from '../../store/duckdb/connection/closed-rows.ts';
import { jsonTable, selectRows } from '../../store/duckdb/connection/sql-rows.ts';
import {
  type ClosedDayCounts,
  closedDayCounts,
  type HolidayBar,
  isBetweenSessions,
  isOtherMarket,
  spansFewHolidays,
} from '../timing/closed-days.ts';
import { WEEKDAYS } from '../timing/week-days.ts';
import { FILLED_DAY } from './row-rules.ts';

/** Days that are named, each by a reason of its own. */
const NAMED_MAX = 20;

/** A row whose day is between those of two bars, by date and in its file. */
interface PlacedRow extends HolidayBar {
  series: number;
  line: number;
}

/** Leaves rows of holidays out of `closed_rows` that a short series of a foreign share may have. */
async function keepFewHolidays(
  connection: DuckDBConnection,
  refused: readonly ClosedDays[],
): Promise<void> {
  const short = refused.filter(spansFewHolidays).map(({ series }) => series);
  if (short.length === 0) return;
  const rows = await selectRows<PlacedRow>(
    connection,
    `SELECT series, line::DOUBLE AS line, day, day_before AS "dayBefore", day_after AS "dayAfter"
     FROM closed_rows WHERE series IN (${short}) AND NOT is_filled AND is_in_order
       AND ${weekdaySql('day')} < ${SATURDAY}`,
  );
  for (const { series, line } of rows.filter(isBetweenSessions)) {
    await connection.run(`DELETE FROM closed_rows WHERE series = ${series} AND line = ${line}`);
  }
}

/** Days of the bars that are served of the symbol of a series. */
export type ServedDays = (series: number) => ArrayLike<number> | undefined;

function isServedOfOther(days: ArrayLike<number> | undefined): boolean {
  return days !== undefined && days.length > 0 && isOtherMarket(closedDayCounts(days));
}

interface ClosedDays extends ClosedDayCounts {
  series: number;
  /** Days that no row only fills. */
  days: number[];
}

/**
 * Gives such rows of `judged` a reason. A row without prices, or with those of the sessions beside it
 * (repeated, flat at the close, or on a line between both), only fills the day. Any other row is of no
 * session either, unless the series or its served bars show another market, or it is too short to tell.
 */
export async function refuseClosedDays(
  connection: DuckDBConnection,
  servedDays: ServedDays = () => undefined,
): Promise<void> {
  if (!(await stageClosedRows(connection))) return;
  const found = await selectRows<ClosedDays>(connection, countsSql());
  const refused = found.filter(
    (counts) => !isOtherMarket(counts) && !isServedOfOther(servedDays(counts.series)),
  );
  await keepFewHolidays(connection, refused);
  if (refused.length > 0) {
    const days = [...new Set(refused.flatMap(({ days }) => days))];
    const unnamed = `no session on the day, one of ${days.length} such days; ${REMEDY}`;
    const reasonOf = days.length > NAMED_MAX ? () => unnamed : namedReason;
    const reasons = days.map((day) => ({ day, reason: reasonOf(day) }));
    await connection.run(
      `UPDATE judged SET reason =
         CASE WHEN closed_rows.is_filled THEN '${FILLED_DAY}' ELSE reasons.reason END
       FROM closed_rows LEFT JOIN ${jsonTable({ day: 'INTEGER', reason: 'VARCHAR' })} AS reasons
         USING (day)
       WHERE judged.series = closed_rows.series AND judged.line = closed_rows.line
         AND closed_rows.series IN (${refused.map(({ series }) => series)})`,
      [JSON.stringify(reasons)],
    );
  }
  await connection.run('DROP TABLE closed_rows');
}

const REMEDY = 'if its market trades then, say so with --dates written';

function namedReason(day: number): string {
  return `no session on ${WEEKDAYS[weekdayFromDay(day)]} ${dateFromDay(day)}; ${REMEDY}`;
}

const NO_PRICE = ['open', 'high', 'low', 'close']
  .map((name) => `coalesce(${name}, 0) = 0`)
  .join(' AND ');
/** Good rows, and empty ones of days without a session. */
const DAY_ROWS = `(SELECT *, (epoch(ts) // 86400)::INTEGER AS day FROM judged
  WHERE ts IS NOT NULL AND series IS NOT NULL AND (reason IS NULL OR (${NO_PRICE})))`;

/** Creates the table `closed_rows`, if there are any. */
async function stageClosedRows(connection: DuckDBConnection): Promise<boolean> {
  const closed = `(SELECT DISTINCT series FROM ${DAY_ROWS} WHERE ${isClosedSql('day')})`;
  const [{ count }] = await selectRows<{ count: number }>(
    connection,
    `SELECT count(*)::DOUBLE AS count FROM ${closed}`,
  );
  if (count === 0) return false;
  await connection.run(`
    CREATE OR REPLACE TEMP TABLE closed_rows AS
    ${closedRowsSql(`SELECT * FROM ${DAY_ROWS} WHERE series IN ${closed}`)}`);
  return true;
}

/** SELECT giving a `ClosedDays` for each series of `closed_rows`. */
function countsSql(): string {
  const weekdaysSpanned = (weekday: number) => {
    const weeksTo = (day: string) => `((${day} + 70003 - ${weekday}) // 7)`;
    return `(${weeksTo('last_day')} - ${weeksTo('first_day - 1')})::DOUBLE`;
  };
  const counted = (where: string) => `count(*) FILTER (NOT is_filled AND ${where})::DOUBLE`;
  return `
    SELECT series, saturdays, sundays, holidays, coalesce(days, []) AS days, {
      saturdays: ${weekdaysSpanned(SATURDAY)},
      sundays: ${weekdaysSpanned(SUNDAY)},
      holidays: len(list_filter([${closedWeekdays().join(', ')}],
        lambda day: day BETWEEN first_day AND last_day))::DOUBLE} AS spanned,
      first_day AS "firstDay", last_day AS "lastDay", "openBars"
    FROM (SELECT series, min(day) AS first_day, max(day) AS last_day,
        count(*) FILTER (NOT ${isClosedSql('day')})::DOUBLE AS "openBars"
      FROM ${DAY_ROWS} WHERE reason IS NULL GROUP BY 1)
    JOIN (SELECT series,
        ${counted(`weekday = ${SATURDAY}`)} AS saturdays,
        ${counted(`weekday = ${SUNDAY}`)} AS sundays,
        ${counted(`weekday < ${SATURDAY}`)} AS holidays,
        list(DISTINCT day ORDER BY day) FILTER (NOT is_filled) AS days
      FROM (SELECT *, ${weekdaySql('day')} AS weekday FROM closed_rows) GROUP BY 1)
    USING (series)`;
}
