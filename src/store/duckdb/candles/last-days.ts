/** Newest stored bars and rows, for sources that fetch only new ones. */

import type { Interval } from '../../../base/time/intervals.ts';
import { newestMarketDay } from '../../../base/time/market-day.ts';
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

/** Symbols whose bar before the newest one is read: those that may be ahead of all others. */
const AHEAD_MAX = 100;

/** Reads the newest day of the market in served bars, since the epoch; undefined in an empty store. */
export async function readNewestDay(
  { connection }: MarketDb,
  interval: Interval,
): Promise<number | undefined> {
  const newest = await selectRows<{ symbol: string; day: number }>(
    connection,
    `SELECT symbol, (max(to_ts)::DATE - DATE '1970-01-01')::INTEGER AS day
     FROM winners WHERE interval = $1 GROUP BY symbol ORDER BY day DESC, symbol`,
    [interval],
  );
  const ahead = newest.slice(0, AHEAD_MAX).map(({ symbol }) => symbol);
  const before = await selectRows<{ symbol: string; day: number | null }>(
    connection,
    `SELECT symbol, (list_extract(max(ts, 2), 2)::DATE - DATE '1970-01-01')::INTEGER AS day
     FROM candles WHERE interval = $1 AND symbol IN (SELECT unnest(from_json($2, '["VARCHAR"]')))
     GROUP BY symbol`,
    [interval, JSON.stringify(ahead)],
  );
  const dayBefore = new Map(before.map(({ symbol, day }) => [symbol, day ?? undefined]));
  return newestMarketDay(
    newest.map(({ day }) => day),
    (place) => (place < AHEAD_MAX ? dayBefore.get(newest[place].symbol) : Number.NaN),
  );
}
