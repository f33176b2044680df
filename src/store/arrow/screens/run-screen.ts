/** From a checked screen and a version to the newest values of its columns. */

import type { ScreenPlan } from '../../../compute/screens/screen-plan.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { valuesAsOf } from './as-of-values.ts';
import { gathered } from './bars-source.ts';
import { newestValues } from './newest-values.ts';
import { ScreenMemory } from './screen-memory.ts';
import type { ScreenUniverse } from './screen-universe.ts';

export { ScreenMemory };

/** Newest values of the plan's columns: by `plan.bars`, by column, one number per row of the universe. */
export type ScreenValues = readonly (readonly Float64Array[])[];

type Bars = Pick<ScreenPlan, 'bars'>;

/** Yields between groups of symbols, so that the caller may let other work run or stop. */
export function* screenValues(
  snapshot: Snapshot,
  plan: Bars,
  { series, asOfDay }: ScreenUniverse,
  memory: ScreenMemory,
): Generator<undefined, ScreenValues> {
  const numbers = memory.numbersOf(snapshot.symbols, series);
  if (asOfDay !== undefined) {
    return yield* valuesAsOf(snapshot, plan.bars, numbers, asOfDay, memory);
  }
  const values: Float64Array[][] = [];
  for (const { interval, columns } of plan.bars) {
    const byNumber = yield* newestValues(snapshot, interval, columns, memory);
    values.push(byNumber.map((column) => gathered(column, numbers)));
    yield;
  }
  return values;
}
