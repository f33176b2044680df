/** How far a source's stored bars and rows reach, for sources that fetch only what is new. */

import type { Interval } from '../../../base/time/intervals.ts';
import type { MarketDb } from '../connection/open.ts';
import { selectRow, selectRows } from '../connection/sql-rows.ts';

/** How the origin of an answer ends that holds the whole market on a day: a regular expression. */
export const WHOLE_MARKET = ' market (\\d{4}-\\d{2}-\\d{2})$';

/** Day number of the newest stored bar, by symbol. */
export async function readLastDays(
  { connection }: MarketDb,
  source: string,
  interval: Interval,
): Promise<Map<string, number>> {
  const rows = await selectRows<{ symbol: string; day: number }>(
    connection,
    `SELECT symbol, (max(last_ts)::DATE - DATE '1970-01-01')::DOUBLE AS day
     FROM series WHERE source = $1 AND interval = $2 AND row_count > 0 GROUP BY symbol`,
    [source, interval],
  );
  return new Map(rows.map(({ symbol, day }) => [symbol, day]));
}

/**
 * The newest day of which a source has given the whole market: in one answer, whose origin ends in
 * the word `market` and the date, or in a bulk file.
 */
export async function readWholeMarketDay(
  { connection }: MarketDb,
  source: string,
  interval: Interval,
): Promise<number | undefined> {
  const { day } = await selectRow<{ day: number | null }>(
    connection,
    `SELECT (max(CASE WHEN kind = 'external' THEN as_of::DATE
        ELSE TRY_CAST(regexp_extract(origin, '${WHOLE_MARKET}', 1) AS DATE) END)
       - DATE '1970-01-01')::DOUBLE AS day
     FROM segments WHERE source = $1 AND interval = $2`,
    [source, interval],
  );
  return day ?? undefined;
}

/** As-of, in milliseconds, of the newest segment of rows that a source has given, by dataset. */
export async function readRowVintages(
  { connection }: MarketDb,
  source: string,
): Promise<Map<string, number>> {
  const rows = await selectRows<{ dataset: string; asOfMs: number }>(
    connection,
    `SELECT dataset, epoch_ms(max(as_of))::DOUBLE AS "asOfMs"
     FROM segments WHERE source = $1 AND interval IS NULL GROUP BY dataset`,
    [source],
  );
  return new Map(rows.map(({ dataset, asOfMs }) => [dataset, asOfMs]));
}

/** Day of the newest served bar of any symbol, since the epoch; undefined in an empty store. */
export async function readNewestDay(
  { connection }: MarketDb,
  interval: Interval,
): Promise<number | undefined> {
  const { newest } = await selectRow<{ newest: number | null }>(
    connection,
    `SELECT (max(to_ts)::DATE - DATE '1970-01-01')::INTEGER AS newest
     FROM winners WHERE interval = $1`,
    [interval],
  );
  return newest ?? undefined;
}
