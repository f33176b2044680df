import type { Interval } from '../../../base/time/intervals.ts';
import type { MarketDb } from '../connection/open.ts';
import { selectRow } from '../connection/sql-rows.ts';

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
