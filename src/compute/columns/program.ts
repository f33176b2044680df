/**
 * Compiles expressions into a program and runs it over bars. Equal parts of the expressions are
 * computed once. Up to eight symbols go side by side.
 */

import { assert } from '../../base/errors.ts';
import type { Column, InputName } from './column.ts';
import { sharedMemory } from './engine.ts';
import { FUSED_FROM, FusedParts } from './fused-parts.ts';
import { LANES, type Lane, Layout, laneColumn, STAGED_STRIDE } from './layout.ts';
import { NextStates } from './next-states.ts';
import { PlainRun } from './plain-run.ts';
import { Staging } from './staging.ts';
import { Workspace } from './workspace.ts';

/** Rows of a piece: its outputs stay in the second cache. */
const PIECE_ROWS = 512;

interface RunOptions {
  row?: number;
  /** `stateRows` rows of as many numbers as lanes; updated. Without it a series begins. */
  state?: Float64Array;
  /** Rows before it are not written. */
  fromRow?: number;
  stages?: readonly Stage[];
  /** The workspace of columns that lie in one. */
  workspace?: Workspace | undefined;
}

/** Instructions and inputs that run from a row on: more of them in each stage, all in the last. */
export interface Stage {
  row: number;
  instructions: number;
  inputs: number;
}

/** Rows that a stage has at least: fewer are not worth another call. */
const STAGE_ROWS_MIN = 24;

/** Instructions for some columns. Its state lies in the shared memory only while it runs. */
export class Program {
  /** Columns of the bars that it reads. */
  readonly inputs: readonly InputName[];
  readonly outputCount: number;
  /** Numbers of state of one symbol, all 0 before the first bar. */
  readonly stateRows: number;
  readonly #layout: Layout;
  readonly #fused: FusedParts;
  readonly #staging: Staging;
  /** Operations over one row. */
  readonly #next: PlainRun;
  /** State of a symbol whose own stays as it is. */
  readonly #scratch: Float64Array;

  /** @param fusedFrom Bars that run by operations in TypeScript before code is made. */
  constructor(columns: readonly Column[], fusedFrom: number = FUSED_FROM) {
    const layout = new Layout(columns);
    this.inputs = layout.inputs;
    this.outputCount = columns.length;
    this.stateRows = layout.stateRows;
    this.#layout = layout;
    this.#fused = new FusedParts(layout, fusedFrom);
    this.#staging = new Staging(sharedMemory, layout);
    this.#scratch = new Float64Array(layout.stateRows);
    this.#next = new PlainRun(layout, new Float64Array(layout.tileCount), 0, 1);
    this.#next.fillConstants(1);
  }

  /**
   * Returns what has to run for the values of a row and later ones. An operation that reads fewer
   * bars than another begins later.
   */
  stagesFor(row: number): readonly Stage[] {
    const { instructions, inputs } = this.#layout.begins(row);
    const rows = [...new Set([...instructions, ...inputs])].sort((a, b) => a - b);
    const stages: Stage[] = [];
    for (const begin of rows) {
      const last = stages.at(-1);
      const isNew = !last || begin - last.row >= STAGE_ROWS_MIN;
      const stage = isNew ? { row: begin, instructions: 0, inputs: 0 } : last;
      if (isNew) stages.push(stage);
      stage.instructions = upTo(instructions, begin);
      stage.inputs = upTo(inputs, begin);
    }
    return stages;
  }

