/** States and bars of many symbols, in memory in which their next bars are computed. */

import { compile, type FusedRun, Memory } from './engine.ts';
import { fuseNext, PAIR_BYTES } from './fused/next.ts';
import { settledFrom } from './fused/operations.ts';
import type { Lane, Layout } from './layout.ts';
import { MEAN_DISTANCE } from './operations/opcodes.ts';

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

const NONE: readonly number[] = [];

export class NextStates {
  /** Numbers of states: a symbol's stand together. */
  states = new Float64Array(0);
  /** Columns of the bars, and values of the program's outputs, by place. */
  inputs: readonly Float64Array[] = [];
  outputs: readonly Float64Array[] = [];
  readonly #layout: Layout;
  /** For rows and symbols that the code can't compute. */
  readonly #advance: Advance;
  /** Row from which on code can run; undefined if an operation has no code. */
  readonly #settled: number | undefined;
  readonly #memory = new Memory();
  /** Numbers that the code reads, at the start of the memory. */
  readonly #numbers: number[] = [];
  /** By `isKept`; undefined if the runtime refuses the code. */
  readonly #runs = new Map<boolean, FusedRun | undefined>();
  #bars: Lane = {};
  #list = new Int32Array(0);
  #columnBytes = 0;

  constructor(layout: Layout, advance: Advance) {
    this.#layout = layout;
    this.#advance = advance;
    // The sum of a mean distance reads what it has stored, which can't be undone.
    const hasCode = layout.instructions.every(({ code }) => code !== MEAN_DISTANCE);
    this.#settled = hasCode ? settledFrom(layout.instructions) : undefined;
  }

  /**
   * Makes room; states and columns from before are lost. Memory that is larger stays.
   *
   * @param stateCount Numbers of all states.
   * @param capacity   Bars at most.
   */
  reserve(stateCount: number, capacity: number): void {
    const { inputs, outputTiles, poolMax, stateRows } = this.#layout;
    const headBytes = (poolMax + stateRows) * 16;
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
    const isSettled = this.#settled !== undefined && row >= this.#settled;
    // Code that leaves the states as they are can't open a block.
    const canRun = isSettled && places.length > 0 && (isKept || !this.#opens(row));
    const run = canRun ? this.#run(isKept) : undefined;
    if (!run) return places;
    const list = this.#list;
    const statesAt = this.states.byteOffset;
    const last = places.length - 1;
    let end = 0;
    for (let i = 0; i <= last; i += 2, end += 4) {
      const a = places[i];
      const b = i < last ? places[i + 1] : a;
      list[end] = statesAt + 8 * ats[a];
      list[end + 1] = statesAt + 8 * ats[b];
      list[end + 2] = 8 * a;
      list[end + 3] = 8 * b;
    }
    const at = list.byteOffset;
    const columns = [this.inputs, this.outputs].map(([first]) => first?.byteOffset ?? 0);
    const failed = run(row, at, at + 4 * end, ...columns, this.#columnBytes);
    if (failed === 0) return NONE;
    const left = new Set<number>();
    for (let i = 0; i < failed / 4; i += 4) left.add(list[i + 2] / 8).add(list[i + 3] / 8);
    return [...left];
  }

  /** Returns true at rows at which a window begins a block of its sums. */
  #opens(row: number): boolean {
    return this.#layout.instructions.some(
      ({ blocksOf, start, period }) => blocksOf && (row - start) % period === 0,
    );
  }

  #run(isKept: boolean): FusedRun | undefined {
    if (!this.#runs.has(isKept)) this.#runs.set(isKept, this.#make(isKept));
    return this.#runs.get(isKept);
  }

  #make(isKept: boolean): FusedRun | undefined {
    const { instructions, inputTiles, outputTiles, constants, stateRows, poolMax } = this.#layout;
    const code = fuseNext({
      instructions,
      inputs: inputTiles,
      outputs: outputTiles,
      constants: new Map(constants.map(({ tile, value }) => [tile, value])),
      stateRows,
      pool: 0,
      numbers: this.#numbers,
      scratch: poolMax * 16,
      isKept,
    });
    const { numbers } = this.#memory;
    for (const [i, value] of this.#numbers.entries()) numbers.fill(value, 2 * i, 2 * i + 2);
    const module = compile(code);
    return module && this.#memory.fusedRun(module);
  }
}
