/** Newest values of columns of the newest version, by number of the symbol. */

import type { DailyInterval } from '../../../base/time/intervals.ts';
import type { Column } from '../../../compute/columns/column.ts';
import { columnText } from '../../../compute/columns/column-text.ts';
import { LANES } from '../../../compute/columns/layout.ts';
import { Program } from '../../../compute/columns/program.ts';
import { rowsNeeded } from '../../../compute/columns/rows-needed.ts';
import type { Snapshot, StoredColumn } from '../snapshot/snapshot.ts';
import { orderBy } from './bars-source.ts';
import type { NewestSeries } from './newest-series.ts';
import { type NewestColumns, NewestRun } from './run-newest.ts';
import type { NewestRows, SavedStates, ScreenMemory } from './screen-memory.ts';
import { withStoredInputs } from './stored-inputs.ts';

/** Above the rows of any series: 179 years of days. */
const ROWS_MAX = 2 ** 16;

/** Rows from a saved state to the newest one that are read from memory. */
const RESUMED_ROWS = 64;

/** Columns that run together need at most this many times the rows of the first of them. */
const NEEDS_RATIO = 8;

/** Symbols whose newest row is read before other work may run. */
const READ_AT_ONCE = 64;

/** Yields between groups of symbols. */
export function* newestValues(
  snapshot: Snapshot,
  interval: DailyInterval,
  columns: readonly Column[],
  memory: ScreenMemory,
): Generator<undefined, Float64Array[]> {
  const series = yield* memory.series(snapshot, interval);
  const stored = columns.map((column) => withStoredInputs(column, snapshot.indicatorColumns));
  const texts = stored.map(columnText);
  const values = texts.map((text) => memory.values(series, interval, text));
  const missing = new Map<string, Column>();
  stored.forEach((column, i) => {
    if (!values[i]) missing.set(texts[i], column);
  });
  const market = { series, interval, memory };
  const made = new Map<string, Float64Array>();
  for (const [text, column] of missing) {
    if (column.kind === 'input') {
      made.set(text, yield* newestOf(market, column.name as StoredColumn));
      missing.delete(text);
    }
  }
  for (const some of runsOf([...missing.values()])) {
    const out = yield* valuesOf(market, some);
    for (const [i, column] of some.entries()) made.set(columnText(column), out[i]);
  }
  for (const [text, column] of made) memory.keepValues(series, interval, text, column);
  return texts.map((text, i) => values[i] ?? made.get(text)!);
}

interface Market {
  series: NewestSeries;
  interval: DailyInterval;
  memory: ScreenMemory;
}

/** Puts columns together that need about as many rows. Those that need all rows are the last. */
export function runsOf(columns: readonly Column[]): Column[][] {
  const byNeed = columns
    .map((column) => ({ column, need: rowsNeeded(column) }))
    .sort((a, b) => (a.need === b.need ? 0 : a.need - b.need));
  const runs: Column[][] = [];
  let needMax = 0;
  for (const { column, need } of byNeed) {
    if (runs.length === 0 || need > needMax) {
      runs.push([]);
      needMax = need * NEEDS_RATIO;
    }
    runs[runs.length - 1].push(column);
  }
  return runs;
}

/** Reads the newest row of a column. */
function* newestOf(
  { series, interval, memory }: Market,
  name: StoredColumn,
): Generator<undefined, Float64Array> {
  const { ends, order } = series;
  const rows = yield* memory.rows(series, interval, name, 1);
  const out = new Float64Array(ends.length).fill(Number.NaN);
  for (const [i, number] of order.entries()) {
    if (rows) out[number] = rows.values[(number + 1) * rows.rowCount - 1];
    else {
      const end = ends[number];
      series.copy(number, [name], { start: end - 1, end }, [out.subarray(number, number + 1)]);
    }
    if (i % READ_AT_ONCE === 0) yield;
  }
  return out;
}

function* valuesOf(
  market: Market,
  columns: readonly Column[],
): Generator<undefined, Float64Array[]> {
  const { ends } = market.series;
  const out = columns.map(() => new Float64Array(ends.length).fill(Number.NaN));
  const program = new Program(columns);
  const need = Math.max(...columns.map(rowsNeeded));
  if (Number.isFinite(need)) yield* runWindows(market, program, need, out);
  else yield* runRecursions(market, program, columns.map(columnText).join(' '), out);
  return out;
}

function* runWindows(
  { series, interval, memory }: Market,
  program: Program,
  need: number,
  out: readonly Float64Array[],
): Generator<undefined> {
  const { order } = series;
  const rows = yield* rowsOf({ series, interval, memory }, program, need);
  const run = new NewestRun(program, series, rows, out);
  for (let at = 0; at < order.length; at += LANES) {
    const numbers = order.subarray(at, at + LANES);
    yield* run.runNeeded(numbers);
    yield;
  }
}

/** Runs from saved states on, or over whole series, and saves the state before the newest bar. */
function* runRecursions(
  { series, interval, memory }: Market,
  program: Program,
  text: string,
  out: readonly Float64Array[],
): Generator<undefined> {
  const { ends } = series;
  const { stateRows } = program;
  const saved = yield* memory.states(series, interval, text, stateRows);
  const isResumed = saved.rows.some((row) => row > 0);
  const rows = isResumed
    ? yield* rowsOf({ series, interval, memory }, program, RESUMED_ROWS)
    : new Map();
  const run = new NewestRun(program, series, rows, out);
  const order = orderBy(series.order, (number) => saved.rows[number] * ROWS_MAX + ends[number]);
  for (let at = 0; at < order.length; ) {
    const start = saved.rows[order[at]];
    let count = 1;
    while (count < LANES && saved.rows[order[at + count]] === start) count++;
    const numbers = order.subarray(at, at + count);
    at += count;
    const state = run.blankState(count);
    moveStates(saved, numbers, stateRows, state, 'take');
    const savedRow = numbers.reduce(
      (least, number) => Math.min(least, ends[number] - 1),
      Number.POSITIVE_INFINITY,
    );
    yield* run.runSaved(numbers, start, state, savedRow);
    moveStates(saved, numbers, stateRows, state, 'save');
    for (const number of numbers) saved.rows[number] = savedRow;
    yield;
  }
}

function* rowsOf(
  { series, interval, memory }: Market,
  program: Program,
  need: number,
): Generator<undefined, NewestColumns> {
  const columns = new Map<StoredColumn, NewestRows>();
  for (const name of program.inputs as readonly StoredColumn[]) {
    const rows = yield* memory.rows(series, interval, name, need);
    if (rows) columns.set(name, rows);
  }
  return columns;
}

/** Moves states between those by symbol and those by row of state and lane. */
function moveStates(
  { states }: SavedStates,
  numbers: Int32Array,
  stateRows: number,
  lanes: Float64Array,
  direction: 'take' | 'save',
): void {
  const width = lanes.length / stateRows;
  for (let lane = 0; lane < numbers.length; lane++) {
    const from = numbers[lane] * stateRows;
    for (let row = 0; row < stateRows; row++) {
      const at = row * width + lane;
      if (direction === 'take') lanes[at] = states[from + row];
      else states[from + row] = lanes[at];
    }
  }
}
