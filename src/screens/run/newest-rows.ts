/** Newest rows of a column of all series, read into memory. */

import type { StoredColumn } from '../../store/arrow/snapshot/snapshot.ts';
import type { BarsSource } from './bars-source.ts';
import type { NewestSeries, SeriesIndex } from './newest-series.ts';

/** Newest rows of a column are kept in multiples of these, and of a quarter of a power of two. */
const ROWS_STEP = 8;

/** Symbols whose rows, or newest rows alone, are read before other work may run: some 0.2 ms. */
const READ_AT_ONCE = 16;
const NEWEST_AT_ONCE = 64;

/** Newest rows of a column. */
export interface NewestRows {
  /** Series that the numbers of symbols belong to. */
  index: SeriesIndex;
  rowCount: number;
  /** `rowCount` values of each symbol, by its number; its newest is the last. */
  values: Float64Array;
}

/** Returns the place of a symbol's row in the values; −1 if it is not there. */
export function placeOfRow({ index, rowCount }: NewestRows, number: number, row: number): number {
  const end = index.ends[number];
  return row < end - rowCount ? -1 : (number + 1) * rowCount - end + row;
}

/**
 * Gives the newest row of a column for some symbols.
 *
 * @param rows Rows in memory, if any: others are read.
 * @param out  Receives a value by number of the symbol.
 */
export function* newestRow(
  source: BarsSource,
  order: Int32Array,
  column: StoredColumn,
  rows: NewestRows | undefined,
  out: Float64Array,
): Generator<undefined> {
  for (const [i, number] of order.entries()) {
    const end = source.ends[number];
    const place = rows ? placeOfRow(rows, number, end - 1) : -1;
    if (place >= 0) out[number] = rows!.values[place];
    else {
      source.copy(number, [column], { start: end - 1, end }, [out.subarray(number, number + 1)]);
    }
    if (i % NEWEST_AT_ONCE === 0) yield;
  }
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
      const place = placeOfRow(kept, common.numbers[number], start);
      if (place >= 0) {
        values.set(kept.values.subarray(place, place + keptEnd - start), origin + start);
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
