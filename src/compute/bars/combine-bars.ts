import type { BarColumns } from '../../base/bars.ts';

/** Rows [start, end) of each longer bar, and its time stamp; columns of equal length. */
export interface RowGroups {
  timestampUs: BigInt64Array;
  start: ArrayLike<number>;
  end: ArrayLike<number>;
}

/** Returns a value of the bar that days make, as `combineBars` computes it. */
export function combinedValue(
  name: 'open' | 'high' | 'low' | 'close' | 'volume',
  ofDays: Float64Array,
): number {
  switch (name) {
    case 'open':
      return ofDays[0];
    case 'high':
      return ofDays.reduce((highest, value) => Math.max(highest, value));
    case 'low':
      return ofDays.reduce((lowest, value) => Math.min(lowest, value));
    case 'close':
      return ofDays[ofDays.length - 1];
    case 'volume':
      return ofDays.reduce((total, value) => total + value);
  }
}

/**
 * Makes one bar per group of rows: first open, highest high, lowest low, last close, sum of volume.
 * A price that is NaN in one row is NaN in the bar.
 */
export function combineBars(bars: BarColumns, groups: RowGroups): BarColumns {
  const { timestampUs, start: starts, end: ends } = groups;
  const count = timestampUs.length;
  const open = new Float64Array(count);
  const high = new Float64Array(count);
  const low = new Float64Array(count);
  const close = new Float64Array(count);
  const volume = new Float64Array(count);
  for (let group = 0; group < count; group++) {
    const start = starts[group];
    const end = ends[group];
    let highest = bars.high[start];
    let lowest = bars.low[start];
    let total = bars.volume[start];
    for (let row = start + 1; row < end; row++) {
      highest = Math.max(highest, bars.high[row]);
      lowest = Math.min(lowest, bars.low[row]);
      total += bars.volume[row];
    }
    open[group] = bars.open[start];
    high[group] = highest;
    low[group] = lowest;
    close[group] = bars.close[end - 1];
    volume[group] = total;
  }
  return { timestampUs, open, high, low, close, volume };
}
