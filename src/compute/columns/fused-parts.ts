/** Fused code of a program and of its stages, made when enough rows have run. */

import { fusedRun, numbers } from './engine.ts';
import { DONE, GAVE_UP } from './fused/emitter.ts';
import { settledFrom } from './fused/operations.ts';
import { fuse } from './fused/series.ts';
import { KEEP_INPUTS } from './fused/signs.ts';
import { WHOLE } from './fused/windows.ts';
import { interpret, type Part } from './interpret.ts';
import { LANES, type Layout, STAGED_STRIDE } from './layout.ts';

/** Bars of all symbols that a program has to compute before its code is made: some milliseconds. */
export const FUSED_FROM = 100_000;

/** Operations of a program for which code is made. Its making takes a tenth of a millisecond each. */
const OPERATIONS_MAX = 64;

/**
 * Two pairs of symbols run together if the rows of state of an operation, three at most, and three
 * for each input but the first, add up to no more: they fill the waits of recursions. With more
 * state than the processor has registers for, they cost more than they bring.
 */
const PAIRED_ROWS_MAX = 10;

/** Rows that are computed again if a symbol needs another way. */
const CHUNK_ROWS = 512;

/** A number, or one that is not −0 either; none for flags. */
type StateCheck = 'number' | 'plain' | 'none';

function checksOf({ instructions, stateRows }: Layout): StateCheck[] {
  const checks = Array<StateCheck>(stateRows).fill('number');
  for (const { code, state, stateRows: rows, period, blocksOf } of instructions) {
    if (KEEP_INPUTS.includes(code)) checks.fill('plain', state, state + rows);
    if (blocksOf === 'sums') checks[state + period + WHOLE] = 'none';
  }
  return checks;
}

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
  /** By row of state, what must hold for its numbers before fused code runs. */
  readonly #checks: readonly StateCheck[];
  readonly #from: number;
  #rowCount = 0;

  /** @param from Bars after which code is made. */
  constructor(layout: Layout, from: number) {
    this.#layout = layout;
    this.#checks = checksOf(layout);
    const { inputs, instructions } = layout;
    const stateRows = instructions.map((one) => Math.min(3, one.stateRows));
    const rows = stateRows.reduce((sum, one) => sum + one, 3 * inputs.length - 3);
    this.#pairsMax = rows <= PAIRED_ROWS_MAX ? 2 : 1;
    const hasCode =
      instructions.length <= OPERATIONS_MAX && settledFrom(instructions) !== undefined;
    this.#from = hasCode ? from : Number.POSITIVE_INFINITY;
  }

  /** Returns true if so many rows have run that code for them pays. */
  isWorth(rows: number): boolean {
    this.#rowCount += rows;
    return this.#rowCount >= this.#from;
  }

  #pairsOf(used: number): number {
    return used <= 2 ? 1 : this.#pairsMax;
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

  /** Returns true if the symbols' states are as fused code needs them. */
  #isClean(lanes: number): boolean {
    for (const [row, check] of this.#checks.entries()) {
      if (check === 'none') continue;
      const first = this.#layout.state / 8 + row * LANES;
      for (let i = first; i < first + lanes; i++) {
        const value = numbers[i];
        if (Number.isNaN(value) || (check === 'plain' && Object.is(value, -0))) return false;
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
