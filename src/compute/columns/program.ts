/**
 * Compiles expressions into a program and runs it over bars. Equal parts of the expressions are
 * computed once. Four or eight symbols go side by side, each in its own lane of a tile.
 */

import { assert } from '../../base/errors.ts';
import {
  type BarName,
  type Column,
  type InputName,
  lastMeanRow,
  type Operation,
} from './column.ts';
import { numbers, reserve, runProgram } from './engine.ts';
import * as codes from './opcodes.ts';
import { ENDLESS, firstRowRead, isSum, rowsBefore } from './rows-needed.ts';

/** Symbols that one run takes at most. */
export const LANES = 8;

/** Rows of a tile, as in `wasm/index.ts`. */
const CHUNK = 64;
/**
 * Bytes from one tile, or one staged column, to the next. Multiples of 4,096 would put equal rows
 * of all of them into the same few places of the first cache.
 */
const TILE_BYTES = CHUNK * LANES * 8 + 320;
const INSTRUCTION_BYTES = 64;

/** Symbols of which one bar each fits the row of a tile. */
const BAR_LANES = CHUNK * LANES;
const PORT_BYTES = 16;
/** Place of the address of a table in an instruction, where others have a second input. */
const TABLE_FIELD = 16;

/** Rows that the module takes in at once: its copy of eight columns then fits the second cache. */
const STAGED_ROWS = 4096;
const STAGED_STRIDE = STAGED_ROWS + 40;

/** The program whose instructions and constants are in memory. */
let loaded: Program | undefined;

/** Bars of one symbol: the columns that a program reads. */
export type Lane =
  | Readonly<Partial<Record<BarName, Float64Array>>>
  | Readonly<Partial<Record<InputName, Float64Array>>>;

/** Returns a column that a program reads. */
export function laneColumn(lane: Lane, name: InputName): Float64Array {
  return (lane as Readonly<Record<InputName, Float64Array>>)[name];
}

/** Instructions and inputs that run from a row on: more of them in each stage, all in the last. */
export interface Stage {
  row: number;
  instructions: number;
  inputs: number;
}

/** Rows that a stage has at least: fewer are not worth another call. */
const STAGE_ROWS_MIN = 24;

/** Instructions for some columns. Its parts lie in the module's memory only while it runs. */
export class Program {
  /** Columns of the bars that it reads. */
  readonly inputs: readonly InputName[];
  readonly outputCount: number;
  /** Numbers of state of one symbol, all 0 before the first bar. */
  readonly stateRows: number;
  /** By output, row of state at which that of its operation begins; undefined for an input. */
  readonly stateStarts: readonly (number | undefined)[];
  readonly #head: Uint8Array;
  readonly #constants: Layout['constants'];
  readonly #instructions: number;
  readonly #ports: number;
  readonly #state: number;
  readonly #inputTiles: readonly number[];
  readonly #outputTiles: readonly { tile: number; first: number }[];
  readonly #staging: number;
  readonly #end: number;
  readonly #begins: Layout['begins'];
  readonly #lastMeans: Layout['lastMeans'];

  constructor(columns: readonly Column[]) {
    const layout = new Layout(columns);
    this.inputs = layout.inputs;
    this.outputCount = columns.length;
    this.stateRows = layout.stateRows;
    this.stateStarts = columns.map((column) => layout.stateStart(column));
    this.#instructions = layout.instructions;
    this.#ports = layout.ports;
    this.#state = layout.state;
    this.#inputTiles = layout.inputTiles;
    this.#outputTiles = layout.outputTiles;
    this.#staging = layout.state + layout.stateRows * LANES * 8;
    const columnCount = this.inputs.length + this.outputCount;
    this.#end = this.#staging + columnCount * LANES * STAGED_STRIDE * 8;
    this.#head = layout.head;
    this.#constants = layout.constants;
    this.#begins = layout.begins;
    this.#lastMeans = layout.lastMeans;
  }

