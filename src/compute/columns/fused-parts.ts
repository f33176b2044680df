/** Fused code of a program and of its stages, made when enough rows have run. */

import { compile, type FusedRun, type Memory } from './engine.ts';
import { DONE, GAVE_UP } from './fused/emitter.ts';
import { settledFrom } from './fused/operations.ts';
import { type FusedCode, fuse } from './fused/series.ts';
import { KEEP_INPUTS } from './fused/signs.ts';
import { WHOLE } from './fused/whole-windows.ts';
import { COLUMN_BYTES, LANES, type Layout, STAGED_ROWS } from './layout.ts';
import type { Part, Staging } from './staging.ts';

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

/** Above the inputs of any program. */
const INPUTS_BOUND = 1024;

/** Rows that are computed again if a symbol needs another way, in a run where one did before. */
const CHUNK_ROWS = 512;

/** Rows of state that must hold numbers; those in `plain` not −0 either. Flags are in neither. */
function checksOf({ instructions, stateRows }: Layout): { numbers: number[]; plain: number[] } {
  const plain = new Set<number>();
  const flags = new Set<number>();
  for (const { code, state, stateRows: rows, period, blocksOf } of instructions) {
    if (blocksOf === 'sums') flags.add(state + period + WHOLE);
    for (let row = state; KEEP_INPUTS.includes(code) && row < state + rows; row++) plain.add(row);
  }
  const rows = Array.from({ length: stateRows }, (_, row) => row);
  return { numbers: rows.filter((row) => !flags.has(row)), plain: [...plain] };
}

interface Fused extends Omit<FusedCode, 'module'> {
  module: object;
  /** By memory; parameters and result as in `fused/series.ts`. */
  runs: WeakMap<Memory, FusedRun>;
  /** Pairs of symbols that run together. */
  pairs: number;
}

export class FusedParts {
  readonly #layout: Layout;
  readonly #made = new Map<number, Fused | undefined>();
  /** By number of instructions. */
  readonly #settled = new Map<number, number>();
  readonly #pool: number[] = [];
  readonly #checks: { numbers: readonly number[]; plain: readonly number[] };
  readonly #from: number;
  #rowCount = 0;
  /** True if the symbols' states are as fused code needs them; undefined if that is unknown. */
  #isClean: boolean | undefined;
  #chunkRows = STAGED_ROWS;

  /** @param from Bars after which code is made. */
  constructor(layout: Layout, from: number) {
    this.#layout = layout;
    this.#checks = checksOf(layout);
    const { instructions } = layout;
    const hasCode =
      instructions.length <= OPERATIONS_MAX && settledFrom(instructions) !== undefined;
    this.#from = hasCode ? from : Number.POSITIVE_INFINITY;
  }

  /** Returns true if so many rows have run that code for them pays. */
  isWorth(rows: number): boolean {
    this.#rowCount += rows;
    return this.#rowCount >= this.#from;
  }

  /** Returns the number of symbols that run: the last one runs more than once to fill a group. */
  lanesOf(used: number): number {
    const group = used <= 2 ? 2 : 4;
    return Math.ceil(used / group) * group;
  }

  /**
   * Begins a run.
   *
   * @param isBlank True if its state is that of a new series.
   */
  begin(isBlank: boolean): void {
    this.#isClean = isBlank ? true : undefined;
    this.#chunkRows = STAGED_ROWS;
  }

