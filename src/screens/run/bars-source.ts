/** Bars of one interval of many symbols, up to a moment, on the adjustment that a screen uses. */

import { type AdjustmentStep, scaleColumnBy } from '../../compute/bars/adjustment-steps.ts';
import type { RowRange, StoredColumn } from '../../store/arrow/snapshot/snapshot.ts';
import { orderOf } from '../plan/ranks.ts';

export interface BarsSource {
  /** By number of the symbol, rows of its series; 0 without bars. */
  readonly ends: Int32Array;
  /** Copies rows of columns, each into an output of the range's length. */
  copy(
    number: number,
    columns: readonly StoredColumn[],
    range: RowRange,
    out: readonly Float64Array[],
  ): void;
}

/** Scale of the rows of a series from `fromRow` up to the next step. */
export interface RowStep extends Pick<AdjustmentStep, 'ratio' | 'factor'> {
  fromRow: number;
}

export type BarValue = Parameters<typeof scaleColumnBy>[1];

/** Scales copied rows of bars; those of indicators stay as they are. */
export function scaleRows(
  steps: readonly RowStep[],
  columns: readonly StoredColumn[],
  range: RowRange,
  out: readonly Float64Array[],
): void {
  for (const [i, step] of steps.entries()) {
    const from = Math.max(step.fromRow, range.start) - range.start;
    const to = Math.min(steps[i + 1]?.fromRow ?? range.end, range.end) - range.start;
    const { numerator, denominator } = step.ratio;
    if (from >= to || (numerator === denominator && step.factor === 1)) continue;
    for (const [place, name] of columns.entries()) {
      if (name.startsWith('stored ')) continue;
      const rows = out[place].subarray(from, to);
      scaleColumnBy(rows, name as BarValue, step, rows);
    }
  }
}

/** Returns numbers of symbols that have bars, those with the fewest first. */
export function orderByEnd(ends: Int32Array, numbers: Iterable<number>): Int32Array {
  const withBars = Int32Array.from(numbers).filter((number) => ends[number] > 0);
  return orderBy(withBars, (number) => ends[number]);
}

/** Orders numbers of symbols by another number of each; equal ones keep their order. */
export function orderBy(numbers: Int32Array, keyOf: (number: number) => number): Int32Array {
  const order = orderOf(new Float64Array(numbers).map(keyOf));
  return new Int32Array(order).map((place) => numbers[place]);
}

/** Returns values by row; NaN at rows without a number. */
export function gathered(column: Float64Array, numbers: Int32Array): Float64Array {
  const out = new Float64Array(numbers.length);
  for (let row = 0; row < numbers.length; row++) {
    out[row] = numbers[row] < 0 ? Number.NaN : column[numbers[row]];
  }
  return out;
}