  /**
   * Returns what has to run for the values of a row and later ones. An operation that reads fewer
   * bars than another begins later.
   */
  stagesFor(row: number): readonly Stage[] {
    const { instructions, inputs } = this.#begins(row);
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
    options: { row?: number; state?: Float64Array; fromRow?: number } = {},
  ): void {
    const { row = 0, fromRow = 0 } = options;
    this.#run(lanes, length, options, (done, rows) => {
      const at = row + done;
      if (at + rows > fromRow) this.#collect(out, done, rows, Math.max(0, fromRow - at));
    });
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
    options: { row?: number; state?: Float64Array; stages?: readonly Stage[] } = {},
  ): void {
    const { row = 0 } = options;
    const first = this.#staging / 8 + this.inputs.length * LANES * STAGED_STRIDE;
    let fromRow = Number.POSITIVE_INFINITY;
    for (let lane = 0; lane < lanes.length; lane++) {
      if (ends[lane] > row) fromRow = Math.min(fromRow, ends[lane] - 1);
    }
    fromRow = Math.min(fromRow, row + length);
    this.#run(lanes, length, { ...options, fromRow }, (done, rows) => {
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
    options: {
      row?: number;
      state?: Float64Array;
      fromRow?: number;
      stages?: readonly Stage[];
    },
    collect: (done: number, rows: number) => void,
  ): void {
    const { row = 0, state, fromRow = 0, stages = [] } = options;
    const width = lanes.length > 4 ? 8 : 4;
    assert(lanes.length <= LANES, `a program takes ${LANES} symbols at once`);
    this.#load();
    const stateAt = this.#state / 8;
    if (state) numbers.set(state, stateAt);
    else this.#blankState(numbers, stateAt, width, stages.length > 0);
    let stage = 0;
    for (let done = 0; done < length; ) {
      const at = row + done;
      while (stage + 1 < stages.length && stages[stage + 1].row <= at) stage++;
      const isLast = stage + 1 >= stages.length;
      const end = isLast ? length : Math.min(length, stages[stage + 1].row - row);
      const rows = Math.min(STAGED_ROWS, end - done);
      const all = { instructions: this.#instructions, inputs: this.inputs.length };
      const { instructions, inputs } = isLast ? all : stages[stage];
      this.#stage(lanes, done, rows, inputs);
      const outputs = isLast ? this.outputCount : 0;
      // The ports of outputs follow those of all inputs.
      const used = [instructions, this.#ports, inputs, outputs] as const;
      runProgram(0, ...used, this.#state, width, lanes.length, at, rows, fromRow);
      if (isLast) collect(done, rows);
      done += rows;
    }
    if (state) state.set(numbers.subarray(stateAt, stateAt + this.stateRows * width));
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
    const stateAt = this.#state / 8;
    for (let done = 0; done < places.length; done += BAR_LANES) {
      const lanes = Math.min(BAR_LANES, places.length - done);
      // A row of a tile is whole vectors of four.
      const width = (lanes + 3) & ~3;
      this.#load();
      reserve(this.#state + stateRows * width * 8);
      for (const [i, name] of inputs.entries()) {
        const column = laneColumn(bars, name);
        const tile = this.#inputTiles[i] / 8;
        for (let lane = 0; lane < lanes; lane++) numbers[tile + lane] = column[places[done + lane]];
      }
      for (let lane = 0; lane < lanes; lane++) {
        const from = ats[places[done + lane]];
        for (let i = 0, to = stateAt + lane; i < stateRows; i++, to += width) {
          numbers[to] = states[from + i];
        }
      }
      // Inputs and outputs are tiles of one row here: nothing is moved between columns and tiles.
      runProgram(0, this.#instructions, this.#ports, 0, 0, this.#state, width, lanes, row, 1, 0);
      for (const [i, { tile, first }] of this.#outputTiles.entries()) {
        for (let lane = 0; lane < lanes; lane++) {
          const value = row < first ? Number.NaN : numbers[tile / 8 + lane];
          out[i][places[done + lane]] = Number.isNaN(value) ? Number.NaN : value;
        }
      }
      for (let lane = 0; lane < lanes; lane++) {
        if (!isKept[places[done + lane]]) continue;
        const to = ats[places[done + lane]];
        for (let i = 0, from = stateAt + lane; i < stateRows; i++, from += width) {
          states[to + i] = numbers[from];
        }
      }
    }
  }

  /**
   * Returns the state from which stages run.
   *
   * @param lanes Symbols that run side by side.
   */
  stateOfStages(lanes: number): Float64Array {
    const width = lanes > 4 ? 8 : 4;
    const state = new Float64Array(this.stateRows * width);
    this.#blankState(state, 0, width, true);
    return state;
  }

  #blankState(to: Float64Array, at: number, width: number, isOfStages: boolean): void {
    to.fill(0, at, at + this.stateRows * width);
    if (!isOfStages) return;
    // Without a mean before it, the first block would read each of its windows as a whole.
    for (const row of this.#lastMeans) {
      to.fill(Number.POSITIVE_INFINITY, at + row * width, at + (row + 1) * width);
    }
  }

  #load(): void {
    if (loaded === this) return;
    reserve(this.#end);
    new Uint8Array(numbers.buffer).set(this.#head);
    for (const { tile, value } of this.#constants) {
      numbers.fill(value, tile / 8, (tile + TILE_BYTES) / 8);
    }
    loaded = this;
  }

  #stage(lanes: readonly Lane[], done: number, rows: number, inputs: number): void {
    for (let place = 0; place < inputs; place++) {
      const name = this.inputs[place];
      const from = this.#staging / 8 + place * LANES * STAGED_STRIDE;
      for (let lane = 0; lane < lanes.length; lane++) {
        const to = from + lane * STAGED_STRIDE;
        const column = laneColumn(lanes[lane], name);
        if (done === 0 && rows === column.length) numbers.set(column, to);
        else numbers.set(column.subarray(done, done + rows), to);
      }
    }
  }

  #collect(
    out: readonly (readonly Float64Array[])[],
    done: number,
    rows: number,
    skipped: number,
  ): void {
    const first = this.#staging / 8 + this.inputs.length * LANES * STAGED_STRIDE;
    for (const [lane, columns] of out.entries()) {
      for (let place = 0; place < columns.length; place++) {
        const from = first + (place * LANES + lane) * STAGED_STRIDE;
        const column = columns[place];
        const end = Math.min(rows, column.length - done);
        if (end > skipped) column.set(numbers.subarray(from + skipped, from + end), done + skipped);
      }
    }
  }
}

/** Places instructions, ports, tiles and state in memory, one behind the other. */
class Layout {
  readonly inputs: InputName[] = [];
  /** Instructions, ports and tables. */
  readonly head: Uint8Array;
  /** Numbers, with the addresses of their tiles. */
  readonly constants: { tile: number; value: number }[] = [];
  readonly instructions: number;
  readonly ports: number;
  readonly state: number;
  readonly inputTiles: number[];
  readonly outputTiles: { tile: number; first: number }[];
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
  /** Numbers of operations, by text. */
  readonly #numbers = new Map<string, string>();
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
    this.instructions = this.#operations.length;
    this.ports = this.instructions * INSTRUCTION_BYTES;
    let table = this.ports + (this.inputs.length + columns.length) * PORT_BYTES;
    const numberCount = this.#operations.reduce((count, { table }) => count + table.length, 0);
    const tiles = table + Math.ceil(numberCount / 2) * 16;
    this.state = tiles + (this.#tiles.size + 1) * TILE_BYTES;
    this.head = new Uint8Array(tiles);
    const view = new DataView(this.head.buffer);
    const addressOf = (column: Column) => tiles + this.#tiles.get(this.#text(column))! * TILE_BYTES;
    this.#operations.forEach((operation, i) => {
      this.#writeInstruction(view, i * INSTRUCTION_BYTES, operation, tiles, addressOf);
      if (operation.table.length === 0) return;
      view.setInt32(i * INSTRUCTION_BYTES + TABLE_FIELD, table, true);
      for (const value of operation.table) {
        view.setFloat64(table, value, true);
        table += 8;
      }
    });
    const staging = this.state + this.stateRows * LANES * 8;
    const port = (place: number, tile: number, first: number) => {
      const at = this.ports + place * PORT_BYTES;
      view.setInt32(at, staging + place * LANES * STAGED_STRIDE * 8, true);
      view.setInt32(at + 4, STAGED_STRIDE * 8, true);
      view.setInt32(at + 8, tile, true);
      view.setInt32(at + 12, first, true);
    };
    this.inputTiles = this.inputs.map((name) => tiles + this.#tiles.get(name)! * TILE_BYTES);
    this.outputTiles = columns.map((column) => ({ tile: addressOf(column), first: column.first }));
    this.inputTiles.forEach((tile, i) => {
      port(i, tile, 0);
    });
    this.outputTiles.forEach(({ tile, first }, i) => {
      port(this.inputs.length + i, tile, first);
    });
    for (const constant of this.constants) constant.tile = tiles + constant.tile * TILE_BYTES;
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

  stateStart(column: Column): number | undefined {
    return column.kind === 'operation' ? this.#states.get(column.operation) : undefined;
  }

  /**
   * A name for what a column holds: equal columns have the same. An operation names its inputs by
   * number, since a text that held theirs would double with each input that is read twice.
   */
  #text(column: Column): string {
    if (column.kind === 'input') return column.name;
    if (column.kind === 'number') return `${column.value}`;
    const { operation, output } = column;
    let text = this.#texts.get(operation);
    if (text === undefined) {
      const inputs = operation.inputs.map((input) => this.#text(input));
      text = this.#numberOf(operationKey(operation, inputs));
      const deviation = { ...operation, code: codes.DEVIATION };
      const withDeviation = this.#numberOf(operationKey(deviation, inputs));
      if (operation.code === codes.MEAN && this.#tiles.has(withDeviation)) {
        text = `${withDeviation}'`;
      }
      this.#texts.set(operation, text);
    }
    return output === 0 ? text : `${text}'`;
  }

  #numberOf(key: string): string {
    const number = this.#numbers.get(key) ?? `#${this.#numbers.size}`;
    this.#numbers.set(key, number);
    return number;
  }

  #writeInstruction(
    view: DataView,
    at: number,
    operation: Operation,
    tiles: number,
    addressOf: (column: Column) => number,
  ): void {
    const { code, inputs, period, factors, start } = operation;
    const outputs = [0, 1].map((output) => {
      const name = this.#text({ kind: 'operation', operation, output, first: 0 });
      return tiles + (this.#tiles.get(name) ?? this.#tiles.size) * TILE_BYTES;
    });
    const state = this.#states.get(operation)!;
    const [a, b = 0, c = 0] = inputs.map(addressOf);
    const fields = [code, ...outputs, a, b, c, state, start, period];
    fields.forEach((field, i) => {
      view.setInt32(at + 4 * i, field, true);
    });
    factors.forEach((factor, i) => {
      view.setFloat64(at + 40 + 8 * i, factor, true);
    });
  }
}

/** Returns the rows, each lowered to the lowest of those behind it. */
function neverEarlier(rows: readonly number[]): number[] {
  const out = [...rows];
  for (let i = out.length - 2; i >= 0; i--) out[i] = Math.min(out[i], out[i + 1]);
  return out;
}

/** Returns the number of ascending rows that are not above a row. */
function upTo(rows: readonly number[], row: number): number {
  const above = rows.findIndex((one) => one > row);
  return above < 0 ? rows.length : above;
}

/**
 * A text that equal operations share.
 *
 * @param inputs Names of its inputs: equal inputs have the same.
 */
export function operationKey(
  { code, period, factors, table }: Operation,
  inputs: readonly string[],
): string {
  const key = [code, period, ...factors, ...inputs].join(' ');
  if (table.length === 0) return key;
  // Digits of a thousand weights would take a third of a millisecond.
  return `${key} ${Buffer.from(Float64Array.from(table).buffer).toString('latin1')}`;
}

/** Operations in which a value that is missing once is missing for good. */
const CARRY_ON: readonly number[] = [...ENDLESS, codes.SINCE_HIGHEST, codes.SINCE_LOWEST];

/** Returns true if a value of the column may depend on all values before it. */
export function carriesOn(column: Column): boolean {
  return [...operationsOf([column])].some(({ code }) => CARRY_ON.includes(code));
}

/** Operations that may have no value where their inputs have one. */
const MAY_LACK: readonly number[] = [codes.DIVIDE, codes.LOGARITHM, codes.CHOOSE, codes.RSI];

/** Returns true if the column may have no value at some row after its first one. */
export function mayLackValues(column: Column): boolean {
  return [...operationsOf([column])].some(({ code, inputs }) => {
    const divisor = inputs.at(-1)!;
    const isByNumber = code === codes.DIVIDE && divisor.kind === 'number' && divisor.value !== 0;
    return MAY_LACK.includes(code) && !isByNumber;
  });
}

/** Returns the columns of bars that the columns are computed from. */
export function inputsOf(columns: readonly Column[]): InputName[] {
  const read = [...operationsOf(columns)].flatMap(({ inputs }) => inputs);
  const names = [...columns, ...read].map((one) => (one.kind === 'input' ? [one.name] : []));
  return [...new Set(names.flat())];
}

function operationsOf(
  columns: readonly Column[],
  found: Set<Operation> = new Set(),
): Set<Operation> {
  for (const column of columns) {
    if (column.kind !== 'operation' || found.has(column.operation)) continue;
    found.add(column.operation);
    operationsOf(column.operation.inputs, found);
  }
  return found;
}

function hasSecondOutput({ code }: Operation): boolean {
  return [codes.DEVIATION, codes.TREND, codes.LEAN].includes(code);
}
