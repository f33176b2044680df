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
  type Local,
  moduleOf,
  repeat,
  set,
  v128,
  when,
} from './encoding.ts';
import { emit, settledFrom } from './operations.ts';
import { learnSigns, type Sign } from './signs.ts';
import { closeSum, isAnyWhole } from './windows.ts';

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
  /** Address of room for two vectors. */
  scratch: number;
  /** Receives the numbers that the code reads; may have those of other parts. */
  numbers: number[];
  /** Bytes from one symbol's column to the next. */
  stride: number;
  /** Pairs of symbols that run together: the processor fills the waits of one with the others. */
  pairs: number;
}

/** A column of all symbols. */
export interface InputColumn {
  tile: number;
  /** Address of the first symbol's. */
  at: number;
  isPrice: boolean;
}

export interface OutputColumn {
  tile: number;
  at: number;
  /** True if it may be NaN. */
  mayLack: boolean;
}

export interface FusedCode {
  module: Uint8Array;
  /** Row of the series from which on it can run. */
  settled: number;
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

/** Returns undefined if an operation has no code, or not all of its inputs. */
export function fuse(part: FusedPart): FusedCode | undefined {
  const settled = settledFrom(part.instructions);
  if (settled === undefined || !hasAllInputs(part)) return undefined;
  const e = new Emitter(4, 'side by side', part);
  const body = new Series(e, part).code();
  return { module: moduleOf(4, e.locals, body), settled };
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

// Parameters: row of the series, rows, first row in the columns, and how often as many pairs of
// symbols run as go together.
const ROW = 0;
const ROWS = 1;
const FROM = 2;
const GROUPS = 3;

class Series {
  readonly #e: Emitter;
  readonly #part: FusedPart;
  readonly #signs = new Map<number, Sign>();
  /** Byte in the columns of the first symbol. */
  readonly #byte: Local;
  readonly #known: Local;
  /** The largest prices. */
  readonly #top: Local;

  constructor(e: Emitter, part: FusedPart) {
    this.#e = e;
    this.#part = part;
    this.#byte = e.number();
    this.#known = e.vector();
    this.#top = e.vector();
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
    const { state, pairs, stride } = this.#part;
    const [group, left, quiet] = [e.number(), e.number(), e.number()];
    const single = this.#single();
    const double = this.#double();
    const sums = this.#part.instructions.filter(({ blocksOf }) => blocksOf === 'sums');
    const toBoundary = e.rings.map(({ span, place, opens }) => {
      const rest = i32.sub(i32.of(span), get(place));
      const most = set(quiet, i32.least(get(quiet), rest));
      return opens ? choose(i32.isZero(get(place)), set(quiet, i32.of(0)), most) : most;
    });
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
      set(this.#byte, i32.add(get(this.#byte), i32.of(count * 8))),
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
    /** A flag that is not 0 if a symbol's windows are read as a whole: such rows run one by one. */
    const careful = e.number();
    const flags = sums.flatMap((one) => single.last.map((row) => isAnyWhole(e, one, row)));
    const beCareful = flags.length === 0 ? [] : set(careful, flags.reduce(i32.or));
    const beSlow = flags.length === 0 ? [] : when(get(careful), set(quiet, i32.of(0)));
    const runOne = [single.code, move(1, single.last), close(i32.of(1), single.last), beCareful];
    const rows = repeat(
      [
        set(quiet, get(left)),
        toBoundary,
        beSlow,
        choose(i32.ltU(get(quiet), i32.of(2)), runOne, runPairs),
      ],
      get(left),
    );
    const ones = f64x2.eq(e.constant(0), e.constant(0));
    return [
      set(e.good, ones),
      set(this.#known, ones),
      set(this.#top, e.constant(0)),
      set(group, i32.of(0)),
      repeat(
        [
          set(e.at[0], i32.add(i32.of(state), i32.mul(get(group), i32.of(pairs * VECTOR_BYTES)))),
          set(
            this.#byte,
            i32.add(i32.mul(get(group), i32.of(2 * pairs * stride)), i32.mul(get(FROM), i32.of(8))),
          ),
          set(left, get(ROWS)),
          beCareful,
          set(e.row, get(ROW)),
          e.placeRings(get(ROW)),
          e.loadState(),
          rows,
          e.storeState(),
          set(group, i32.add(get(group), i32.of(1))),
        ],
        i32.ltU(get(group), get(GROUPS)),
      ),
      e.require(f64x2.lt(get(this.#top), e.constant(Number.POSITIVE_INFINITY))),
      when(i32.isZero(v128.allTrue(get(e.good))), giveBack(i32.of(GAVE_UP))),
      when(i32.isZero(v128.allTrue(get(this.#known))), giveBack(i32.of(HAS_NAN))),
      i32.of(DONE),
    ];
  }

  /** Requires that values of an input are as its sign says, or at least numbers. */
  #check(rows: readonly Row[], tile: number): Code {
    const e = this.#e;
    const values = rows.map((row) => e.value(row, tile));
    const isPositive = this.#signs.get(tile) === 'positive';
    const checks = values.map((value) =>
      e.require(isPositive ? f64x2.gt(value, e.constant(0)) : f64x2.eq(value, value)),
    );
    if (!isPositive) return checks;
    return [checks, set(this.#top, f64x2.pmax(get(this.#top), values.reduce(f64x2.pmax)))];
  }

  #note(values: readonly Code[]): Code {
    return values.map((value) =>
      set(this.#known, v128.and(get(this.#known), f64x2.eq(value, value))),
    );
  }

  /** Addresses of a pair's two columns, from the first one. */
  #columns(at: number, { pair }: Row): [number, number] {
    const first = at + 2 * pair * this.#part.stride;
    return [first, first + this.#part.stride];
  }

  /** Code for one row, with which blocks may open. */
  #single() {
    const e = this.#e;
    const { inputs, outputs, instructions, pairs } = this.#part;
    const rows = Array.from({ length: pairs }, (_, pair) => new Row(pair, undefined, true));
    const byte = get(this.#byte);
    const code: Code[] = [];
    for (const row of rows) {
      for (const { tile, at } of inputs) {
        const [a, b] = this.#columns(at, row);
        const both = v128.loadSecond(byte, b, v128.loadFirst(byte, a));
        code.push(e.define(row, tile, both), this.#check([row], tile));
      }
    }
    for (const one of instructions) {
      for (const row of rows) code.push(emit(e, one, row, this.#signs));
    }
    for (const { tile, at, mayLack } of outputs) {
      for (const row of rows) {
        const value = e.value(row, tile);
        const [a, b] = this.#columns(at, row);
        code.push(v128.storeLane(byte, a, value, 0), v128.storeLane(byte, b, value, 1));
        if (mayLack) code.push(this.#note([value]));
      }
    }
    return { code, last: rows };
  }

  /** Code for two rows. */
  #double() {
    const e = this.#e;
    const { inputs, outputs, instructions, pairs } = this.#part;
    const ones = Array.from({ length: pairs }, (_, pair) => new Row(pair));
    const twos = ones.map((one) => new Row(one.pair, one));
    const byte = get(this.#byte);
    const code: Code[] = [];
    for (const two of twos) {
      const one = two.before!;
      for (const { tile, at } of inputs) {
        const places = this.#columns(at, two);
        const [a, b] = [e.vector(), e.vector()];
        code.push(
          set(a, v128.load(byte, places[0])),
          set(b, v128.load(byte, places[1])),
          e.define(one, tile, v128.firsts(get(a), get(b))),
          e.define(two, tile, v128.seconds(get(a), get(b))),
          this.#check([one, two], tile),
        );
      }
    }
    const write = (tile: number) => {
      for (const output of outputs) {
        if (output.tile !== tile) continue;
        for (const two of twos) {
          const [a, b] = [e.value(two.before!, tile), e.value(two, tile)];
          const places = this.#columns(output.at, two);
          code.push(
            v128.store(byte, places[0], v128.firsts(a, b)),
            v128.store(byte, places[1], v128.seconds(a, b)),
          );
          if (output.mayLack) code.push(this.#note([a, b]));
        }
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
