/** Operations of a program in their order, and places of its parts in memory. */

import {
  type BarName,
  type Column,
  type InputName,
  lastMeanRow,
  type Operation,
} from './column.ts';
import { mayLackValues, operationsOf } from './column-facts.ts';
import { columnText, operationText } from './column-text.ts';
import { SYMBOL_BYTES } from './fused/series.ts';
import type { Instruction } from './operations/instruction.ts';
import * as codes from './operations/opcodes.ts';
import { PIECE_ROWS } from './plain/piece.ts';
import { firstRowRead, isSum, rowsBefore } from './rows-needed.ts';

/** Symbols that one run takes at most. */
export const LANES = 8;

/** Rows that are staged at once: ten years of days. Long copies read memory ahead. */
export const STAGED_ROWS = 2560;
/** Multiples of 512 would put equal rows of all columns into the same few places of the first cache. */
export const STAGED_STRIDE = STAGED_ROWS + 40;

/** Rows of a column of all symbols, and bytes from one such column to the next. */
export const COLUMN_ROWS = LANES * STAGED_STRIDE;
export const COLUMN_BYTES = COLUMN_ROWS * 8;

/** Numbers of fused code: those that all operations share, and those of each. */
const POOL_SHARED = 32;
const POOL_OF_EACH = 4;

const EXTREMES: readonly number[] = [
  codes.HIGHEST,
  codes.LOWEST,
  codes.SINCE_HIGHEST,
  codes.SINCE_LOWEST,
];

/** Bytes of a line of the cache. */
const LINE_BYTES = 64;

/** Bars of one symbol: the columns that a program reads. */
export type Lane =
  | Readonly<Partial<Record<BarName, Float64Array>>>
  | Readonly<Partial<Record<InputName, Float64Array>>>;

/** Returns a column that a program reads. */
export function laneColumn(lane: Lane, name: InputName): Float64Array {
  return (lane as Readonly<Record<InputName, Float64Array>>)[name];
}

/** Places the parts of a program one behind the other. */
export class Layout {
  readonly inputs: InputName[] = [];
  /** Numbers that fused code reads, from the first address on; another array after they changed. */
  pool: Float64Array<ArrayBuffer> = new Float64Array(0);
  readonly poolMax: number;
  /** Numbers among the tiles: the columns of one row, which have numbers from 0 on. */
  readonly constants: { tile: number; value: number }[] = [];
  readonly instructions: Instruction[] = [];
  /** By instruction, true if later rows depend on its values: it has state, or one that has reads it. */
  readonly feedsState: readonly boolean[];
  /** Address of the list of symbols of fused code. */
  readonly list: number;
  /** Address of the columns of tiles. */
  readonly tiles: number;
  readonly state: number;
  /** Address of the staged columns: those of inputs, then those of outputs. */
  readonly staging: number;
  readonly end: number;
  readonly inputTiles: number[];
  readonly outputTiles: { tile: number; first: number; mayLack: boolean }[];
  /**
   * By instruction and by input, the row at which it begins for the values of a row. Later ones
   * never begin earlier.
   */
  readonly begins: (row: number) => { instructions: number[]; inputs: number[] };
  /** Rows of state that hold the mean of the last block of a sum. */
  readonly lastMeans: number[] = [];
  stateRows = 0;
  readonly #operations: Operation[] = [];
  /** Tiles, by text of what they hold. */
  readonly #tiles = new Map<string, number>();
  readonly #texts = new Map<Operation, string>();
  readonly #states = new Map<Operation, number>();

