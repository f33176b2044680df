/** Newest stored bars and rows, for sources that fetch only new ones. */

import type { Interval } from '../../../base/time/intervals.ts';
import type { MarketDb } from '../connection/open.ts';
import { selectColumn, selectRows, selectValue } from '../connection/sql-rows.ts';

/** Regular expression for the origin of a response with the whole market of a day. */
export const WHOLE_MARKET = ' market (\\d{4}-\\d{2}-\\d{2})$';

/** Reads the day number of the newest stored bar, by symbol. */
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

/** Reads the symbols with daily bars of which no split or dividend is stated, ascending. */
export async function readSymbolsWithoutActions({ connection }: MarketDb): Promise<string[]> {
  return selectColumn<string>(
    connection,
    `SELECT DISTINCT symbol FROM winners ANTI JOIN stated_actions USING (symbol)
     WHERE interval = '1d' ORDER BY symbol`,
  );
}

/** Reads the newest day with the whole market of a source, from one response or a bulk file. */
export async function readWholeMarketDay(
  { connection }: MarketDb,
  source: string,
  interval: Interval,
): Promise<number | undefined> {
  const day = await selectValue<number | null>(
    connection,
    `SELECT (max(CASE WHEN kind = 'external' THEN as_of::DATE
        ELSE TRY_CAST(regexp_extract(origin, '${WHOLE_MARKET}', 1) AS DATE) END)
       - DATE '1970-01-01')::DOUBLE
     FROM segments WHERE source = $1 AND interval = $2`,
    [source, interval],
  );
  return day ?? undefined;
}

/** Reads the as-of, in milliseconds, of a source's newest segment of records, by dataset. */
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

/** Reads the day of the newest served bar, since the epoch; undefined in an empty store. */
export async function readNewestDay(
  { connection }: MarketDb,
  interval: Interval,
): Promise<number | undefined> {
  const newest = await selectValue<number | null>(
    connection,
    `SELECT (max(to_ts)::DATE - DATE '1970-01-01')::INTEGER
     FROM winners WHERE interval = $1`,
    [interval],
  );
  return newest ?? undefined;
}
