/**
 * Makes WebAssembly code of a program, or of its first instructions: all operations of a row in one
 * loop, so that most columns never leave the processor's registers. It takes columns of symbols as
 * they are, two symbols at a time.
 */

import type { Instruction } from '../operations/instruction.ts';
import * as codes from '../operations/opcodes.ts';
import { DONE, Emitter, GAVE_UP, HAS_NAN, Row, VECTOR_BYTES } from './emitter.ts';
import {
  type Code,
  choose,
  f64x2,
  get,
  giveBack,
  i32,
  i64x2,
  type Local,
  moduleOf,
  repeat,
  set,
  u32x4,
  v128,
  when,
} from './encoding.ts';
import { emit, rowsMaxOf, settledFrom } from './operations.ts';
import { learnSigns, type Sign } from './signs.ts';
import { isAnyWhole } from './whole-windows.ts';
import { closeSum } from './windows.ts';

/** A program, or the part of it that runs. */
export interface FusedPart {
  instructions: readonly Instruction[];
  inputs: readonly InputColumn[];
  /** Empty if no value is written. */
  outputs: readonly OutputColumn[];
  /** Numbers by the address of their tiles. */
  constants: ReadonlyMap<number, number>;
  /** Address of the first row of state, and of the numbers of the code. */
  state: number;
  pool: number;
  /** Receives the numbers that the code reads; may have those of other parts. */
  numbers: number[];
  /** Pairs of symbols that run together: the processor fills the waits of one with the others. */
  pairs: number;
}

export interface InputColumn {
  tile: number;
  /** Bytes from the symbol's first input to this one. */
  at: number;
  isPrice: boolean;
}

export interface OutputColumn {
  tile: number;
  /** Bytes from the symbol's first output to this one. */
  at: number;
  /** True if it may be NaN. */
  mayLack: boolean;
}

export interface FusedCode {
  module: Uint8Array;
  /** Row of the series from which on it can run, and rows that a run has at most. */
  settled: number;
  rowsMax: number;
}

/** Operations that are quicker for columns of positive numbers. */
const QUICK_IF_POSITIVE: readonly number[] = [
  codes.SMALLER,
  codes.LARGER,
  codes.HIGHEST,
  codes.LOWEST,
  codes.PARABOLIC,
  codes.ABOVE,
  codes.EQUAL,
];

/** Operations with a row of state that stays infinite or NaN once an input was. */
const STAY_FINITE: ReadonlyMap<number, number> = new Map([
  [codes.EMA, 1],
  [codes.EMA_LAG, 1],
  [codes.RSI, 1],
  [codes.SMOOTH, 0],
  [codes.WILDER, 0],
]);

/** Returns undefined if an operation has no code, or not all of its inputs. */
export function fuse(part: FusedPart): FusedCode | undefined {
  const settled = settledFrom(part.instructions);
  const rowsMax = rowsMaxOf(part.instructions);
  if (settled === undefined || rowsMax === 0 || !hasAllInputs(part)) return undefined;
  const e = new Emitter(4, 'side by side', part);
  const body = new Series(e, part).code();
  return { module: moduleOf(4, e.locals, body), settled, rowsMax };
}

/**
 * Returns true if every operation has its inputs. In a stage of a run some have none yet: they run
 * before their time, over what is in memory.
 */
function hasAllInputs({ instructions, inputs, outputs, constants }: FusedPart): boolean {
  const known = new Set([...constants.keys(), ...inputs.map(({ tile }) => tile)]);
  const isComplete = instructions.every((one) => {
    const isKnown = one.inputs.every((tile) => known.has(tile));
    for (const tile of one.outputs) known.add(tile);
    return isKnown;
  });
  return isComplete && outputs.every(({ tile }) => known.has(tile));
}

/** Bytes of a symbol in the list: addresses of the first rows of its first input and output. */
export const SYMBOL_BYTES = 8;

// Parameters: row of the series, rows, address of the list of symbols, and how often as many pairs
// of symbols run as go together.
const ROW = 0;
const ROWS = 1;
const LIST = 2;
const GROUPS = 3;

class Series {
  readonly #e: Emitter;
  readonly #part: FusedPart;
  readonly #signs = new Map<number, Sign>();
  /** By symbol of those that run together, address of the row in its first input and output. */
  readonly #inputs: readonly Local[];
  readonly #outputs: readonly Local[];
  readonly #known: Local;
  /** The largest and smallest prices by their bits: in those above are negative ones and NaN. */
  readonly #top: Local;
  readonly #bottom: Local;