  constructor(columns: readonly Column[]) {
    // Deviations first: they give means too, and each mean that one gives is not computed again.
    for (const operation of operationsOf(columns)) {
      if (operation.code !== codes.DEVIATION) continue;
      this.#visit({ kind: 'operation', operation, output: 0, first: 0 });
    }
    for (const column of columns) this.#visit(column);
    // Saved states have the rows of operations in the order of their expressions.
    for (const operation of this.#operations) {
      this.#states.set(operation, this.stateRows);
      if (isSum(operation)) this.lastMeans.push(this.stateRows + lastMeanRow(operation));
      this.stateRows += operation.stateRows;
    }
    const begins = this.#beginsOf(columns, (operation, row) => row - rowsBefore(operation))(0);
    const place = new Map(this.#operations.map((operation, i) => [operation, i]));
    this.#operations.sort(
      (a, b) =>
        begins.byOperation[place.get(a)!] - begins.byOperation[place.get(b)!] ||
        place.get(a)! - place.get(b)!,
    );
    this.inputs.sort((a, b) => begins.byInput.get(a)! - begins.byInput.get(b)!);
    const beginsOf = this.#beginsOf(columns, firstRowRead);
    this.begins = (row) => {
      const { byOperation, byInput } = beginsOf(row);
      return {
        instructions: neverEarlier(byOperation),
        inputs: neverEarlier(this.inputs.map((name) => byInput.get(name)!)),
      };
    };
    this.poolMax = POOL_SHARED + POOL_OF_EACH * this.#operations.length + 2 * this.constants.length;
    // Each twice, for both symbols of a pair.
    this.list = this.poolMax * 16;
    this.tiles = this.list + LANES * SYMBOL_BYTES;
    this.state = this.tiles + this.tileCount * PIECE_ROWS * 8;
    // The state is there twice: fused code may have to begin again.
    this.staging = this.state + 2 * this.stateRows * LANES * 8;
    const end = this.staging + (this.inputs.length + columns.length) * COLUMN_BYTES;
    this.end = Math.ceil(end / LINE_BYTES) * LINE_BYTES;
    const tileOf = (column: Column) => this.#tiles.get(this.#text(column))!;
    for (const operation of this.#operations) this.#addInstruction(operation, tileOf);
    this.feedsState = feedersOf(this.instructions);
    this.inputTiles = this.inputs.map((name) => this.#tiles.get(name)!);
    this.outputTiles = columns.map((column) => ({
      tile: tileOf(column),
      first: column.first,
      mayLack: mayLackValues(column),
    }));
  }

  /** Number of the tiles; the last one takes outputs that nothing reads. */
  get tileCount(): number {
    return this.#tiles.size + 1;
  }

  /** Returns the address of a staged column of the first symbol. */
  columnAt(place: number): number {
    return this.staging + place * COLUMN_BYTES;
  }

  #visit(column: Column): void {
    const text = this.#text(column);
    if (this.#tiles.has(text)) return;
    if (column.kind === 'input') this.inputs.push(column.name);
    if (column.kind === 'number') {
      this.constants.push({ tile: this.#tiles.size, value: column.value });
    }
    if (column.kind === 'operation') {
      const { operation } = column;
      for (const input of operation.inputs) this.#visit(input);
      this.#operations.push(operation);
      for (const output of [0, 1]) {
        const name = this.#text({ ...column, output });
        if (output === 0 || hasSecondOutput(operation)) this.#tiles.set(name, this.#tiles.size);
      }
      return;
    }
    this.#tiles.set(text, this.#tiles.size);
  }

  /**
   * Returns a function that finds the row at which each operation and each input must begin, for
   * values of a row and later ones.
   *
   * @param firstRead Row from which on an operation reads for its value of a row.
   */
  #beginsOf(columns: readonly Column[], firstRead: (operation: Operation, row: number) => number) {
    const numbers = new Map(
      this.#operations.map((operation, i) => [this.#texts.get(operation), i]),
    );
    /** Number of the operation that makes a column, or the name of an input. */
    const makerOf = (column: Column): number | InputName | undefined => {
      if (column.kind === 'number') return undefined;
      if (column.kind === 'input') return column.name;
      return numbers.get(this.#text(column)) ?? numbers.get(this.#text(column).slice(0, -1));
    };
    const outputs = columns.map(makerOf);
    const operands = this.#operations.map(({ inputs }) => inputs.map(makerOf));
    return (row: number) => {
      const byOperation = this.#operations.map(() => Number.POSITIVE_INFINITY);
      const byInput = new Map(this.inputs.map((name) => [name, Number.POSITIVE_INFINITY]));
      const demand = (maker: number | InputName | undefined, from: number) => {
        if (typeof maker === 'number') byOperation[maker] = Math.min(byOperation[maker], from);
        else if (maker) byInput.set(maker, Math.min(byInput.get(maker)!, from));
      };
      for (const maker of outputs) demand(maker, row);
      for (let i = this.#operations.length - 1; i >= 0; i--) {
        byOperation[i] = firstRead(this.#operations[i], byOperation[i]);
        for (const maker of operands[i]) demand(maker, byOperation[i]);
      }
      return { byOperation, byInput };
    };
  }

  /** A text of what a column holds. A mean that a deviation gives has that output's text. */
  #text(column: Column): string {
    if (column.kind !== 'operation') return columnText(column);
    const { operation, output } = column;
    let text = this.#texts.get(operation);
    if (text === undefined) {
      text = operationText(operation);
      if (operation.code === codes.MEAN) {
        const withDeviation = operationText({ ...operation, code: codes.DEVIATION });
        if (this.#tiles.has(withDeviation)) text = `${withDeviation}'`;
      }
      this.#texts.set(operation, text);
    }
    return output === 0 ? text : `${text}'`;
  }

  #addInstruction(operation: Operation, tileOf: (column: Column) => number): void {
    const { code, inputs, period, factors, table, start, stateRows } = operation;
    const outputs = [0, 1].map((output) => {
      const name = this.#text({ kind: 'operation', operation, output, first: 0 });
      return this.#tiles.get(name) ?? this.#tiles.size;
    });
    const state = this.#states.get(operation)!;
    const extremes = EXTREMES.includes(code) ? 'extremes' : undefined;
    const blocksOf = isSum(operation) ? 'sums' : extremes;
    this.instructions.push({
      code,
      outputs,
      inputs: inputs.map(tileOf),
      state,
      stateRows,
      start,
      period,
      factors,
      table,
      blocksOf,
    });
  }
}

function feedersOf(instructions: readonly Instruction[]): boolean[] {
  const read = new Set<number>();
  // An operation stands behind those that it reads.
  return instructions
    .toReversed()
    .map(({ stateRows, inputs, outputs }) => {
      const feeds = stateRows > 0 || outputs.some((tile) => read.has(tile));
      for (const tile of feeds ? inputs : []) read.add(tile);
      return feeds;
    })
    .reverse();
}

/** Returns the rows, each lowered to the lowest of those behind it. */
function neverEarlier(rows: readonly number[]): number[] {
  const out = [...rows];
  for (let i = out.length - 2; i >= 0; i--) out[i] = Math.min(out[i], out[i + 1]);
  return out;
}

function hasSecondOutput({ code }: Operation): boolean {
  return [codes.DEVIATION, codes.TREND, codes.LEAN, codes.PLACE_AMONG].includes(code);
}
