/** Runs a program over groups of eight symbols and keeps the newest value of each. */

import { limits } from '../../../base/limits.ts';
import { LANES } from '../../../compute/columns/layout.ts';
import type { Lane, Program, Stage } from '../../../compute/columns/program.ts';
import type { StoredColumn } from '../snapshot/snapshot.ts';
import type { BarsSource } from './bars-source.ts';
import type { NewestRows } from './screen-memory.ts';

/** Rows that run at a time; a row of eight symbols takes from 0.1 to 130 µs. */
const RUN_ROWS_MIN = 16;
const RUN_ROWS_MAX = 4096;

/** Columns of which the newest rows are in memory. */
export type NewestColumns = ReadonlyMap<StoredColumn, NewestRows>;

/** Newest values of a program, group by group. */
export class NewestRun {
  readonly #program: Program;
  readonly #source: BarsSource;
  readonly #columns: NewestColumns;
  readonly #names: readonly StoredColumn[];
  readonly #out: readonly Float64Array[];
  #runRows = RUN_ROWS_MIN;
  #stages: readonly Stage[] = [];
  #stagesRow = -1;
  /** Memory for the bars of a group, which grows as needed. */
  #workspace = new Float64Array(0);

  /** @param out By output, receives a value by number of the symbol. */
  constructor(
    program: Program,
    source: BarsSource,
    columns: NewestColumns,
    out: readonly Float64Array[],
  ) {
    this.#program = program;
    this.#source = source;
    this.#columns = columns;
    this.#names = program.inputs as readonly StoredColumn[];
    this.#out = out;
  }

  /**
   * Runs over the rows that the newest values need; yields between pieces of long ones.
   *
   * @param numbers At most eight symbols with bars.
   */
  *runNeeded(numbers: Int32Array): Generator<undefined> {
    let first = Number.POSITIVE_INFINITY;
    for (const number of numbers) first = Math.min(first, this.#source.ends[number] - 1);
    if (first !== this.#stagesRow) {
      this.#stages = this.#program.stagesFor(first);
      this.#stagesRow = first;
    }
    yield* this.#run(numbers, this.#stages[0]?.row ?? first, this.#stages);
  }

  /**
   * Runs from a saved state on to the end of each series.
   *
   * @param numbers At most eight symbols; each has more than `start` rows.
   * @param state   State before the row, by place in the program and lane. It is updated to that
   *   before row `savedRow`, up to which every series goes.
   */
  *runSaved(
    numbers: Int32Array,
    start: number,
    state: Float64Array,
    savedRow: number,
  ): Generator<undefined> {
    yield* this.#run(numbers, start, [], state, savedRow);
  }

  *#run(
    numbers: Int32Array,
    start: number,
    stages: readonly Stage[],
    state?: Float64Array,
    savedRow = start,
  ): Generator<undefined> {
    const { ends } = this.#source;
    const laneEnds = Int32Array.from(numbers, (number) => ends[number]);
    const end = laneEnds.reduce((most, one) => Math.max(most, one));
    const lanes = this.#lanes(numbers, start);
    let running = state;
    if (end - start > this.#runRows) running ??= this.#program.stateOfStages(numbers.length);
    for (let row = start; row < end; ) {
      if (row === savedRow && state) running = state.slice();
      const stop = row < savedRow ? savedRow : end;
      const rows = Math.min(this.#runRows, stop - row);
      const inputs = row === start ? lanes : lanes.map((lane) => laneFrom(lane, row - start));
      const startMs = performance.now();
      const options = { row, state: running, stages };
      this.#program.runNewest(inputs, rows, laneEnds, this.#out, numbers, options);
      this.#learn(rows, performance.now() - startMs);
      row += rows;
      if (row < end) yield;
    }
  }

  /** State before the first row. */
  blankState(count: number): Float64Array {
    return new Float64Array(this.#program.stateRows * widthOf(count));
  }

  #lanes(numbers: Int32Array, start: number): Record<string, Float64Array>[] {
    const { ends } = this.#source;
    const lanes: Record<string, Float64Array>[] = [];
    let used = 0;
    for (const number of numbers) {
      const end = ends[number];
      const length = end - start;
      const lane: Record<string, Float64Array> = {};
      const missing: StoredColumn[] = [];
      for (const name of this.#names) {
        const column = this.#columns.get(name);
        if (!column || column.rowCount < length) missing.push(name);
        else {
          const last = (number + 1) * column.rowCount;
          lane[name] = column.values.subarray(last - length, last);
        }
      }
      if (missing.length > 0) {
        const memory = this.#memory(numbers, start);
        const out = missing.map((_, i) =>
          memory.subarray(used + i * length, used + (i + 1) * length),
        );
        used += missing.length * length;
        this.#source.copy(number, missing, { start, end }, out);
        missing.forEach((name, i) => {
          lane[name] = out[i];
        });
      }
      lanes.push(lane);
    }
    return lanes;
  }

  #memory(numbers: Int32Array, start: number): Float64Array {
    let size = 0;
    for (const number of numbers) size += this.#source.ends[number] - start;
    size *= this.#names.length;
    if (this.#workspace.length < size) this.#workspace = new Float64Array(2 * size);
    return this.#workspace;
  }

  /** Takes fewer rows at a time after a slow run, and more after a quick one. */
  #learn(rows: number, ms: number): void {
    const budgetMs = limits.tickBudgetMs / 2;
    if (ms > budgetMs) this.#runRows = Math.max(RUN_ROWS_MIN, Math.floor(rows / 2));
    else if (ms < budgetMs / 4 && rows === this.#runRows) {
      this.#runRows = Math.min(RUN_ROWS_MAX, rows * 2);
    }
  }
}

/** Symbols to a row of a tile. */
export function widthOf(count: number): number {
  return count > LANES / 2 ? LANES : LANES / 2;
}

function laneFrom(lane: Record<string, Float64Array>, row: number): Lane {
  const columns = Object.entries(lane).map(([name, column]) => [name, column.subarray(row)]);
  return Object.fromEntries(columns) as Lane;
}
