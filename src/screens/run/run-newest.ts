/** Runs a program over groups of eight symbols and keeps the newest value of each. */

import { limits } from '../../base/limits.ts';
import { monotonicMs } from '../../base/world/clock.ts';
import { LANES, type Lane } from '../../compute/columns/layout.ts';
import type { Program, Stage } from '../../compute/columns/program.ts';
import type { StoredColumn } from '../../store/arrow/snapshot/snapshot.ts';
import type { BarsSource } from './bars-source.ts';
import { type NewestRows, placeOfRow } from './newest-rows.ts';
import type { SavedStates } from './screen-memory.ts';

/** Rows that run at a time; a row of eight symbols takes from 0.1 to 130 µs. */
const RUN_ROWS_MIN = 16;
const RUN_ROWS_MAX = 4096;

/** Columns of which the newest rows are in memory. */
export type NewestColumns = Map<StoredColumn, NewestRows>;

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
    const first = this.#firstEnd(numbers);
    const stages = this.#stagesFor(first);
    yield* this.#run(numbers, stages[0]?.row ?? first, stages);
  }

  /**
   * Runs to the state before the newest bar of each symbol, and saves it.
   *
   * @param numbers  At most eight symbols with several bars, all saved before the same row.
   * @param isWindow True if a symbol without a state may begin where windows do.
   */
  *runStates(numbers: Int32Array, saved: SavedStates, isWindow: boolean): Generator<undefined> {
    const start = saved.rows[numbers[0]];
    if (start === 0 && isWindow) {
      const first = this.#firstEnd(numbers);
      const stages = this.#stagesFor(first);
      const state = this.#program.stateOfStages();
      yield* this.#run(numbers, stages[0]?.row ?? first, stages, { state, saved });
      return;
    }
    const state = new Float64Array(this.#program.stateRows * LANES);
    for (let lane = 0; start > 0 && lane < numbers.length; lane++) {
      moveState(saved, numbers[lane], state, lane, 'take');
    }
    yield* this.#run(numbers, start, [], { state, saved });
  }

  #firstEnd(numbers: Int32Array): number {
    return numbers.reduce(
      (first, number) => Math.min(first, this.#source.ends[number] - 1),
      Number.POSITIVE_INFINITY,
    );
  }

  #stagesFor(row: number): readonly Stage[] {
    if (row !== this.#stagesRow) {
      this.#stages = this.#program.stagesFor(row);
      this.#stagesRow = row;
    }
    return this.#stages;
  }

  /** @param saving State to begin with; those before the newest bars are saved, which do not run. */
  *#run(
    numbers: Int32Array,
    start: number,
    stages: readonly Stage[],
    saving?: { state: Float64Array; saved: SavedStates },
  ): Generator<undefined> {
    const { ends } = this.#source;
    const laneEnds = numbers.map((number) => ends[number]);
    const most = laneEnds.reduce((most, one) => Math.max(most, one));
    const end = saving ? most - 1 : most;
    const lanes = this.#lanes(numbers, start);
    let state = saving?.state;
    if (end - start > this.#runRows) state ??= this.#program.stateOfStages();
    for (let row = start; ; ) {
      let stop = end;
      if (saving) {
        for (let lane = 0; lane < numbers.length; lane++) {
          const newest = laneEnds[lane] - 1;
          if (newest > row) stop = Math.min(stop, newest);
          if (newest !== row) continue;
          moveState(saving.saved, numbers[lane], saving.state, lane, 'save');
          saving.saved.rows[numbers[lane]] = row;
        }
      }
      if (row >= end) return;
      if (row > start) yield;
      const rows = Math.min(this.#runRows, stop - row);
      const inputs = row === start ? lanes : lanes.map((lane) => laneFrom(lane, row - start));
      const startMs = monotonicMs();
      const options = { row, state, stages };
      this.#program.runNewest(inputs, rows, laneEnds, this.#out, numbers, options);
      this.#learn(rows, monotonicMs() - startMs);
      row += rows;
    }
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
        const place = column ? placeOfRow(column, number, start) : -1;
        if (place < 0) missing.push(name);
        else lane[name] = column!.values.subarray(place, place + length);
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

/** Moves a state between those by symbol and those by row of state and lane. */
function moveState(
  { states, stateRows }: SavedStates,
  number: number,
  lanes: Float64Array,
  lane: number,
  direction: 'take' | 'save',
): void {
  const from = number * stateRows;
  for (let row = 0, at = lane; row < stateRows; row++, at += LANES) {
    if (direction === 'take') lanes[at] = states[from + row];
    else states[from + row] = lanes[at];
  }
}

function laneFrom(lane: Record<string, Float64Array>, row: number): Lane {
  const columns = Object.entries(lane).map(([name, column]) => [name, column.subarray(row)]);
  return Object.fromEntries(columns) as Lane;
}
