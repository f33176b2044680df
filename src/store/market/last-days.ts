/** How far a source's stored bars reach, for sources that fetch only what is new. */

import type { Interval } from '../../intervals.ts';
import type { MarketDb } from './open.ts';
import { selectRows } from './sql-rows.ts';

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
