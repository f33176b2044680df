/** Our side of the comparison: four ways to compute indicators of many symbols. */

import type { BarColumns } from '../../../src/base/bars.ts';
import { LANES, type Lane } from '../../../src/compute/columns/layout.ts';
import { Program } from '../../../src/compute/columns/program.ts';
import type { SymbolColumns } from '../../../src/compute/columns/workspace.ts';
import type { IndicatorRequest } from '../../../src/compute/indicators/indicator-request.ts';
import type { PlacedSeries } from './bench-memory.ts';

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

/** Symbols that run side by side, by their places among all. */
interface Group {
  places: readonly number[];
  /** Rows of the longest. */
  length: number;
}

/** @returns groups of symbols of similar lengths. */
function groupsOf(lengths: readonly number[]): Group[] {
  const sorted = [...lengths.keys()].sort((a, b) => lengths[b] - lengths[a]);
  const groups: Group[] = [];
  for (let from = 0; from < sorted.length; from += LANES) {
    const places = sorted.slice(from, from + LANES);
    groups.push({ places, length: lengths[places[0]] });
  }
  return groups;
}

export function programOf(requests: readonly IndicatorRequest[]): Program {
  return new Program(requests.flatMap(({ spec, params }) => spec.expressions(params)));
}

/** Sums that are read, so that no engine can drop the work. */
export let consumed = 0;

/** Returns a run over all symbols. */
export function cachedRun(
  program: Program,
  { workspace, symbols, lengths }: PlacedSeries,
): () => void {
  const groups = groupsOf(lengths).map(({ places, length }) => {
    const lanes = places.map((place) => symbols[place].inputs);
    return { lanes, length, ends: places.map((place) => lengths[place]) };
  });
  return () => {
    for (const { lanes, length, ends } of groups) {
      const use = (columns: readonly Float64Array[], done: number, rows: number) => {
        for (const [i, column] of columns.entries()) {
          const end = Math.min(rows, (ends[i % LANES] ?? 0) - done);
          let sum = 0;
          let row = 0;
          // Eight lines at a time: a loop of one line costs more than its read.
          for (; row + 64 <= end; row += 64) {
            const four = column[row] + column[row + 8] + (column[row + 16] + column[row + 24]);
            const more =
              column[row + 32] + column[row + 40] + (column[row + 48] + column[row + 56]);
            sum += four + more;
          }
          for (; row < end; row += LINE_VALUES) sum += column[row];
          consumed += sum;
        }
      };
      program.runInPieces(lanes, length, use, { workspace });
    }
  };
}

/** Returns a run over all symbols, whose values are written where they stay. */
export function writtenRun(
  program: Program,
  { workspace, symbols, lengths }: PlacedSeries,
): () => void {
  const groups = groupsOf(lengths).map(({ places, length }) => {
    const lanes = places.map((place) => symbols[place].inputs);
    return { lanes, length, out: places.map((place) => symbols[place].outputs) };
  });
  return () => {
    for (const { lanes, length, out } of groups) program.run(lanes, length, out, { workspace });
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

export function lastRun(
  program: Program,
  { workspace, symbols, lengths }: PlacedSeries,
): NewestRun {
  const values = blankColumns(program.outputCount, symbols.length);
  const groups = groupsOf(lengths).map(({ places, length }) => {
    const ends = places.map((place) => lengths[place]);
    // Operations begin where the newest value of the shortest symbol needs them, as in screens.
    const stages = program.stagesFor(Math.min(...ends) - 1);
    const row = Math.max(0, stages[0].row);
    const newest = places.map((place) => rowsFrom(symbols[place].inputs, row));
    return { newest, length: length - row, ends, places, options: { row, stages, workspace } };
  });
  return {
    values,
    places: [...symbols.keys()],
    run() {
      for (const { newest, length, ends, places, options } of groups) {
        program.runNewest(newest, length, ends, values, places, options);
      }
    },
  };
}

function rowsFrom(columns: SymbolColumns['inputs'], row: number): Lane {
  const entries = Object.entries(columns).map(([name, column]) => [name, column.subarray(row)]);
  return Object.fromEntries(entries) as Lane;
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
