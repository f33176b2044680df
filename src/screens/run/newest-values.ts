/** Newest values of columns of the newest version, by number of the symbol. */

import type { DailyInterval } from '../../base/time/intervals.ts';
import type { Column, InputName } from '../../compute/columns/column.ts';
import { madeInputs } from '../../compute/columns/column-facts.ts';
import { columnText } from '../../compute/columns/column-text.ts';
import { LANES, type Lane } from '../../compute/columns/layout.ts';
import { Program } from '../../compute/columns/program.ts';
import { rowsNeeded } from '../../compute/columns/rows-needed.ts';
import type { Snapshot, StoredColumn } from '../../store/arrow/snapshot/snapshot.ts';
import { orderBy } from './bars-source.ts';
import { inSteps } from './in-steps.ts';
import { MadeInputs } from './made-inputs.ts';
import { newestRow } from './newest-rows.ts';
import type { NewestSeries } from './newest-series.ts';
import { type NewestColumns, NewestRun } from './run-newest.ts';
import type { SavedStates, ScreenMemory } from './screen-memory.ts';
import { withStoredInputs } from './stored-inputs.ts';

/** Above the rows of any series: 179 years of days. */
const ROWS_MAX = 2 ** 16;

/** Rows from a saved state to the newest one that are read from memory. */
const RESUMED_ROWS = 64;

/** Columns that run together need at most this many times the rows of the first of them. */
const NEEDS_RATIO = 8;

/** Numbers of state that one step moves: what the second cache holds. */
const STATES_AT_ONCE = 2 ** 13;

/**
 * Yields between groups of symbols.
 *
 * @param some 1 at the number of each symbol that counts, undefined for all. Values of others may be
 *   missing.
 */
export function* newestValues(
  snapshot: Snapshot,
  interval: DailyInterval,
  columns: readonly Column[],
  memory: ScreenMemory,
  some?: Uint8Array,
): Generator<undefined, Float64Array[]> {
  const series = yield* memory.series(snapshot, interval);
  const stored = columns.map((column) => withStoredInputs(column, snapshot.indicatorColumns));
  const texts = stored.map(columnText);
  const values = texts.map((text) => memory.values(series, interval, text));
  const missing = new Map<string, Column>();
  stored.forEach((column, i) => {
    if (!values[i]) missing.set(texts[i], column);
  });
  const few = some && series.order.filter((number) => some[number] === 1);
  const isWhole =
    !few ||
    [...missing.keys()].some((text) => memory.isWorthAll(series, interval, text, few.length));
  const market = { series, interval, memory, order: isWhole ? series.order : few, isWhole };
  const made = new Map<string, Float64Array>();
  const isMade = (column: Column) => madeInputs([column]).size > 0;
  const making = [...missing.values()].filter(isMade);
  if (making.length > 0) {
    const days = yield* memory.days(snapshot, interval);
    const source = new MadeInputs(series, days, snapshot.symbols, making);
    for (const column of making) {
      made.set(columnText(column), yield* madeOf(market, source, column));
    }
  }
  const others = [...missing].filter(([, column]) => !isMade(column));
  for (const run of runsOf(others.flatMap(([, one]) => (one.kind === 'input' ? [] : [one])))) {
    const out = yield* valuesOf(market, run);
    for (const [i, column] of run.entries()) made.set(columnText(column), out[i]);
  }
  // Runs read more rows than inputs alone, so inputs are the last.
  for (const [text, column] of others) {
    if (column.kind !== 'input') continue;
    made.set(text, yield* newestOf(market, column.name as StoredColumn));
  }
  if (isWhole) {
    for (const [text, column] of made) memory.keepValues(series, interval, text, column);
  }
  return texts.map((text, i) => values[i] ?? made.get(text)!);
}

/** Computes a column with inputs that no file has, over the rows that it needs. */
function* madeOf(
  { series, order }: Market,
  source: MadeInputs,
  column: Column,
): Generator<undefined, Float64Array> {
  const out = new Float64Array(series.ends.length).fill(Number.NaN);
  if (column.kind === 'input') {
    yield* newestRow(source, order, column.name as StoredColumn, undefined, out);
    return out;
  }
  const run = new NewestRun(new Program([column]), source, new Map(), [out]);
  for (let at = 0; at < order.length; at += LANES) {
    yield* run.runNeeded(order.subarray(at, at + LANES));
    yield;
  }
  return out;
}

interface Market {
  series: NewestSeries;
  interval: DailyInterval;
  memory: ScreenMemory;
  /** Numbers of the symbols that count, those with the fewest bars first. */
  order: Int32Array;
  /** True if they are all symbols with bars. */
  isWhole: boolean;
}

