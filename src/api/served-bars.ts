/** Stored bars on the basis that is asked for. */

import type { BarColumns, Basis } from '../bars.ts';
import { adjustBars, defaultBasis } from '../compute/adjust.ts';
import { resampleDaily } from '../compute/resample-daily.ts';
import { DAILY_INTERVALS, type DailyInterval, type Interval } from '../intervals.ts';
import type { Snapshot, SymbolInfo } from '../store/serving/snapshot.ts';

/** Whether bars of the interval are stored, or made of stored ones. */
export function isDailyInterval(interval: Interval): interval is DailyInterval {
  return (DAILY_INTERVALS as readonly Interval[]).includes(interval);
}

/** Whether the stored rows are those of a basis: it is theirs, or no event lies between the two. */
export function isServedAsStored(info: SymbolInfo, interval: DailyInterval, basis: Basis): boolean {
  if (interval !== '1d') return basis === defaultBasis(info);
  if (basis === info.basis) return true;
  return info.splits.length === 0 && (basis !== 'all' || info.dividends.length === 0);
}

/** The whole series on a basis; weekly and monthly bars are made from adjusted daily ones. */
export function barsOnBasis(
  snapshot: Snapshot,
  info: SymbolInfo,
  interval: DailyInterval,
  basis: Basis,
): BarColumns {
  if (interval !== '1d' && basis === defaultBasis(info)) {
    return snapshot.bars(info.symbol, interval);
  }
  const daily = adjustBars(snapshot.bars(info.symbol, '1d'), info, basis);
  return interval === '1d' ? daily : resampleDaily(daily, interval);
}
