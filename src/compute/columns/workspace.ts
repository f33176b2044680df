/** Memory of its own for a program, whose columns are computed where they are. */

import type { InputName } from './column.ts';
import { type FusedRun, Memory } from './engine.ts';
import { COLUMN_BYTES, COLUMN_ROWS, type Layout } from './layout.ts';
import { Staging } from './staging.ts';

/** Columns of one symbol. */
export interface SymbolColumns {
  /** Inputs of the program, by name. */
  inputs: Readonly<Record<InputName, Float64Array>>;
  /** By output of the program; empty if they are elsewhere. */
  outputs: readonly Float64Array[];
  others: readonly Float64Array[];
}

/** Rows that begin with a line of the cache. */
const LINE_ROWS = 8;

export class Workspace {
  readonly #memory: Memory;
  readonly #layout: Layout;
  readonly #staging: Staging;

  /** @param before One whose memory it takes over. */
  constructor(layout: Layout, before?: Workspace) {
    this.#layout = layout;
    this.#memory = before ? before.#memory : new Memory();
    this.#staging = new Staging(this.#memory, layout);
  }

  /** Returns undefined for another program. */
  stagingOf(layout: Layout): Staging | undefined {
    return layout === this.#layout ? this.#staging : undefined;
  }

  /** Returns the function of code over the memory. */
  fusedRun(code: object): FusedRun {
    return this.#memory.fusedRun(code);
  }

  /**
   * Makes room for symbols. Columns from before are lost. Those of a symbol with more rows than fit
   * one are elsewhere; they are computed too.
   *
   * @param rows   By symbol, its rows.
   * @param others Further columns of each symbol.
   * @returns by symbol, columns that are not cleared.
   */
  symbols(
    rows: readonly number[],
    { hasOutputs = true, others = 0 }: { hasOutputs?: boolean; others?: number } = {},
  ): SymbolColumns[] {
    const { inputs, outputTiles, end } = this.#layout;
    const outputs = hasOutputs ? outputTiles.length : 0;
    const tableBytes = (inputs.length + outputs + others) * COLUMN_BYTES;
    let table = 0;
    let used = 0;
    const places = rows.map((count) => {
      if (count > COLUMN_ROWS) return undefined;
      if (used + count > COLUMN_ROWS) {
        table++;
        used = 0;
      }
      const at = end + table * tableBytes + 8 * used;
      used += Math.ceil(count / LINE_ROWS) * LINE_ROWS;
      return at;
    });
    this.#memory.reserve(end + (table + 1) * tableBytes);
    const { buffer } = this.#memory.numbers;
    return places.map((at, i) => {
      const column = (place: number) =>
        at === undefined
          ? new Float64Array(rows[i])
          : new Float64Array(buffer, at + place * COLUMN_BYTES, rows[i]);
      const columns = (count: number, first: number) =>
        Array.from({ length: count }, (_, place) => column(first + place));
      const read = columns(inputs.length, 0);
      const named = Object.fromEntries(inputs.map((name, place) => [name, read[place]]));
      return {
        inputs: named as SymbolColumns['inputs'],
        outputs: columns(outputs, inputs.length),
        others: columns(others, inputs.length + outputs),
      };
    });
  }
}
