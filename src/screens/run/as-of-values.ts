/** Newest values of columns as of a past day. */

import type { Column } from '../../compute/columns/column.ts';
import { inputsOf, madeInputs } from '../../compute/columns/column-facts.ts';
import { columnText } from '../../compute/columns/column-text.ts';
import { LANES } from '../../compute/columns/layout.ts';
import { Program } from '../../compute/columns/program.ts';
import { rowsNeeded } from '../../compute/columns/rows-needed.ts';
import type { Snapshot, StoredColumn } from '../../store/arrow/snapshot/snapshot.ts';
import type { ScreenColumns } from '../plan/screen-plan.ts';
import { AsOfDaily, asOfSource } from './as-of-series.ts';
import { type BarsSource, gathered, orderByEnd } from './bars-source.ts';
import { MadeInputs } from './made-inputs.ts';
import { newestRow } from './newest-rows.ts';
import { type NewestColumns, NewestRun } from './run-newest.ts';
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
    const bars = yield* asOfSource(snapshot, memory, daily, interval);
    const isMade = madeInputs(columns).size > 0;
    const source = isMade ? new MadeInputs(bars, daily.days, snapshot.symbols, columns) : bars;
    const out = columns.map(() => new Float64Array(source.ends.length).fill(Number.NaN));
    const order = orderByEnd(source.ends, known);
    const isUnchanged = (number: number) => interval === '1d' && daily.isUnchanged(number);
    const stored = columns.map((column) => withStoredInputs(column, snapshot.indicatorColumns));
    // A split after the day changes stored values, and so do days after it in the same period.
    const series = yield* memory.series(snapshot, interval);
    const kept: NewestColumns = new Map();
    for (const name of inputsOf(stored) as readonly StoredColumn[]) {
      const rows = memory.keptRows(series, interval, name);
      if (rows) kept.set(name, rows);
    }
    yield* run(source, stored, order.filter(isUnchanged), out, kept);
    yield* run(
      source,
      columns,
      order.filter((number) => !isUnchanged(number)),
      out,
      new Map(),
    );
    values.push(out.map((column) => gathered(column, numbers)));
  }
  return values;
}

/** Divides columns into runs. A column whose inputs a run reads anyway is one of its columns. */
function runsOf(columns: readonly Column[]): Column[][] {
  const byNeed = columns
    .map((column) => ({ column, need: rowsNeeded(column) }))
    .sort((a, b) => (a.need === b.need ? 0 : b.need - a.need));
  const runs: Column[][] = [];
  for (const { column } of byNeed) {
    const inputs = inputsOf([column]);
    const reading = runs.find(([first]) => {
      const read = inputsOf([first]);
      return inputs.every((name) => read.includes(name));
    });
    if (reading) reading.push(column);
    else runs.push([column]);
  }
  return runs;
}

/**
 * @param order Numbers of the symbols, those with the fewest bars first.
 * @param kept  Rows in memory that these symbols had then.
 */
function* run(
  source: BarsSource,
  columns: readonly Column[],
  order: Int32Array,
  out: readonly Float64Array[],
  kept: NewestColumns,
): Generator<undefined> {
  if (order.length === 0) return;
  const texts = columns.map(columnText);
  const different = columns.filter((_, i) => texts.indexOf(texts[i]) === i);
  const outOf = (column: Column) => out[columns.indexOf(column)];
  for (const some of runsOf(different)) {
    const [first] = some;
    if (first.kind === 'input') {
      const name = first.name as StoredColumn;
      yield* newestRow(source, order, name, kept.get(name), outOf(first));
      continue;
    }
    const newest = new NewestRun(new Program(some), source, kept, some.map(outOf));
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