  constructor(e: Emitter, part: FusedPart) {
    this.#e = e;
    const rsis = new Set(
      part.instructions.flatMap(({ code, outputs }) => (code === codes.RSI ? [outputs[0]] : [])),
    );
    // An RSI of finite sums that are above 0 is a number.
    const lacking = part.outputs.map((one) => ({
      ...one,
      mayLack: one.mayLack && !rsis.has(one.tile),
    }));
    this.#part = { ...part, outputs: lacking };
    const symbols = Array.from({ length: 2 * part.pairs }, (_, i) => i);
    this.#inputs = symbols.map(() => e.number());
    this.#outputs = part.outputs.length === 0 ? [] : symbols.map(() => e.number());
    this.#known = e.vector();
    this.#top = e.vector();
    this.#bottom = e.vector();
    const isQuicker = part.instructions.some(({ code }) => QUICK_IF_POSITIVE.includes(code));
    for (const { tile, isPrice } of part.inputs) {
      if (isPrice && isQuicker) this.#signs.set(tile, 'positive');
    }
    for (const [tile, value] of part.constants) {
      if (value > 0 && value < Number.POSITIVE_INFINITY) this.#signs.set(tile, 'positive');
      else if (Object.is(value, 0)) this.#signs.set(tile, 'plain');
    }
    for (const one of part.instructions) learnSigns(one, this.#signs);
  }

  code(): Code {
    const e = this.#e;
    const { state, pairs } = this.#part;
    const places = [...this.#inputs, ...this.#outputs];
    const readPlaces = [this.#inputs, this.#outputs].flatMap((locals, second) =>
      locals.map((local, i) => set(local, i32.load(get(LIST), i * SYMBOL_BYTES + second * 4))),
    );
    const [group, left, quiet] = [e.number(), e.number(), e.number()];
    const single = this.#single();
    const double = this.#double('quiet');
    const sums = this.#part.instructions.filter(({ blocksOf }) => blocksOf === 'sums');
    const toBoundary = e.rings.map(({ span, place }) =>
      set(quiet, i32.least(get(quiet), i32.sub(i32.of(span), get(place)))),
    );
    const openings = e.rings
      .filter(({ opens }) => opens)
      .map(({ place }) => i32.isZero(get(place)));
    const opening = openings.length > 0 ? this.#double('opening') : undefined;
    const close = (rows: Code, last: readonly Row[]) => [
      set(left, i32.sub(get(left), rows)),
      e.rings.map((ring) => {
        const { span, start, place, slot } = ring;
        const closing = sums
          .filter((one) => one.period === span && one.start === start)
          .map((one) => last.map((row) => closeSum(e, one, row)));
        return when(i32.eq(get(place), i32.of(span)), [
          closing,
          set(place, i32.of(0)),
          e.move(slot, e.at, i32.of(0)),
        ]);
      }),
    ];
    const move = (count: number, last: readonly Row[]) => [
      last.map((row) => e.keepLast(row)),
      places.map((place) => set(place, i32.add(get(place), i32.of(count * 8)))),
      set(e.row, i32.add(get(e.row), i32.of(count))),
      e.rings.map(({ place, slot }) => [
        set(place, i32.add(get(place), i32.of(count))),
        e.move(slot, slot, i32.of(count * e.rowBytes)),
      ]),
    ];
    const doubles = e.number();
    const runPairs = [
      set(quiet, i32.and(get(quiet), i32.of(-2))),
      set(doubles, get(quiet)),
      repeat(
        [double.code, move(2, double.last), set(doubles, i32.sub(get(doubles), i32.of(2)))],
        get(doubles),
      ),
      close(get(quiet), double.last),
    ];
    /** Number other than 0 if a symbol's windows are read as a whole. */
    const careful = e.number();
    const flags = sums.flatMap((one) => single.last.map((row) => isAnyWhole(e, one, row)));
    const beCareful = flags.length === 0 ? [] : set(careful, flags.reduce(i32.or));
    const runOne = [single.code, move(1, single.last), close(i32.of(1), single.last), beCareful];
    const runOpening = opening && [
      opening.code,
      move(2, opening.last),
      close(i32.of(2), opening.last),
      beCareful,
    ];
    const isOpening = [...openings, ...(flags.length > 0 ? [get(careful)] : [])];
    const runMany = runOpening ? choose(isOpening.reduce(i32.or), runOpening, runPairs) : runPairs;
    const rows = repeat(
      [set(quiet, get(left)), toBoundary, choose(i32.ltU(get(quiet), i32.of(2)), runOne, runMany)],
      get(left),
    );
    const ones = f64x2.eq(e.constant(0), e.constant(0));
    return [
      set(e.good, ones),
      set(this.#known, ones),
      set(this.#top, e.constant(1)),
      set(this.#bottom, e.constant(1)),
      set(group, i32.of(0)),
      repeat(
        [
          set(e.at[0], i32.add(i32.of(state), i32.mul(get(group), i32.of(pairs * VECTOR_BYTES)))),
          readPlaces,
          set(LIST, i32.add(get(LIST), i32.of(2 * pairs * SYMBOL_BYTES))),
          set(left, get(ROWS)),
          beCareful,
          set(e.row, get(ROW)),
          e.placeRings(get(ROW)),
          e.loadState(),
          e.requireStarts(),
          rows,
          e.storeState(),
          e.requireFinite(),
          set(group, i32.add(get(group), i32.of(1))),
        ],
        i32.ltU(get(group), get(GROUPS)),
      ),
      e.require(f64x2.lt(firstHalves(this.#top), e.constant(Number.POSITIVE_INFINITY))),
      e.require(f64x2.gt(firstHalves(this.#top), e.constant(0))),
      e.require(f64x2.gt(firstHalves(this.#bottom), e.constant(0))),
      when(i32.isZero(v128.allTrue(get(e.good))), giveBack(i32.of(GAVE_UP))),
      when(i32.isZero(v128.allTrue(get(this.#known))), giveBack(i32.of(HAS_NAN))),
      i32.of(DONE),
    ];
  }

  /** Requires that values of an input are as its sign says, or at least numbers. */
  #check(rows: readonly Row[], tile: number): Code {
    const e = this.#e;
    const values = rows.map((row) => e.value(row, tile));
    if (this.#signs.get(tile) === 'positive') {
      return [
        set(this.#top, values.reduce(u32x4.max, get(this.#top))),
        set(this.#bottom, values.reduce(u32x4.min, get(this.#bottom))),
      ];
    }
    const lasting = this.#part.instructions.find(
      ({ code, inputs }) => STAY_FINITE.has(code) && inputs[0] === tile,
    );
    if (!lasting) return values.map((value) => e.require(f64x2.eq(value, value)));
    for (const row of rows)
      e.staysFinite(e.carry(row, lasting.state + STAY_FINITE.get(lasting.code)!));
    return [];
  }

  #note(values: readonly Code[]): Code {
    return values.map((value) =>
      set(this.#known, v128.and(get(this.#known), f64x2.eq(value, value))),
    );
  }

  /** Code for one row, with which blocks may open. */
  #single() {
    const e = this.#e;
    const { inputs, outputs, instructions, pairs } = this.#part;
    const does = { opens: true, readsWhole: true };
    const rows = Array.from({ length: pairs }, (_, pair) => new Row(pair, undefined, does));
    const code: Code[] = [];
    for (const row of rows) {
      const [a, b] = pairOf(this.#inputs, row);
      for (const { tile, at } of inputs) {
        const both = v128.loadSecond(b, at, v128.loadFirst(a, at));
        code.push(e.define(row, tile, both), this.#check([row], tile));
      }
    }
    for (const one of instructions) {
      for (const row of rows) code.push(emit(e, one, row, this.#signs));
    }
    for (const { tile, at, mayLack } of outputs) {
      for (const row of rows) {
        const value = e.value(row, tile);
        const [a, b] = pairOf(this.#outputs, row);
        code.push(v128.storeLane(a, at, value, 0), v128.storeLane(b, at, value, 1));
        if (mayLack) code.push(this.#note([value]));
      }
    }
    return { code, last: rows };
  }

  /** Code for two rows; with the first of them blocks may open. */
  #double(block: 'quiet' | 'opening') {
    const e = this.#e;
    const { inputs, outputs, instructions, pairs } = this.#part;
    const opens = block === 'opening';
    const ones = Array.from({ length: pairs }, (_, pair) => new Row(pair, undefined, { opens }));
    const twos = ones.map((one) => new Row(one.pair, one, { readsWhole: opens }));
    const code: Code[] = [];
    for (const two of twos) {
      const one = two.before!;
      const places = pairOf(this.#inputs, two);
      for (const { tile, at } of inputs) {
        const [a, b] = [e.vector(), e.vector()];
        code.push(
          set(a, v128.load(places[0], at)),
          set(b, v128.load(places[1], at)),
          e.define(one, tile, v128.firsts(get(a), get(b))),
          e.define(two, tile, v128.seconds(get(a), get(b))),
          this.#check([one, two], tile),
        );
      }
    }
    const write = (tile: number) => {
      const same = outputs.filter((output) => output.tile === tile);
      if (same.length === 0) return;
      for (const two of twos) {
        const [a, b] = [e.value(two.before!, tile), e.value(two, tile)];
        const places = pairOf(this.#outputs, two);
        const [first, second] = [e.vector(), e.vector()];
        code.push(set(first, v128.firsts(a, b)), set(second, v128.seconds(a, b)));
        for (const { at } of same) {
          code.push(v128.store(places[0], at, get(first)), v128.store(places[1], at, get(second)));
        }
        if (same.some(({ mayLack }) => mayLack)) code.push(this.#note([a, b]));
      }
    };
    for (const { tile } of inputs) write(tile);
    for (const instruction of instructions) {
      for (const row of ones) code.push(emit(e, instruction, row, this.#signs));
      for (const row of twos) code.push(emit(e, instruction, row, this.#signs));
      for (const tile of instruction.outputs) write(tile);
    }
    return { code, last: twos };
  }
}

/** Numbers with the first halves of their bits. */
function firstHalves(local: Local): Code {
  return i64x2.shl(i64x2.shr(get(local), 32), 32);
}

function pairOf(places: readonly Local[], { pair }: Row): [Code, Code] {
  return [get(places[2 * pair]), get(places[2 * pair + 1])];
}
