/** Newest day of the market of a version. */

import { MICROS_PER_DAY } from '../../../base/bars.ts';
import { newestMarketDay } from '../../../base/time/market-day.ts';
import type { Snapshot } from './snapshot.ts';

/** Returns the day of the second newest daily bar; undefined without one, NaN without daily bars. */
export function dayBeforeNewest(
  snapshot: Pick<Snapshot, 'series'>,
  symbol: string,
): number | undefined {
  const series = snapshot.series(symbol, '1d');
  if (!series) return Number.NaN;
  if (series.rowCount < 2) return undefined;
  const timestamps = new BigInt64Array(1);
  series.copyTimestamps({ start: series.rowCount - 2, end: series.rowCount - 1 }, timestamps);
  return Number(timestamps[0] / MICROS_PER_DAY);
}

/** Returns the newest day of some symbols. @param days Day of the newest bar of each. */
export function marketDayOf(
  snapshot: Pick<Snapshot, 'series'>,
  symbols: readonly string[],
  days: ArrayLike<number>,
): number | undefined {
  return newestMarketDay(days, (place) => dayBeforeNewest(snapshot, symbols[place]));
}
