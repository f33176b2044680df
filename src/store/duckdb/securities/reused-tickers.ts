/** Tickers of a load that seem to have gone to another security, by the prices alone. */

import type { DuckDBConnection } from '@duckdb/node-api';
import { dateFromDay } from '../../../base/time/dates.ts';
import { selectRows, sqlDay } from '../connection/sql-rows.ts';
import { reuseLimits } from './facts/limits.ts';
import type { TickerFact } from './facts/ticker-facts.ts';
import { addFacts } from './stored-facts.ts';

interface Reuse {
  ticker: string;
  /** First day after the hole, and the close then; the last close before it. */
  day: number;
  close: number;
  before: number;
  /** Ticker that goes on at the price before the hole, and its first day. */
  other: string;
  otherDay: number;
}

/**
 * Finds tickers with a hole in their new daily bars after which the price is several times another,
 * while a second ticker of the load begins within the hole at the price before it. Parts them, if no
 * fact concerns them.
 *
 * Rows of one load are in order of their series and time.
 *
 * @returns a line for each, with both readings.
 */
export async function partReused(
  connection: DuckDBConnection,
  { firstFileId, nowMs }: { firstFileId: number; nowMs: number },
): Promise<{ tickers: string[]; lines: string[] }> {
  const { holeDays, leapMin, goesOnMax } = reuseLimits;
  const found = await selectRows<Reuse>(
    connection,
    `WITH news AS MATERIALIZED (
       SELECT series_id, ts, close, lag(series_id) OVER () AS previous, lag(ts) OVER () AS before_ts,
         lag(close) OVER () AS before
       FROM bars WHERE file_id >= ${firstFileId}),
     leaps AS (
       SELECT s.ticker, n.* FROM news n JOIN series s USING (series_id)
       WHERE previous = series_id AND ts - before_ts > INTERVAL ${holeDays} DAY
         AND greatest(close / before, before / close) >= ${leapMin}
         AND s.ticker NOT IN (SELECT ticker FROM ticker_facts
           UNION SELECT other FROM ticker_facts WHERE other IS NOT NULL AND kind NOT IN ('delist', 'spinoff'))),
     firsts AS (
       SELECT s.ticker, n.ts, n.close FROM news n JOIN series s USING (series_id)
       WHERE previous IS DISTINCT FROM series_id AND EXISTS (FROM leaps))
     SELECT l.ticker, ${sqlDay('l.ts::DATE')} AS day, l.close, l.before, f.ticker AS other,
       ${sqlDay('f.ts::DATE')} AS "otherDay"
     FROM leaps l JOIN firsts f ON f.ticker <> l.ticker AND f.ts > l.before_ts AND f.ts <= l.ts
       AND greatest(f.close / l.before, l.before / f.close) <= ${goesOnMax}
     QUALIFY row_number() OVER (PARTITION BY l.ticker, l.ts ORDER BY f.ts, f.ticker) = 1
     ORDER BY ALL`,
  );
  const none = { endDay: null, other: null, otherDay: null, source: 'prices' };
  const facts = found.map(
    ({ ticker, day }): TickerFact => ({ kind: 'part', ticker, day, ...none }),
  );
  if (facts.length > 0) await addFacts(connection, facts, nowMs);
  return { tickers: [...new Set(found.map(({ ticker }) => ticker))], lines: found.map(lineOf) };
}

function lineOf({ ticker, day, close, before, other, otherDay }: Reuse): string {
  const [date, otherDate] = [dateFromDay(day), dateFromDay(otherDay)];
  return (
    `${ticker} closes at ${close} on ${date} and at ${before} before a hole, where ${other} goes on: ` +
    `another security has the ticker (symbols rename ${ticker} ${other} --on ${otherDate}), ` +
    `or it is the same one (symbols assign ${ticker} --security ${ticker})`
  );
}
