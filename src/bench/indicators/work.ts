/** Our side of the comparison: four ways to compute indicators of many symbols. */

import { type BarColumns, barRows } from '../../base/bars.ts';
import { LANES } from '../../compute/columns/layout.ts';
import { Program } from '../../compute/columns/program.ts';
import type { IndicatorRequest } from '../../compute/indicators/indicator-request.ts';

/**
 * - `cached`: all values, in memory that stays in the cache; one value of each cache line is read.
 *   Bulk responses and screens work like this.
 * - `written`: all values, written to memory for the whole universe.
 * - `last`: the newest value of each symbol, from all bars.
 * - `next`: one new bar of each symbol, from saved states.
 */
export const MODES = ['cached', 'written', 'last', 'next'] as const;

export type BenchMode = (typeof MODES)[number];

/** Modes whose times are for each bar; the others are for each symbol. */
export const BAR_MODES: readonly BenchMode[] = ['cached', 'written'];

export const MODE_TITLES: Readonly<Record<BenchMode, string>> = {
  cached: 'all values, used in the cache',
  written: 'all values, written to memory',
  last: 'newest values, from all bars',
  next: 'one new bar, from saved states',
};

/** Float64 values of a cache line. */
const LINE_VALUES = 8;

/** Bars that a run of `next` adds to each symbol. A window that begins is part of every 64 bars. */
export const NEXT_BARS = 64;

/** Symbols that run side by side. */
interface Group {
  bars: readonly BarColumns[];
  length: number;
}

/** @returns groups of symbols of similar lengths. */
function groupsOf(series: readonly BarColumns[]): Group[] {
  const sorted = series.toSorted((a, b) => b.close.length - a.close.length);
  const groups: Group[] = [];
  for (let from = 0; from < sorted.length; from += LANES) {
    const bars = sorted.slice(from, from + LANES);
    groups.push({ bars, length: bars[0].close.length });
  }
  return groups;
}

export function programOf(requests: readonly IndicatorRequest[]): Program {
  return new Program(requests.flatMap(({ spec, params }) => spec.expressions(params)));
}

/** Sums that are read, so that no engine can drop the work. */
let consumed = 0;

/** Returns a run over all symbols. */
export function cachedRun(program: Program, series: readonly BarColumns[]): () => void {
  const groups = groupsOf(series);
  return () => {
    for (const { bars, length } of groups) {
      program.runInPieces(bars, length, (columns, done, rows) => {
        for (const [i, column] of columns.entries()) {
          const bar = bars[i % LANES];
          if (!bar) continue;
          const end = Math.min(rows, bar.close.length - done);
          let sum = 0;
          for (let row = LINE_VALUES - 1; row < end; row += LINE_VALUES) sum += column[row];
          consumed += sum;
        }
      });
    }
  };
}

/** Columns of the whole universe, which candidates of one round write in turn. */
export class OutputMemory {
  readonly #columns: Float64Array[] = [];
  readonly #rowCount: number;

  constructor(rowCount: number) {
    this.#rowCount = rowCount;
  }

  /** Returns columns that have been written before, so that no page is new when it is timed. */
  take(count: number): readonly Float64Array[] {
    while (this.#columns.length < count) {
      this.#columns.push(new Float64Array(this.#rowCount).fill(1));
    }
    return this.#columns.slice(0, count);
  }
}

export function writtenRun(
  program: Program,
  series: readonly BarColumns[],
  memory: OutputMemory,
): () => void {
  const wide = memory.take(program.outputCount);
  let at = 0;
  const groups = groupsOf(series).map(({ bars, length }) => {
    const out = bars.map(({ close }) => {
      const from = at;
      at += close.length;
      return wide.map((column) => column.subarray(from, at));
    });
    return { bars, length, out };
  });
  return () => {
    for (const { bars, length, out } of groups) program.run(bars, length, out);
  };
}

/** Copies the closes into as many columns: the speed of light for `writtenRun`. */
export function copyRun(
  columnCount: number,
  series: readonly BarColumns[],
  memory: OutputMemory,
): () => void {
  const wide = memory.take(columnCount);
  return () => {
    let at = 0;
    for (const { close } of series) {
      for (const column of wide) column.set(close, at);
      at += close.length;
    }
  };
}

/** A run that gives the newest value of each symbol. */
export interface NewestRun {
  run(): void;
  /** By output, a value for each entry of `places`. */
  values: readonly Float64Array[];
  /** By entry of `values`, the index of its series. */
  places: readonly number[];
}

export function lastRun(program: Program, series: readonly BarColumns[]): NewestRun {
  const values = blankColumns(program.outputCount, series.length);
  let entry = 0;
  const groups = groupsOf(series).map(({ bars, length }) => {
    const ends = bars.map(({ close }) => close.length);
    const places = bars.map(() => entry++);
    // Operations begin where the newest value of the shortest symbol needs them, as in screens.
    const stages = program.stagesFor(Math.min(...ends) - 1);
    const row = Math.max(0, stages[0].row);
    const newest = bars.map((one) => barRows(one, row));
    return { bars, newest, length: length - row, ends, places, options: { row, stages } };
  });
  return {
    values,
    places: groups.flatMap(({ bars }) => bars.map((one) => series.indexOf(one))),
    run() {
      for (const { newest, length, ends, places, options } of groups) {
        program.runNewest(newest, length, ends, values, places, options);
      }
    },
  };
}

/**
 * Prepares states before the last `NEXT_BARS` bars of each symbol; a run adds them one by one.
 * Shorter series are left out.
 *
 * @returns undefined if no series is long enough.
 */
export function nextRun(program: Program, series: readonly BarColumns[]): NewestRun | undefined {
  const places = series.flatMap(({ close }, i) => (close.length > NEXT_BARS ? [i] : []));
  if (places.length === 0) return undefined;
  const { stateRows, outputCount } = program;
  const before = new Float64Array(places.length * stateRows);
  const scratch = blankColumns(outputCount, Math.max(...series.map(({ close }) => close.length)));
  for (const [entry, place] of places.entries()) {
    const state = new Float64Array(stateRows * 4);
    const length = series[place].close.length - NEXT_BARS;
    program.run([series[place]], length, [scratch], { state, fromRow: length });
    for (let row = 0; row < stateRows; row++) before[entry * stateRows + row] = state[row * 4];
  }
  const next = program.nextStates();
  next.reserve(before.length, places.length);
  const bars = Array.from({ length: NEXT_BARS }, (_, bar) =>
    program.inputs.map((name) =>
      Float64Array.from(places, (place) => {
        const column = series[place][name as keyof BarColumns] as Float64Array;
        return column[column.length - NEXT_BARS + bar];
      }),
    ),
  );
  const groups = new Map<number, number[]>();
  for (const [entry, place] of places.entries()) {
    const row = series[place].close.length - NEXT_BARS;
    const entries = groups.get(row);
    if (entries) entries.push(entry);
    else groups.set(row, [entry]);
  }
  const ats = Int32Array.from(places, (_, entry) => entry * stateRows);
  return {
    values: next.outputs,
    places,
    run() {
      next.states.set(before);
      for (const [bar, columns] of bars.entries()) {
        for (const [i, column] of columns.entries()) next.inputs[i].set(column);
        for (const [row, entries] of groups) next.advance(row + bar, entries, ats, true);
      }
    },
  };
}

function blankColumns(count: number, length: number): Float64Array[] {
  return Array.from({ length: count }, () => new Float64Array(length));
}

/** Returns the sum of all values that were read. */
export function consumedSum(): number {
  return consumed;
}
