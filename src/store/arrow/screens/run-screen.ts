/** From a checked screen and a version to the newest values of its columns. */

import type { ScreenPlan } from '../../../compute/screens/screen-plan.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { valuesAsOf } from './as-of-values.ts';
import { newestValues } from './newest-values.ts';
import { ScreenMemory } from './screen-memory.ts';
import type { ScreenUniverse } from './screen-universe.ts';

export { ScreenMemory };

/** Newest values of the plan's columns: by `plan.bars`, by column, one number per row of the universe. */
export type ScreenValues = readonly (readonly Float64Array[])[];

export interface ScreenRun {
  values: ScreenValues;
  /**
   * True if bars of a past day are stored with dividends taken off only: these are used as they are,
   * since nothing can add the dividends again.
   */
  hasDividendAdjusted: boolean;
}

type Bars = Pick<ScreenPlan, 'bars'>;

/** Yields between groups of symbols, so that the caller may let other work run or stop. */
export function* screenValues(
  snapshot: Snapshot,
  plan: Bars,
  universe: ScreenUniverse,
  memory: ScreenMemory,
): Generator<undefined, ScreenValues> {
  return (yield* screenRun(snapshot, plan, universe, memory)).values;
}

/** Runs as `screenValues` does, and says more about the values. */
export function* screenRun(
  snapshot: Snapshot,
  plan: Bars,
  universe: ScreenUniverse,
  memory: ScreenMemory,
): Generator<undefined, ScreenRun> {
  const { series, asOfDay } = universe;
  if (asOfDay !== undefined) return yield* valuesAsOf(snapshot, plan.bars, series, asOfDay);
  const values: Float64Array[][] = [];
  for (const { interval, columns } of plan.bars) {
    const byNumber = yield* newestValues(snapshot, interval, columns, memory);
    const { index } = yield* memory.series(snapshot, interval);
    const numbers = memory.numbersOf(index.symbols, series);
    values.push(byNumber.map((column) => gathered(column, numbers)));
    yield;
  }
  return { values, hasDividendAdjusted: false };
}

/** Returns values by row; NaN at rows without a number. */
function gathered(column: Float64Array, numbers: Int32Array): Float64Array {
  const out = new Float64Array(numbers.length);
  for (let row = 0; row < numbers.length; row++) {
    out[row] = numbers[row] < 0 ? Number.NaN : column[numbers[row]];
  }
  return out;
}