  /**
   * Runs over the bars of up to eight symbols, all from the same row of their series on. Each
   * may end earlier than the longest.
   *
   * @param lanes  By symbol; columns of equal length.
   * @param row    Row of the first bar in its series.
   * @param length Bars of the longest symbol.
   * @param out    By symbol and output, columns as long as the symbol's or longer.
   * @param state  `stateRows` rows of as many numbers as lanes (four or eight); updated. Without
   *   it the run begins with the first bar of the series.
   * @param fromRow Rows before it are not written.
   */
  run(
    lanes: readonly Lane[],
    length: number,
    out: readonly (readonly Float64Array[])[],
    options: RunOptions = {},
  ): void {
    const { row = 0, fromRow = 0 } = options;
    this.#run(lanes, length, { ...options, out }, (staging, done, rows) => {
      const at = row + done;
      if (at + rows > fromRow) staging.collect(out, done, rows, Math.max(0, fromRow - at));
    });
  }

  /**
   * Runs as `run` does, and gives the values in the memory where they are computed, a piece of at
   * few rows at a time, while they are in the cache.
   *
   * @param use Called with the number of rows before the piece and in it. Column number
   *   `output × LANES + symbol` begins with the piece; its values stay until the next run.
   */
  runInPieces(
    lanes: readonly Lane[],
    length: number,
    use: (columns: readonly Float64Array[], done: number, rows: number) => void,
    options: RunOptions = {},
  ): void {
    this.#run(lanes, length, { ...options, pieceRows: PIECE_ROWS }, (staging, done, rows) =>
      use(staging.columns(), done, rows),
    );
  }

  /**
   * Runs as `run` does, and gives the newest value of each symbol that ends within these rows.
   *
   * @param ends   By symbol, rows of its series.
   * @param out    By output, receives the values.
   * @param places By symbol, its place in `out`.
   * @param options.stages What runs from which row on; by default everything.
   */
  runNewest(
    lanes: readonly Lane[],
    length: number,
    ends: ArrayLike<number>,
    out: readonly Float64Array[],
    places: ArrayLike<number>,
    options: RunOptions = {},
  ): void {
    const { row = 0 } = options;
    const first = this.#layout.columnAt(this.inputs.length) / 8;
    let fromRow = Number.POSITIVE_INFINITY;
    for (let lane = 0; lane < lanes.length; lane++) {
      if (ends[lane] > row) fromRow = Math.min(fromRow, ends[lane] - 1);
    }
    fromRow = Math.min(fromRow, row + length);
    this.#run(lanes, length, { ...options, fromRow }, ({ memory: { numbers } }, done, rows) => {
      for (let lane = 0; lane < lanes.length; lane++) {
        const last = ends[lane] - 1 - row - done;
        if (last < 0 || last >= rows) continue;
        for (let place = 0; place < this.outputCount; place++) {
          const from = first + (place * LANES + lane) * STAGED_STRIDE;
          out[place][places[lane]] = numbers[from + last];
        }
      }
    });
  }

  /** @param collect Called for rows [done, done + rows), counted from the first, once they ran. */
  #run(
    lanes: readonly Lane[],
    length: number,
    options: RunOptions & {
      out?: readonly (readonly Float64Array[])[];
      /** Rows whose outputs are staged at a time. */
      pieceRows?: number;
    },
    collect: (staging: Staging, done: number, rows: number) => void,
  ): void {
    const { row = 0, state, fromRow = 0, stages = [], workspace, out } = options;
    assert(lanes.length <= LANES, `a program takes ${LANES} symbols at once`);
    const { length: used } = lanes;
    const isFused = this.#fused.isWorth(used * length);
    const staging = workspace?.stagingOf(this.#layout) ?? this.#staging;
    staging.load();
    this.#fused.begin(state === undefined);
    staging.begin(lanes, isFused ? this.#fused.lanesOf(used) : used, out);
    const { numbers } = staging.memory;
    const stateAt = this.#layout.state / 8;
    if (state) this.#takeState(numbers, state, used);
    else this.#blankState(numbers, stateAt, stages.length > 0);
    let stage = 0;
    for (let done = 0; done < length; ) {
      const at = row + done;
      while (stage + 1 < stages.length && stages[stage + 1].row <= at) stage++;
      const isLast = stage + 1 >= stages.length;
      const end = isLast ? length : Math.min(length, stages[stage + 1].row - row);
      const rows = Math.min(staging.rowsFrom(done), end - done);
      const all = { instructions: this.#layout.instructions.length, inputs: this.inputs.length };
      const { instructions, inputs } = isLast ? all : stages[stage];
      const part = { instructions, inputs, isWritten: isLast };
      staging.stage(done, rows, inputs);
      const pieceRows = isFused ? (options.pieceRows ?? rows) : rows;
      for (let from = 0; from < rows; from += pieceRows) {
        const to = Math.min(rows, from + pieceRows);
        staging.beginOutputs(from);
        if (isFused) this.#fused.run(part, staging, used, at, from, to, fromRow);
        else staging.interpret(part, at, from, to, fromRow);
        if (isLast) collect(staging, done + from, to - from);
      }
      done += rows;
    }
    if (state) this.#giveState(numbers, state);
  }

  /** Puts the state of symbols in the memory, whose rows may be wider. */
  #takeState(numbers: Float64Array, state: Float64Array, used: number): void {
    const { stateRows } = this;
    const stateAt = this.#layout.state / 8;
    const from = state.length / stateRows;
    if (from === LANES) numbers.set(state, stateAt);
    else {
      for (let row = 0; row < stateRows; row++) {
        for (let lane = 0; lane < from; lane++) {
          numbers[stateAt + row * LANES + lane] = state[row * from + lane];
        }
      }
    }
    const end = this.#fused.lanesOf(used);
    for (let row = 0; row < stateRows && used < end; row++) {
      const first = stateAt + row * LANES;
      numbers.fill(numbers[first + used - 1], first + used, first + end);
    }
  }

  #giveState(numbers: Float64Array, state: Float64Array): void {
    const { stateRows } = this;
    const stateAt = this.#layout.state / 8;
    const to = state.length / stateRows;
    if (to === LANES) state.set(numbers.subarray(stateAt, stateAt + stateRows * LANES));
    else {
      for (let row = 0; row < stateRows; row++) {
        for (let lane = 0; lane < to; lane++) {
          state[row * to + lane] = numbers[stateAt + row * LANES + lane];
        }
      }
    }
  }

  /**
   * Runs over one bar each of many symbols, whose rows in their series are the same.
   *
   * @param places Entries of the columns below that take part.
   * @param states Numbers that hold each symbol's state, `stateRows` of them from its `ats` on.
   * @param isKept 1 where the state is to go on from this bar, else 0.
   * @param out    By output, receives a value for each entry.
   */
  advance(
    row: number,
    places: readonly number[],
    bars: Lane,
    states: Float64Array,
    ats: ArrayLike<number>,
    isKept: ArrayLike<number>,
    out: readonly Float64Array[],
  ): void {
    const { inputs, stateRows } = this;
    const { instructions, outputTiles } = this.#layout;
    const next = this.#next;
    const columns = inputs.map((name) => laneColumn(bars, name));
    const scratch = this.#scratch;
    for (const place of places) {
      for (let i = 0; i < columns.length; i++) next.setInput(i, columns[i][place]);
      const at = ats[place];
      if (isKept[place]) next.run(instructions.length, { row, count: 1, states, at, stride: 1 });
      else {
        for (let i = 0; i < stateRows; i++) scratch[i] = states[at + i];
        next.run(instructions.length, { row, count: 1, states: scratch, at: 0, stride: 1 });
      }
      for (let i = 0; i < outputTiles.length; i++) next.giveOutput(i, row, 0, 1, out[i], place);
    }
  }

  /** Returns the state from which stages run. */
  stateOfStages(): Float64Array {
    const state = new Float64Array(this.stateRows * LANES);
    this.#blankState(state, 0, true);
    return state;
  }

  #blankState(to: Float64Array, at: number, isOfStages: boolean): void {
    to.fill(0, at, at + this.stateRows * LANES);
    if (!isOfStages) return;
    // Without a mean before it, the first block would read each of its windows as a whole.
    for (const row of this.#layout.lastMeans) {
      to.fill(Number.POSITIVE_INFINITY, at + row * LANES, at + (row + 1) * LANES);
    }
  }

  /**
   * Returns memory of its own, for columns that are computed where they are.
   *
   * @param before One that is no longer used, whose memory it takes over.
   */
  workspace(before?: Workspace): Workspace {
    return new Workspace(this.#layout, before);
  }

  /** Returns room for states and bars of many symbols, in which next bars are computed fast. */
  nextStates(): NextStates {
    return new NextStates(this.#layout, this.advance.bind(this));
  }
}

/** Returns the number of ascending rows that are not above a row. */
function upTo(rows: readonly number[], row: number): number {
  const above = rows.findIndex((one) => one > row);
  return above < 0 ? rows.length : above;
}
