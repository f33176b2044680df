/** Columns of the symbols of a run: where they are if the memory holds them, else copied there. */

import type { Memory } from './engine.ts';
import { SYMBOL_BYTES } from './fused/series.ts';
import {
  COLUMN_BYTES,
  LANES,
  type Lane,
  type Layout,
  laneColumn,
  STAGED_ROWS,
  STAGED_STRIDE,
} from './layout.ts';
import { PIECE_ROWS } from './plain/piece.ts';
import { PlainRun } from './plain-run.ts';

/** The part of a program that runs. */
export interface Part {
  /** Number of its first instructions and inputs. */
  instructions: number;
  inputs: number;
  /** True if outputs are written. */
  isWritten: boolean;
}

/** Place of a column that is not in the memory. */
const ELSEWHERE = -1;

/** Columns of one program in one memory. */
export class Staging {
  readonly memory: Memory;
  readonly #layout: Layout;
  #lanes: readonly Lane[] = [];
  /** Symbols that run: the last one may run more than once. */
  #laneCount = 0;
  /** By symbol, address of its first input and output, and its rows. */
  readonly #inputs = new Int32Array(LANES);
  readonly #outputs = new Int32Array(LANES);
  readonly #ends = new Float64Array(LANES);
  /** First row of the block, counted from that of the run. */
  #start = 0;
  /** Row at which the staged outputs begin. */
  #outputStart = 0;
  #list = new Int32Array(0);
  #views: readonly Float64Array[] = [];
  readonly #plain: PlainRun;

  constructor(memory: Memory, layout: Layout) {
    this.memory = memory;
    this.#layout = layout;
    this.#plain = new PlainRun(layout, memory.numbers, layout.tiles / 8, PIECE_ROWS);
  }

  /** Makes room, and puts the numbers of fused code into the memory. */
  load(): void {
    const { memory } = this;
    const { pool, end } = this.#layout;
    if (memory.loaded === pool) return;
    memory.reserve(end);
    memory.numbers.set(pool);
    memory.loaded = pool;
    this.#plain.values = memory.numbers;
    this.#plain.fillConstants(PIECE_ROWS);
  }

  /**
   * Begins a run.
   *
   * @param laneCount Symbols that run.
   * @param out       By symbol and output, columns that receive the values, as far as the memory
   *   holds them.
   */
  begin(
    lanes: readonly Lane[],
    laneCount: number,
    out: readonly (readonly Float64Array[])[] | undefined,
  ): void {
    this.#lanes = lanes;
    this.#laneCount = laneCount;
    const { inputs } = this.#layout;
    for (let i = 0; i < laneCount; i++) {
      const lane = Math.min(i, lanes.length - 1);
      const columns = inputs.map((name) => laneColumn(lanes[lane], name));
      this.#inputs[i] = this.#placeOf(columns);
      this.#outputs[i] = out ? this.#placeOf(out[lane]) : ELSEWHERE;
      this.#ends[i] = columns[0]?.length ?? Number.POSITIVE_INFINITY;
    }
  }

