/** Puts bars into the columns of a screen: one bar each, or several where there are too many. */

import { type BarColumns, blankBars } from '../../base/bars.ts';

export interface ScreenColumns {
  /** One bar for each column; one of several bars has their open, high, low, close and volume. */
  bars: BarColumns;
  /** Bars in a column; the last column may have fewer. */
  barsPerColumn: number;
  /** Cells from one column to the next. */
  cells: 1 | 2;
}

/** @param width Cells of the plot. */
export function screenColumns(bars: BarColumns, width: number): ScreenColumns {
  const count = bars.close.length;
  const barsPerColumn = Math.max(1, Math.ceil(count / width));
  const columnCount = Math.ceil(count / barsPerColumn);
  const cells = columnCount * 2 <= width ? 2 : 1;
  if (barsPerColumn === 1) return { bars, barsPerColumn, cells };
  const merged = blankBars(columnCount);
  for (let column = 0; column < columnCount; column++) {
    const start = column * barsPerColumn;
    const end = Math.min(start + barsPerColumn, count);
    merged.timestampUs[column] = bars.timestampUs[start];
    merged.open[column] = bars.open[start];
    merged.close[column] = bars.close[end - 1];
    merged.high[column] = bars.high.subarray(start, end).reduce((a, b) => Math.max(a, b));
    merged.low[column] = bars.low.subarray(start, end).reduce((a, b) => Math.min(a, b));
    merged.volume[column] = bars.volume.subarray(start, end).reduce((a, b) => a + b);
  }
  return { bars: merged, barsPerColumn, cells };
}

/** Returns the value of each column's last bar. */
export function lastValues(values: Float64Array, barsPerColumn: number): Float64Array {
  if (barsPerColumn === 1) return values;
  const length = Math.ceil(values.length / barsPerColumn);
  return Float64Array.from(
    { length },
    (_, column) => values[Math.min((column + 1) * barsPerColumn, values.length) - 1],
  );
}
