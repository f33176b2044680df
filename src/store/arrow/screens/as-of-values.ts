/** Newest values of columns as of a past day. */

import type { Column } from '../../../compute/columns/column.ts';
import { inputsOf } from '../../../compute/columns/column-facts.ts';
import { columnText } from '../../../compute/columns/column-text.ts';
import { LANES } from '../../../compute/columns/layout.ts';
import { Program } from '../../../compute/columns/program.ts';
import type { ScreenColumns } from '../../../compute/screens/screen-plan.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { AsOfDaily, asOfSource } from './as-of-series.ts';
import { type BarsSource, gathered, orderByEnd } from './bars-source.ts';
import { runsOf } from './newest-values.ts';
import { NewestRun } from './run-newest.ts';
import type { ScreenMemory } from './screen-memory.ts';
import { withStoredInputs } from './stored-inputs.ts';

/** @param numbers Symbols by row of the values, by their numbers; −1 for an unknown one. */
export function* valuesAsOf(
  snapshot: Snapshot,
  bars: readonly ScreenColumns[],
  numbers: Int32Array,
  day: number,
  memory: ScreenMemory,
): Generator<undefined, Float64Array[][]> {
  const daily = yield* AsOfDaily.open(snapshot, memory, day);
  const known = new Set(numbers.filter((number) => number >= 0));
  const values: Float64Array[][] = [];
  for (const { interval, columns } of bars) {
    const source = yield* asOfSource(snapshot, memory, daily, interval);
    const out = columns.map(() => new Float64Array(source.ends.length).fill(Number.NaN));
    const order = orderByEnd(source.ends, known);
    const isUnchanged = (number: number) => interval === '1d' && daily.isUnchanged(number);
    const stored = columns.map((column) => withStoredInputs(column, snapshot.indicatorColumns));
    // A split after the day changes stored values, and so do days after it in the same period.
    yield* run(source, stored, order.filter(isUnchanged), out);
    yield* run(
      source,
      columns,
      order.filter((number) => !isUnchanged(number)),
      out,
    );
    values.push(out.map((column) => gathered(column, numbers)));
  }
  return values;
}

/** Divides columns into runs. An input that a run reads anyway is one of its columns. */
function runsWithInputs(columns: readonly Column[]): Column[][] {
  const runs = runsOf(columns.filter(({ kind }) => kind !== 'input'));
  const alone: Column[] = [];
  for (const column of columns) {
    if (column.kind !== 'input') continue;
    const run = runs.find((some) => inputsOf(some).includes(column.name)) ?? alone;
    run.push(column);
  }
  return alone.length > 0 ? [alone, ...runs] : runs;
}

/** @param order Numbers of the symbols, those with the fewest bars first. */
function* run(
  source: BarsSource,
  columns: readonly Column[],
  order: Int32Array,
  out: readonly Float64Array[],
): Generator<undefined> {
  if (order.length === 0) return;
  const texts = columns.map(columnText);
  const different = columns.filter((_, i) => texts.indexOf(texts[i]) === i);
  for (const some of runsWithInputs(different)) {
    const places = some.map((column) => out[columns.indexOf(column)]);
    const newest = new NewestRun(new Program(some), source, new Map(), places);
    for (let at = 0; at < order.length; at += LANES) {
      const numbers = order.subarray(at, at + LANES);
      yield* newest.runNeeded(numbers);
      yield;
    }
  }
  for (const [i, text] of texts.entries()) {
    const first = texts.indexOf(text);
    if (first < i) for (const number of order) out[i][number] = out[first][number];
  }
}
