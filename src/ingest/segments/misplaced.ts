/** Finds daily rows whose date is another one than their place in the file shows. */

import type { DuckDBConnection } from '@duckdb/node-api';
import { dateFromDay } from '../../base/time/dates.ts';
import { jsonTable, selectRows } from '../../store/duckdb/connection/sql-rows.ts';
import { sessionSteps, tradingEnds } from '../timing/week-days.ts';

/** Such rows of a series from which its rows are in no order. */
const ROWS_MAX = 20;
/** Days between the rows beside it at most: a weekend and holidays. */
const NEAR_DAYS = 7;

interface PlacedRow {
  series: number;
  line: number;
  day: number;
  before: number;
  after: number;
}

/**
 * Gives such rows of `judged` a reason: the rows beside them are in order without them, and leave
 * out a single session, of which the series has no bar.
 * @param isDuplicateSql Condition for rows whose only fault is a later row of their stamp.
 * @param order Expression that is greatest for the version that counts.
 */
export async function refuseMisplaced(
  connection: DuckDBConnection,
  { isDuplicateSql, order }: { isDuplicateSql: string; order: string },
): Promise<void> {
  const rows = `(SELECT series, line, (epoch(ts) // 86400)::INTEGER AS day FROM judged
    WHERE series IS NOT NULL AND (reason IS NULL OR ${isDuplicateSql}))`;
  const found = await selectRows<PlacedRow>(
    connection,
    `WITH steps AS (
       SELECT *, lag(day) OVER by_line AS before, lead(day) OVER by_line AS after FROM ${rows}
       WINDOW by_line AS (PARTITION BY series ORDER BY line))
     SELECT series, line::DOUBLE AS line, day, least(before, after) AS before,
       greatest(before, after) AS after
     FROM (SELECT *, sign(sum(sign(day - before)) OVER (PARTITION BY series)) AS way FROM steps)
     WHERE sign(after - before) = way AND abs(after - before) BETWEEN 2 AND ${NEAR_DAYS}
       AND (day <= least(before, after) OR day >= greatest(before, after))`,
  );
  const meant = found.flatMap((row) => {
    if (sessionSteps(row.before, row.after) !== 2) return [];
    return [{ ...row, meant: tradingEnds(row.before + 1, row.after - 1).first! }];
  });
  const bySeries = Map.groupBy(meant, ({ series }) => series);
  const few = [...bySeries.values()].filter(({ length }) => length <= ROWS_MAX).flat();
  if (few.length === 0) return;
  const verdicts = few.map(({ series, line, day, before, after, meant: missing }) => {
    const [date, first, last, session] = [day, before, after, missing].map(dateFromDay);
    const reason = `${date} stands between ${first} and ${last}, and the session of ${session} is missing; if the date is right, say so with --dates written`;
    return { series, line, missing, reason };
  });
  const columns = { series: 'INTEGER', line: 'BIGINT', missing: 'INTEGER', reason: 'VARCHAR' };
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE misplaced AS SELECT v.* FROM ${jsonTable(columns)} AS v
     ANTI JOIN ${rows} AS r ON r.series = v.series AND r.day = v.missing`,
    [JSON.stringify(verdicts)],
  );
  // A row that one of them replaced counts again.
  await connection.run(`
    UPDATE judged SET reason = m.reason FROM misplaced AS m
    WHERE judged.series = m.series AND judged.line = m.line;
    UPDATE judged SET reason = NULL FROM (
      SELECT series, ts, arg_max(line, ${order}) FILTER (${isDuplicateSql}) AS line,
        count(*) FILTER (reason IS NULL) AS kept
      FROM judged WHERE series IN (SELECT series FROM misplaced) GROUP BY series, ts) AS versions
    WHERE judged.series = versions.series AND judged.line = versions.line AND kept = 0;
    DROP TABLE misplaced`);
}

interface RepeatedLast {
  symbol: string | null;
  day: number;
  before: number;
  close: number;
  other: number;
}

/** Symbols that are named. */
const NAMED_MAX = 5;

/**
 * Returns notes on series whose newest row in the file has an older date than all rows before it,
 * and replaces a bar: it may be a correction, or a wrong date.
 */
export async function repeatedLastNotes(
  connection: DuckDBConnection,
  { isDuplicateSql, order }: { isDuplicateSql: string; order: string },
): Promise<string[]> {
  const values = ['open', 'high', 'low', 'close', 'volume'].join(', ');
  const found = await selectRows<RepeatedLast>(
    connection,
    `WITH rows AS (
       SELECT series, (epoch(ts) // 86400)::INTEGER AS day, [${values}] AS bar, close, reason,
         ${order} AS place
       FROM judged WHERE (reason IS NULL OR ${isDuplicateSql})
         AND series IN (SELECT series FROM judged WHERE ${isDuplicateSql})),
     newest AS (
       SELECT series, max(day) AS newest, arg_max(day, place, 2)[2] AS before, max(place) AS place
       FROM rows GROUP BY series)
     SELECT symbol, l.day, before, l.close, o.close AS other
     FROM newest JOIN rows l USING (series, place)
     JOIN rows o ON o.series = l.series AND o.day = l.day AND o.place < l.place
     LEFT JOIN (SELECT series, nullif(any_value(symbol_key), '') AS symbol FROM series_of GROUP BY 1) s
       ON s.series = l.series
     WHERE before = newest AND l.day < before AND l.reason IS NULL AND o.bar <> l.bar
     QUALIFY row_number() OVER (PARTITION BY l.series ORDER BY o.place DESC) = 1
     ORDER BY l.series`,
  );
  const more = found.length - NAMED_MAX;
  return [
    ...found.slice(0, NAMED_MAX).map(({ symbol, day, before, close, other }) => {
      const [date, last] = [day, before].map(dateFromDay);
      const of = symbol === null ? '' : ` of ${symbol}`;
      return `the last row${of} has the date ${date}, which is before ${last} in the row before it: its close of ${close} replaces ${other}; if it is of a later session, correct its date and load the file again`;
    }),
    ...(more > 0 ? [`the last rows of ${more} more symbols have older dates, too`] : []),
  ];
}

/** Rows in order, in a row, that make two others exceptions. */
const ORDERED_MIN = 20;

/**
 * Returns notes on series whose rows are in the order of their dates but for two, each in the place
 * of the other: their dates, or their prices, may be exchanged.
 */
export async function exchangedNotes(connection: DuckDBConnection): Promise<string[]> {
  const found = await selectRows<{ symbol: string | null; days: number[] }>(
    connection,
    `WITH rows AS (
       SELECT series, line, (epoch(ts) // 86400)::INTEGER AS day,
         sign(day - lag(day) OVER (PARTITION BY series ORDER BY line)) AS step
       FROM judged WHERE reason IS NULL AND series IS NOT NULL),
     few AS (
       SELECT series, sign(sum(step)) AS way FROM rows GROUP BY series
       HAVING count(*) >= ${ORDERED_MIN} AND count(*) - 1 - abs(sum(step)) BETWEEN 2 AND 4),
     placed AS (
       SELECT series, day, row_number() OVER (PARTITION BY series ORDER BY line) AS place,
         row_number() OVER (PARTITION BY series ORDER BY day * way) AS meant
       FROM rows JOIN few USING (series))
     SELECT symbol, list(day ORDER BY place) AS days FROM placed
     LEFT JOIN (SELECT series, nullif(any_value(symbol_key), '') AS symbol FROM series_of GROUP BY 1) s
       USING (series)
     WHERE place <> meant GROUP BY series, symbol HAVING count(*) = 2 ORDER BY series LIMIT ${NAMED_MAX}`,
  );
  return found.map(({ symbol, days }) => {
    const [first, second] = days.map(dateFromDay);
    const of = symbol === null ? '' : ` of ${symbol}`;
    return `the rows${of} of ${first} and ${second} stand in each other's place in the file: if their dates are exchanged, correct them and load the file again`;
  });
}