  /**
   * Runs rows of a block of up to eight symbols, whose state has rows of eight.
   *
   * @param from    First row, counted from that of the block.
   * @param row     Row of the series at which the block begins.
   * @param fromRow Row of the series before which no output is written.
   */
  run(
    part: Part,
    staging: Staging,
    used: number,
    row: number,
    from: number,
    to: number,
    fromRow: number,
  ): void {
    const unwritten = Math.max(from, Math.min(to, fromRow - row));
    const lanes = this.lanesOf(used);
    for (let done = from; done < to; ) {
      const isWritten = part.isWritten && done >= unwritten;
      let end = Math.min(to, done + this.#chunkRows, done >= unwritten ? to : unwritten);
      const settled = this.#settledOf(part);
      if (row + done < settled) end = Math.min(end, settled - row);
      const fused = row + done < settled ? undefined : this.#fused(part, isWritten, lanes);
      const isSettled = fused !== undefined;
      if (isSettled) end = Math.min(end, done + fused.rowsMax);
      if (isSettled) this.#isClean ??= this.#checkStates(staging.memory, lanes);
      const canRun = isSettled && this.#isClean;
      const hasRun = canRun && this.#runFused(fused, isWritten, staging, lanes, row, done, end);
      if (canRun && !hasRun && end - done > CHUNK_ROWS) {
        this.#chunkRows = CHUNK_ROWS;
        continue;
      }
      if (!hasRun) {
        staging.interpret(part, row, done, end, fromRow);
        this.#isClean = undefined;
      }
      done = end;
    }
  }

  /** Returns false if the rows have to be computed in another way. */
  #runFused(
    { module, runs, pairs }: Fused,
    isWritten: boolean,
    staging: Staging,
    lanes: number,
    row: number,
    from: number,
    to: number,
  ): boolean {
    const { state, stateRows, outputTiles } = this.#layout;
    const { memory } = staging;
    let run = runs.get(memory);
    if (!run) {
      run = memory.fusedRun(module);
      runs.set(memory, run);
    }
    staging.load();
    const { numbers } = memory;
    const at = state / 8;
    const size = stateRows * LANES;
    numbers.copyWithin(at + size, at, at + size);
    const list = staging.listFrom(from);
    const result = run(row + from, to - from, list, lanes / 2 / pairs);
    if (result === DONE) return true;
    if (result === GAVE_UP) {
      numbers.copyWithin(at, at + size, at + 2 * size);
      return false;
    }
    for (const [i, { mayLack }] of outputTiles.entries()) {
      if (!mayLack || !isWritten) continue;
      for (let lane = 0; lane < lanes; lane++) {
        const first = (staging.outputAt(lane, from) + i * COLUMN_BYTES) / 8;
        for (let k = first; k < first + to - from; k++) {
          if (Number.isNaN(numbers[k])) numbers[k] = Number.NaN;
        }
      }
    }
    return true;
  }

  /** Returns the row of the series from which on a part can run as code; infinite if it has none. */
  #settledOf({ instructions }: Part): number {
    let settled = this.#settled.get(instructions);
    if (settled === undefined) {
      const all = this.#layout.instructions.slice(0, instructions);
      settled = settledFrom(all) ?? Number.POSITIVE_INFINITY;
      this.#settled.set(instructions, settled);
    }
    return settled;
  }

  #checkStates({ numbers }: Memory, lanes: number): boolean {
    const first = this.#layout.state / 8;
    let lacking = 0;
    for (const row of this.#checks.numbers) {
      const end = first + row * LANES + lanes;
      for (let i = end - lanes; i < end; i++) lacking += Number.isNaN(numbers[i]) ? 1 : 0;
    }
    if (lacking > 0) return false;
    return this.#checks.plain.every((row) => {
      const at = first + row * LANES;
      return numbers.subarray(at, at + lanes).every((value) => !Object.is(value, -0));
    });
  }

  #fused({ instructions, inputs }: Part, isWritten: boolean, lanes: number): Fused | undefined {
    const isSinglePair = lanes <= 2;
    const flags = Number(isWritten) * 2 + Number(isSinglePair);
    const key = (instructions * INPUTS_BOUND + inputs) * 4 + flags;
    let fused = this.#made.get(key);
    if (!fused && !this.#made.has(key)) {
      const part = { instructions, inputs, isWritten };
      fused = this.#make(part, isSinglePair ? 1 : this.#pairsOf(part));
      this.#made.set(key, fused);
    }
    return fused;
  }

  #pairsOf({ instructions, inputs }: Part): number {
    const all = this.#layout.instructions.slice(0, instructions);
    const stateRows = all.map((one) => Math.min(3, one.stateRows));
    const rows = stateRows.reduce((sum, one) => sum + one, 3 * inputs - 3);
    return rows <= PAIRED_ROWS_MAX ? 2 : 1;
  }

  #make({ instructions, inputs, isWritten }: Part, pairs: number): Fused | undefined {
    const layout = this.#layout;
    const poolBefore = this.#pool.length;
    const code = fuse({
      instructions: layout.instructions.slice(0, instructions),
      inputs: layout.inputTiles.slice(0, inputs).map((tile, i) => ({
        tile,
        at: i * COLUMN_BYTES,
        isPrice: ['open', 'high', 'low', 'close'].includes(layout.inputs[i]),
      })),
      outputs: (isWritten ? layout.outputTiles : []).map(({ tile, mayLack }, i) => ({
        tile,
        at: i * COLUMN_BYTES,
        mayLack,
      })),
      constants: new Map(layout.constants.map(({ tile, value }) => [tile, value])),
      state: layout.state,
      pool: 0,
      numbers: this.#pool,
      pairs,
    });
    if (!code || this.#pool.length > layout.poolMax) return undefined;
    if (this.#pool.length > poolBefore) {
      layout.pool = Float64Array.from(this.#pool.flatMap((value) => [value, value]));
    }
    const module = compile(code.module);
    return module && { ...code, module, runs: new WeakMap(), pairs };
  }
}