/** Puts columns together that need about as many rows. Those that need all rows are the last. */
function runsOf(columns: readonly Column[]): Column[][] {
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
function* newestOf(market: Market, name: StoredColumn): Generator<undefined, Float64Array> {
  const { series, order } = market;
  const rows = (yield* rowsOf(market, [name], 1)).get(name);
  const out = new Float64Array(series.ends.length).fill(Number.NaN);
  yield* newestRow(series, order, name, rows, out);
  return out;
}

function* valuesOf(
  market: Market,
  columns: readonly Column[],
): Generator<undefined, Float64Array[]> {
  const { series, interval, memory } = market;
  const out = columns.map(() => new Float64Array(series.ends.length).fill(Number.NaN));
  const program = new Program(columns);
  const text = columns.map(columnText).join(' ');
  const need = Math.max(...columns.map(rowsNeeded));
  const isEndless = !Number.isFinite(need);
  const { stateRows } = program;
  const hasStates =
    isEndless ||
    memory.keepsWindows(series, interval, text, { stateRows, isWhole: market.isWhole });
  if (hasStates) yield* runFromStates(market, program, { text, need }, out);
  else yield* runWindows(market, program, need, out);
  return out;
}

function* runWindows(
  market: Market,
  program: Program,
  need: number,
  out: readonly Float64Array[],
): Generator<undefined> {
  const { series, order } = market;
  const rows = yield* rowsOf(market, program.inputs, need);
  const run = new NewestRun(program, series, rows, out);
  for (let at = 0; at < order.length; at += LANES) {
    yield* run.runNeeded(order.subarray(at, at + LANES));
    yield;
  }
}

/** Brings the states before the newest bars up to date, and runs these bars. */
function* runFromStates(
  market: Market,
  program: Program,
  { text, need }: { text: string; need: number },
  out: readonly Float64Array[],
): Generator<undefined> {
  const { series, interval, memory } = market;
  const saved = yield* memory.states(series, interval, text, {
    stateRows: program.stateRows,
    isWindow: Number.isFinite(need),
  });
  yield* updateStates(market, program, saved, need, out);
  const { ends } = series;
  const { stateRows } = program;
  const bars: Partial<Record<StoredColumn, Float64Array>> = {};
  for (const name of program.inputs as readonly StoredColumn[]) {
    const kept = memory.values(series, interval, name);
    const values = kept ?? (yield* newestOf(market, name));
    if (!kept && market.isWhole) memory.keepValues(series, interval, name, values);
    bars[name] = values;
  }
  const ats = new Float64Array(ends.length).map((_, number) => number * stateRows);
  const isKept = new Uint8Array(ends.length);
  const most = Math.max(LANES, Math.floor(STATES_AT_ONCE / stateRows));
  yield* inSteps(
    equalRuns(market.order, (number) => ends[number], most),
    (numbers) => {
      const row = ends[numbers[0]] - 1;
      program.advance(row, Array.from(numbers), bars as Lane, saved.states, ats, isKept, out);
    },
  );
}

/** Runs series up to their newest bars, from saved states or the rows that windows need. */
function* updateStates(
  market: Market,
  program: Program,
  saved: SavedStates,
  need: number,
  out: readonly Float64Array[],
): Generator<undefined> {
  const { series } = market;
  const { ends } = series;
  const behind = market.order.filter((number) => saved.rows[number] < ends[number] - 1);
  if (behind.length === 0) return;
  const isWindow = Number.isFinite(need);
  const newCount = behind.filter((number) => saved.rows[number] === 0).length;
  const isRead = isWindow || newCount < behind.length;
  const read = isWindow && newCount > 0 ? need : RESUMED_ROWS;
  const rows = isRead ? yield* rowsOf(market, program.inputs, read) : new Map();
  const run = new NewestRun(program, series, rows, out);
  const order = orderBy(behind, (number) => saved.rows[number] * ROWS_MAX + ends[number]);
  for (const numbers of equalRuns(order, (number) => saved.rows[number], LANES)) {
    yield* run.runStates(numbers, saved, isWindow);
    yield;
  }
}

/** Divides ordered numbers where a value changes, and after so many of them. */
function* equalRuns(
  order: Int32Array,
  keyOf: (number: number) => number,
  countMax: number,
): Generator<Int32Array, undefined> {
  for (let at = 0; at < order.length; ) {
    const start = at;
    const key = keyOf(order[start]);
    while (at < order.length && at - start < countMax && keyOf(order[at]) === key) at++;
    yield order.subarray(start, at);
  }
}

function* rowsOf(
  { series, interval, memory, isWhole }: Market,
  names: readonly InputName[],
  need: number,
): Generator<undefined, NewestColumns> {
  const columns: NewestColumns = new Map();
  for (const name of names as readonly StoredColumn[]) {
    const rows = isWhole
      ? yield* memory.rows(series, interval, name, need)
      : memory.keptRows(series, interval, name);
    if (rows) columns.set(name, rows);
  }
  return columns;
}
