/** Fused code of a program and of its stages, made when enough rows have run. */

import { fusedRun, numbers } from './engine.ts';
import { DONE, GAVE_UP } from './fused/emitter.ts';
import { fuse } from './fused/series.ts';
import { KEEP_INPUTS } from './fused/signs.ts';
import { interpret, type Part } from './interpret.ts';
import { LANES, type Layout, STAGED_STRIDE } from './layout.ts';

/** Bars of all symbols that a program has to compute before its code is made: some milliseconds. */
export const FUSED_FROM = 100_000;

/** Operations of a program for which code is made. Its making takes a tenth of a millisecond each. */
const OPERATIONS_MAX = 64;

/**
 * Pairs of symbols that run together, by the rows of state of an operation, three at most, and three
 * for each input but the first, added up.
 * More pairs fill the waits of recursions; with more state than the processor has registers for,
 * they cost more than they bring.
 */
const PAIRS_BY_STATE = [
  { rowsMax: 2, pairs: 4 },
  { rowsMax: 10, pairs: 2 },
];

/** Rows that are computed again if a symbol needs another way. */
const CHUNK_ROWS = 512;

interface Fused {
  /** Parameters and result as in `fused/series.ts`. */
  run: (row: number, rows: number, from: number, pairs: number) => number;
  settled: number;
}

export class FusedParts {
  readonly #layout: Layout;
  readonly #made = new Map<string, Fused | undefined>();
  readonly #pool: number[] = [];
  readonly #pairsMax: number;
  /** Rows of state that must not hold −0. */
  readonly #plainRows = new Set<number>();
  readonly #from: number;
  #rowCount = 0;

  /** @param from Bars after which code is made. */
  constructor(layout: Layout, from: number) {
    this.#layout = layout;
    this.#from = from;
    const { inputs, instructions, stateSizes } = layout;
    for (const { code, state, stateRows } of instructions) {
      if (!KEEP_INPUTS.includes(code)) continue;
      for (let row = state; row < state + stateRows; row++) this.#plainRows.add(row);
    }
    const rows = stateSizes.reduce((sum, size) => sum + Math.min(3, size), 3 * inputs.length - 3);
    this.#pairsMax = PAIRS_BY_STATE.find(({ rowsMax }) => rows <= rowsMax)?.pairs ?? 1;
  }

  /** Returns true if so many rows have run that code for them pays. */
  isWorth(rows: number): boolean {
    this.#rowCount += rows;
    const { length } = this.#layout.instructions;
    return length <= OPERATIONS_MAX && this.#rowCount >= this.#from;
  }

  #pairsOf(used: number): number {
    return Math.min(this.#pairsMax, used <= 2 ? 1 : used <= 4 ? 2 : 4);
  }

  /** Returns the number of symbols that run: the last one runs more than once to fill a group. */
  lanesOf(used: number): number {
    const group = 2 * this.#pairsOf(used);
    return Math.ceil(used / group) * group;
  }

  /**
   * Runs staged rows of up to eight symbols, whose state has rows of eight.
   *
   * @param row     Row of the series at which the staged columns begin.
   * @param fromRow Row of the series before which no output is written.
   */
  run(part: Part, used: number, row: number, rows: number, fromRow: number): void {
    const layout = this.#layout;
    const unwritten = Math.max(0, Math.min(rows, fromRow - row));
    const lanes = this.lanesOf(used);
    let isClean = this.#isClean(lanes);
    for (let done = 0; done < rows; ) {
      const isWritten = part.isWritten && done >= unwritten;
      const fused = this.#fused({ ...part, isWritten }, this.#pairsOf(used));
      let end = Math.min(rows, done + CHUNK_ROWS, isWritten ? rows : unwritten || rows);
      const isSettled = fused !== undefined && isClean && row + done >= fused.settled;
      if (fused && !isSettled && row + done < fused.settled) {
        end = Math.min(end, fused.settled - row);
      }
      if (!isSettled || !this.#runFused(fused, part, used, row, done, end)) {
        interpret(layout, part, LANES, used, row, done, end, fromRow);
        if (fused && row + end >= fused.settled) isClean = this.#isClean(lanes);
      }
      done = end;
    }
  }

  /** Returns false if the rows have to be computed in another way. */
  #runFused(
    { run }: Fused,
    part: Part,
    used: number,
    row: number,
    from: number,
    to: number,
  ): boolean {
    const { state, stateRows, inputs, outputTiles } = this.#layout;
    const at = state / 8;
    const size = stateRows * LANES;
    numbers.copyWithin(at + size, at, at + size);
    const result = run(row + from, to - from, from, this.lanesOf(used) / 2 / this.#pairsOf(used));
    if (result === DONE) return true;
    if (result === GAVE_UP) {
      numbers.copyWithin(at, at + size, at + 2 * size);
      return false;
    }
    for (const [i, { mayLack }] of outputTiles.entries()) {
      if (!mayLack || !part.isWritten) continue;
      const column = this.#layout.columnAt(inputs.length + i) / 8;
      for (let lane = 0; lane < used; lane++) {
        const first = column + lane * STAGED_STRIDE;
        for (let k = first + from; k < first + to; k++) {
          if (Number.isNaN(numbers[k])) numbers[k] = Number.NaN;
        }
      }
    }
    return true;
  }

  /** Returns true if no number of the symbols' states is NaN, or −0 where signs count. */
  #isClean(lanes: number): boolean {
    const { state, stateRows } = this.#layout;
    for (let row = 0; row < stateRows; row++) {
      const first = state / 8 + row * LANES;
      const isPlain = this.#plainRows.has(row);
      for (let i = first; i < first + lanes; i++) {
        const value = numbers[i];
        if (Number.isNaN(value) || (isPlain && Object.is(value, -0))) return false;
      }
    }
    return true;
  }

  #fused(part: Part, pairs: number): Fused | undefined {
    const key = `${part.instructions} ${part.inputs} ${part.isWritten} ${pairs}`;
    if (!this.#made.has(key)) this.#made.set(key, this.#make(part, pairs));
    return this.#made.get(key);
  }

  #make({ instructions, inputs, isWritten }: Part, pairs: number): Fused | undefined {
    const layout = this.#layout;
    const poolBefore = this.#pool.length;
    const code = fuse({
      instructions: layout.instructions.slice(0, instructions),
      inputs: layout.inputTiles.slice(0, inputs).map((tile, i) => ({
        tile,
        at: layout.columnAt(i),
        isPrice: ['open', 'high', 'low', 'close'].includes(layout.inputs[i]),
      })),
      outputs: (isWritten ? layout.outputTiles : []).map(({ tile, mayLack }, i) => ({
        tile,
        at: layout.columnAt(layout.inputs.length + i),
        mayLack,
      })),
      constants: new Map(layout.constants.map(({ tile, value }) => [tile, value])),
      state: layout.state,
      pool: layout.pool,
      scratch: layout.pool + layout.poolMax * 16,
      numbers: this.#pool,
      stride: STAGED_STRIDE * 8,
      pairs,
    });
    if (!code || this.#pool.length > layout.poolMax) return undefined;
    const values = Float64Array.from(this.#pool.flatMap((value) => [value, value]));
    layout.head.set(new Uint8Array(values.buffer), layout.pool);
    if (this.#pool.length > poolBefore) numbers.set(values, layout.pool / 8);
    const run = fusedRun(code.module);
    return run && { run, settled: code.settled };
  }
}
