/** States and bars of many symbols, in memory in which their next bars are computed. */

import { type Compiled, compile, Memory } from './engine.ts';
import { fuseNext, PAIR_BYTES } from './fuse-next.ts';
import { settledRow } from './fused-operations.ts';
import type { Lane, Layout } from './layout.ts';
import { MEAN_DISTANCE } from './opcodes.ts';

/** Code for one row of a program, made once. */
export class NextCode {
  /** Row from which on the code can run; undefined if an operation has no code. */
  readonly settled: number | undefined;
  /** Bytes of the numbers and of the room that the code needs at the start of the memory. */
  readonly headBytes: number;
  readonly layout: Layout;
  readonly #numbers: number[] = [];
  readonly #modules: (Compiled | undefined)[] = [];

  constructor(layout: Layout) {
    this.layout = layout;
    const rows = layout.instructions.map((one) =>
      // Its sum reads what it has stored, which can't be undone.
      one.code === MEAN_DISTANCE ? undefined : settledRow(one),
    );
    this.settled = rows.includes(undefined) ? undefined : Math.max(0, ...(rows as number[]));
    this.headBytes = (layout.poolMax + layout.stateRows) * 16;
  }

  /** Returns true at rows at which a window begins a block of its sums. */
  opens(row: number): boolean {
    return this.layout.instructions.some(
      ({ isBlocked, start, period }) => isBlocked && (row - start) % period === 0,
    );
  }

  /** @param isKept False for code that leaves the states as they are. */
  module(isKept: boolean): Compiled {
    const { instructions, inputTiles, outputTiles, constants, stateRows, poolMax } = this.layout;
    this.#modules[Number(isKept)] ??= compile(
      fuseNext({
        instructions,
        inputs: inputTiles,
        outputs: outputTiles,
        constants: new Map(constants.map(({ tile, value }) => [tile, value])),
        stateRows,
        pool: 0,
        numbers: this.#numbers,
        scratch: poolMax * 16,
        isKept,
      }),
    );
    return this.#modules[Number(isKept)]!;
  }

  /** Writes the numbers of all code that has been made. */
  writeNumbers(memory: Float64Array): void {
    for (const [i, value] of this.#numbers.entries()) memory.fill(value, 2 * i, 2 * i + 2);
  }
}

/** The parameters of `Program.advance`. */
type Advance = (
  row: number,
  places: readonly number[],
  bars: Lane,
  states: Float64Array,
  ats: ArrayLike<number>,
  isKept: ArrayLike<number>,
  out: readonly Float64Array[],
) => void;

export class NextStates {
  /** Numbers of states: a symbol's stand together. */
  states = new Float64Array(0);
  /** Columns of the bars, and values of the program's outputs, by place. */
  inputs: readonly Float64Array[] = [];
  outputs: readonly Float64Array[] = [];
  readonly #code: NextCode;
  /** For rows and symbols that the code can't compute. */
  readonly #advance: Advance;
  readonly #memory = new Memory();
  readonly #runs: (((...values: number[]) => number) | undefined)[] = [];
  #bars: Lane = {};
  #list = new Int32Array(0);
  #columnBytes = 0;

  constructor(code: NextCode, advance: Advance) {
    this.#code = code;
    this.#advance = advance;
  }

  /**
   * Makes room; states and columns from before are lost. Memory that is larger stays.
   *
   * @param stateCount Numbers of all states.
   * @param capacity   Bars at most.
   */
  reserve(stateCount: number, capacity: number): void {
    const { headBytes, layout } = this.#code;
    const { inputs, outputTiles } = layout;
    const listBytes = Math.ceil(capacity / 2) * PAIR_BYTES;
    // Columns do not begin at the same few places of the first cache.
    this.#columnBytes = capacity * 8 + 64;
    const columnCount = inputs.length + outputTiles.length;
    this.#memory.reserve(headBytes + listBytes + columnCount * this.#columnBytes + stateCount * 8);
    const { buffer } = this.#memory.numbers;
    let at = headBytes;
    this.#list = new Int32Array(buffer, at, listBytes / 4);
    at += listBytes;
    const column = () => {
      at += this.#columnBytes;
      return new Float64Array(buffer, at - this.#columnBytes, capacity);
    };
    this.inputs = inputs.map(column);
    this.outputs = outputTiles.map(column);
    this.states = new Float64Array(buffer, at, stateCount);
    this.#bars = Object.fromEntries(inputs.map((name, i) => [name, this.inputs[i]]));
  }

  /**
   * Takes bars at the same row of their series into the states.
   *
   * @param places Entries of the columns that take part, each with a state of its own.
   * @param ats    By place, where its state begins.
   * @param isKept False to leave the states as they are.
   */
  advance(row: number, places: readonly number[], ats: ArrayLike<number>, isKept: boolean): void {
    const left = this.#runCode(row, places, ats, isKept);
    if (left.length === 0) return;
    const { states, outputs } = this;
    const kept = new Uint8Array(ats.length).fill(isKept ? 1 : 0);
    this.#advance(row, left, this.#bars, states, ats, kept, outputs);
  }

  /** Returns the places that the code can't compute. */
  #runCode(
    row: number,
    places: readonly number[],
    ats: ArrayLike<number>,
    isKept: boolean,
  ): readonly number[] {
    const { settled } = this.#code;
    const canRun = settled !== undefined && row >= settled && (isKept || !this.#code.opens(row));
    if (!canRun || places.length === 0) return places;
    const run = this.#run(isKept);
    const list = this.#list;
    const statesAt = this.states.byteOffset;
    const last = places.length - 1;
    let end = 0;
    for (let i = 0; i <= last; i += 2, end += 4) {
      const [a, b] = [places[i], places[Math.min(i + 1, last)]];
      list[end] = statesAt + 8 * ats[a];
      list[end + 1] = statesAt + 8 * ats[b];
      list[end + 2] = 8 * a;
      list[end + 3] = 8 * b;
    }
    const at = list.byteOffset;
    const columns = [this.inputs, this.outputs].map(([first]) => first?.byteOffset ?? 0);
    const failed = run(row, at, at + 4 * end, ...columns, this.#columnBytes);
    const left = new Set<number>();
    for (let i = 0; i < failed / 4; i += 4) left.add(list[i + 2] / 8).add(list[i + 3] / 8);
    return [...left];
  }

  #run(isKept: boolean): (...values: number[]) => number {
    let run = this.#runs[Number(isKept)];
    if (!run) {
      run = this.#memory.instantiate(this.#code.module(isKept));
      this.#code.writeNumbers(this.#memory.numbers);
      this.#runs[Number(isKept)] = run;
    }
    return run;
  }
}
