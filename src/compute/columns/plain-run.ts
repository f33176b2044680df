/** Runs operations in TypeScript, one after the other, over rows of one symbol at a time. */

import type { Layout } from './layout.ts';
import { runPlain } from './plain/operations.ts';
import type { Piece } from './plain/piece.ts';

/** Rows of a symbol, and its state. */
export interface PlainRows {
  /** Row of the series at which the rows begin. */
  row: number;
  count: number;
  /** Place of the symbol's first number of state; the next one is `stride` behind. */
  states: Float64Array;
  at: number;
  stride: number;
  /** True if no value of the rows is asked for: only state is computed. */
  isUnwritten?: boolean;
}

export class PlainRun {
  /** Memory of the columns of tiles. */
  values: Float64Array;
  /** Places of columns, by tile. Those of inputs may be elsewhere in the memory. */
  readonly #places: Int32Array;
  readonly #layout: Layout;
  readonly #pieces: readonly Piece[];

  /**
   * @param values Memory of columns, those of tiles from `first` on.
   * @param rows   Rows that fit each of them.
   */
  constructor(layout: Layout, values: Float64Array, first: number, rows: number) {
    this.values = values;
    this.#layout = layout;
    this.#places = Int32Array.from({ length: layout.tileCount }, (_, tile) => first + tile * rows);
    this.#pieces = layout.instructions.map((one) => ({
      ...{ one, row: 0, count: 0, values, a: 0, b: 0, c: 0, to: 0, second: 0 },
      ...{ states: values, at: 0, stride: 1 },
    }));
  }

  /** Fills the columns of numbers. */
  fillConstants(rows: number): void {
    for (const { tile, value } of this.#layout.constants) {
      const at = this.#places[tile];
      this.values.fill(value, at, at + rows);
    }
  }

  /** Places an input where it is in the memory. */
  placeInput(input: number, at: number): void {
    this.#places[this.#layout.inputTiles[input]] = at;
  }

  /** Puts a row of an input into its column. */
  setInput(input: number, value: number): void {
    this.values[this.#places[this.#layout.inputTiles[input]]] = value;
  }

  /** Runs the first operations. */
  run(operations: number, { row, count, states, at, stride, isUnwritten }: PlainRows): void {
    const places = this.#places;
    const { feedsState } = this.#layout;
    for (let i = 0; i < operations; i++) {
      if (isUnwritten && !feedsState[i]) continue;
      const piece = this.#pieces[i];
      const { inputs, outputs, state } = piece.one;
      piece.row = row;
      piece.count = count;
      piece.values = this.values;
      piece.a = places[inputs[0]];
      piece.b = inputs.length > 1 ? places[inputs[1]] : 0;
      piece.c = inputs.length > 2 ? places[inputs[2]] : 0;
      piece.to = places[outputs[0]];
      piece.second = places[outputs[1]];
      piece.states = states;
      piece.at = at + state * stride;
      piece.stride = stride;
      runPlain(piece);
    }
  }

  /**
   * Copies rows [from, end) of an output, with one pattern for all values that are not numbers.
   *
   * @param row Row of the series at `from`.
   */
  giveOutput(
    output: number,
    row: number,
    from: number,
    end: number,
    out: Float64Array,
    at: number,
  ): void {
    const { values } = this;
    const { tile, first } = this.#layout.outputTiles[output];
    const source = this.#places[tile];
    const blank = Math.min(end, from + Math.max(0, first - row));
    let to = at;
    for (let k = from; k < blank; k++) out[to++] = Number.NaN;
    for (let k = source + blank; k < source + end; k++) {
      const value = values[k];
      out[to++] = Number.isNaN(value) ? Number.NaN : value;
    }
  }
}
