/** Newest rows of a column of all series, read into memory. */

import type { StoredColumn } from '../snapshot/snapshot.ts';
import type { NewestSeries, SeriesIndex } from './newest-series.ts';

/** Newest rows of a column are kept in multiples of these, and of a quarter of a power of two. */
const ROWS_STEP = 8;

/** Symbols whose rows are read before other work may run: some 0.2 ms. */
const READ_AT_ONCE = 16;

/** Newest rows of a column. */
export interface NewestRows {
  /** Series that the numbers of symbols belong to. */
  index: SeriesIndex;
  rowCount: number;
  /** `rowCount` values of each symbol, by its number; its newest is the last. */
  values: Float64Array;
}

/** Rounds a number of rows up: a screen that needs some more would read all symbols again. */
export function roundedRows(rowCount: number): number {
  if (rowCount === 1) return 1;
  const step = Math.max(ROWS_STEP, 2 ** (Math.floor(Math.log2(rowCount)) - 1));
  return Math.ceil(rowCount / step) * step;
}

/** Reads the newest rows of all series; those that `kept` has in common are copied from it. */
export function* readRows(
  series: NewestSeries,
  column: StoredColumn,
  rowCount: number,
  kept: NewestRows | undefined,
): Generator<undefined, Float64Array> {
  const { ends } = series;
  const values = new Float64Array(ends.length * rowCount);
  const common = kept && (yield* series.commonRows(kept.index));
  for (let number = 0; number < ends.length; number++) {
    const end = ends[number];
    const start = Math.max(0, end - rowCount);
    const origin = (number + 1) * rowCount - end;
    let missing = start;
    const keptEnd = common?.ends[number] ?? 0;
    if (kept && common && keptEnd > start) {
      const old = common.numbers[number];
      const oldOrigin = (old + 1) * kept.rowCount - kept.index.ends[old];
      const oldStart = Math.max(0, kept.index.ends[old] - kept.rowCount);
      if (oldStart <= start) {
        const rows = kept.values.subarray(oldOrigin + start, oldOrigin + keptEnd);
        values.set(rows, origin + start);
        missing = keptEnd;
      }
    }
    if (missing < end) {
      const out = values.subarray(origin + missing, origin + end);
      series.copy(number, [column], { start: missing, end }, [out]);
    }
    if (number % READ_AT_ONCE === 0) yield;
  }
  return values;
}
