/** From a checked screen and a version to the newest values of its columns. */

import type { Snapshot } from '../../store/arrow/snapshot/snapshot.ts';
import type { ScreenPlan } from '../plan/screen-plan.ts';
import { valuesAsOf } from './as-of-values.ts';
import { gathered } from './bars-source.ts';
import { newestValues } from './newest-values.ts';
import type { ScreenMemory } from './screen-memory.ts';
import type { ScreenUniverse } from './screen-universe.ts';

/** Newest values of the plan's columns: by `plan.bars`, by column, one number per row of the universe. */
export type ScreenValues = readonly (readonly Float64Array[])[];

type Bars = Pick<ScreenPlan, 'bars'>;

/**
 * Yields between groups of symbols, so that the caller may let other work run or stop.
 *
 * @param rows 1 at each row whose values count, others may have none; undefined for all.
 */
export function* screenValues(
  snapshot: Snapshot,
  plan: Bars,
  { series, asOfDay }: ScreenUniverse,
  memory: ScreenMemory,
  rows?: Uint8Array,
): Generator<undefined, ScreenValues> {
  let numbers = memory.numbersOf(snapshot.symbols, series);
  if (rows) numbers = numbers.map((number, row) => (rows[row] === 1 ? number : -1));
  const bars = plan.bars.filter(({ columns }) => columns.length > 0);
  const values =
    asOfDay === undefined
      ? yield* valuesNow(snapshot, bars, numbers, memory, rows !== undefined)
      : yield* valuesAsOf(snapshot, bars, numbers, asOfDay, memory);
  return plan.bars.map((one) => values[bars.indexOf(one)] ?? []);
}

function* valuesNow(
  snapshot: Snapshot,
  bars: Bars['bars'],
  numbers: Int32Array,
  memory: ScreenMemory,
  isSome: boolean,
): Generator<undefined, Float64Array[][]> {
  const some = isSome ? new Uint8Array(snapshot.symbols.length) : undefined;
  if (some) for (const number of numbers) if (number >= 0) some[number] = 1;
  const values: Float64Array[][] = [];
  for (const { interval, columns } of bars) {
    const byNumber = yield* newestValues(snapshot, interval, columns, memory, some);
    values.push(byNumber.map((column) => gathered(column, numbers)));
    yield;
  }
  return values;
}