  /** Returns the address of the first of columns that lie in the memory as staged ones do. */
  #placeOf(columns: readonly Float64Array[]): number {
    const { buffer } = this.memory.numbers;
    const [first] = columns;
    if (first?.buffer !== buffer) return ELSEWHERE;
    const at = first.byteOffset;
    const isTable = columns.every(
      (column, i) => column.buffer === buffer && column.byteOffset === at + i * COLUMN_BYTES,
    );
    return isTable ? at : ELSEWHERE;
  }

  /** Returns true if the symbol's columns are read, or written, where they are. */
  #isInPlace(places: Int32Array, lane: number): boolean {
    return places[lane] !== ELSEWHERE && this.#ends[lane] > this.#start;
  }

  /** Returns the rows that can run together from a row on: no column in the memory ends there. */
  rowsFrom(start: number): number {
    let rows = STAGED_ROWS;
    for (let lane = 0; lane < this.#laneCount; lane++) {
      const left = this.#ends[lane] - start;
      const isPlaced = this.#inputs[lane] !== ELSEWHERE || this.#outputs[lane] !== ELSEWHERE;
      if (isPlaced && left > 0) rows = Math.min(rows, left);
    }
    return rows;
  }

  /**
   * Begins a block of rows.
   *
   * @param inputs Inputs that are read, the first ones of the program.
   */
  stage(start: number, rows: number, inputs: number): void {
    this.#start = start;
    this.#outputStart = start;
    const { numbers } = this.memory;
    const last = this.#lanes.length - 1;
    for (let place = 0; place < inputs; place++) {
      const name = this.#layout.inputs[place];
      const from = this.#layout.columnAt(place) / 8;
      for (let lane = 0; lane < this.#laneCount; lane++) {
        if (this.#isInPlace(this.#inputs, lane)) continue;
        const to = from + lane * STAGED_STRIDE;
        const column = laneColumn(this.#lanes[Math.min(lane, last)], name);
        const end = Math.min(start + rows, column.length);
        if (start === 0 && end === column.length) numbers.set(column, to);
        else if (start < end) numbers.set(column.subarray(start, end), to);
        // A series that has ended goes on without a change.
        if (end < start + rows) {
          numbers.fill(column[column.length - 1], to + Math.max(0, end - start), to + rows);
        }
      }
    }
  }

  /** Staged outputs begin with a row of the block from now on. */
  beginOutputs(from: number): void {
    this.#outputStart = this.#start + from;
  }

  /** Writes the list of symbols for fused code that runs from a row of the block on. */
  listFrom(from: number): number {
    const { list, staging } = this.#layout;
    const { buffer } = this.memory.numbers;
    if (this.#list.buffer !== buffer) this.#list = new Int32Array(buffer, list, LANES * 2);
    const view = this.#list;
    for (let lane = 0; lane < this.#laneCount; lane++) {
      const staged = staging + 8 * (lane * STAGED_STRIDE + from);
      const isInPlace = this.#isInPlace(this.#inputs, lane);
      const row = this.#start + from;
      view[(lane * SYMBOL_BYTES) / 4] = isInPlace ? this.#inputs[lane] + 8 * row : staged;
      view[(lane * SYMBOL_BYTES) / 4 + 1] = this.outputAt(lane, from);
    }
    return list;
  }

  /** Returns the address of a symbol's first output at a row of the block. */
  outputAt(lane: number, from: number): number {
    const row = this.#start + from;
    if (this.#isInPlace(this.#outputs, lane)) return this.#outputs[lane] + 8 * row;
    const first = this.#layout.columnAt(this.#layout.inputs.length);
    return first + 8 * (lane * STAGED_STRIDE + row - this.#outputStart);
  }

  /** Returns the place of a row of a symbol's input. */
  #inputAt(lane: number, place: number, row: number): number {
    if (!this.#isInPlace(this.#inputs, lane)) {
      return this.#layout.columnAt(place) / 8 + lane * STAGED_STRIDE + row;
    }
    return (this.#inputs[lane] + place * COLUMN_BYTES) / 8 + this.#start + row;
  }

  /**
   * Runs rows [from, to) of the block by the operations in TypeScript.
   *
   * @param row     Row of the series at which the block begins.
   * @param fromRow Row of the series before which no output is written.
   */
  interpret(part: Part, row: number, from: number, to: number, fromRow: number): void {
    this.load();
    const plain = this.#plain;
    const layout = this.#layout;
    const { numbers } = this.memory;
    plain.values = numbers;
    const { instructions, inputs, state } = layout;
    const isWhole = part.instructions === instructions.length && part.inputs === inputs.length;
    const isWritten = part.isWritten && isWhole;
    for (let lane = 0; lane < this.#laneCount; lane++) {
      const at = state / 8 + lane;
      for (let done = from, count: number; done < to; done += count) {
        const unwritten = isWritten ? fromRow - row - done : 0;
        count = Math.min(PIECE_ROWS, to - done, unwritten > 0 ? unwritten : PIECE_ROWS);
        for (let place = 0; place < part.inputs; place++) {
          plain.placeInput(place, this.#inputAt(lane, place, done));
        }
        const isUnwritten = !isWritten || unwritten > 0;
        const rows = { row: row + done, count, states: numbers, at, stride: LANES, isUnwritten };
        plain.run(part.instructions, rows);
        if (isUnwritten) continue;
        for (let place = 0; place < layout.outputTiles.length; place++) {
          const target = (this.outputAt(lane, done) + place * COLUMN_BYTES) / 8;
          plain.giveOutput(place, row + done, 0, count, numbers, target);
        }
      }
    }
  }

  /** Returns true if the symbol's values are where they shall be. */
  isWritten(lane: number): boolean {
    return this.#isInPlace(this.#outputs, lane);
  }

  /** Views of the staged outputs, made again if the memory has grown. */
  columns(): readonly Float64Array[] {
    const { numbers } = this.memory;
    if (this.#views[0]?.buffer === numbers.buffer) return this.#views;
    const first = this.#layout.columnAt(this.#layout.inputs.length) / 8;
    this.#views = Array.from({ length: this.#layout.outputTiles.length * LANES }, (_, i) => {
      const from = first + i * STAGED_STRIDE;
      return numbers.subarray(from, from + STAGED_ROWS);
    });
    return this.#views;
  }

  /** Copies staged outputs of the block to columns that are not in the memory. */
  collect(out: readonly (readonly Float64Array[])[], done: number, rows: number, skipped: number) {
    const { numbers } = this.memory;
    const first = this.#layout.columnAt(this.#layout.inputs.length) / 8;
    for (const [lane, columns] of out.entries()) {
      if (this.isWritten(lane)) continue;
      for (let place = 0; place < columns.length; place++) {
        const from = first + (place * LANES + lane) * STAGED_STRIDE;
        const column = columns[place];
        const end = Math.min(rows, column.length - done);
        if (end > skipped) column.set(numbers.subarray(from + skipped, from + end), done + skipped);
      }
    }
  }
}
