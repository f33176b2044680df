/**
 * Makes WebAssembly code that takes one bar of each of many symbols into saved states, all at the
 * same row of their series. Two symbols go side by side; their states lie apart, as they are saved.
 */

import type { Instruction } from '../operations/instruction.ts';
import { Emitter, Row } from './emitter.ts';
import {
  type Code,
  choose,
  copyBytes,
  f64x2,
  get,
  i32,
  type Local,
  moduleOf,
  repeat,
  set,
  v128,
  when,
} from './encoding.ts';
import { emit } from './operations.ts';
import type { Sign } from './signs.ts';
import { checkWhole } from './whole-windows.ts';
import { closeSum } from './windows.ts';

export interface NextPart {
  instructions: readonly Instruction[];
  /** Addresses of tiles. */
  inputs: readonly number[];
  outputs: readonly { tile: number; mayLack: boolean }[];
  constants: ReadonlyMap<number, number>;
  /** Numbers of the state of one symbol. */
  stateRows: number;
  /** Address of the numbers that the code reads, and these numbers. */
  pool: number;
  numbers: number[];
  /** Address of room for the states of two symbols. */
  scratch: number;
  /** False to leave the states as they are, for rows at which no block begins. */
  isKept: boolean;
}

/** Bytes of a pair in the list: addresses of both states, bytes in front of both bars. */
export const PAIR_BYTES = 16;

// Parameters: row of the series, address of the list of pairs and its end, addresses of the first
// input and output, bytes from one column to the next.
const ROW = 0;
const LIST = 1;
const END = 2;
const INPUTS = 3;
const OUTPUTS = 4;
const STRIDE = 5;

const NO_SIGNS: ReadonlyMap<number, Sign> = new Map();

/**
 * Returns a module whose function moves the pairs that it could not compute to the front of the
 * list, and returns their number. Every operation must be in its steady state.
 */
export function fuseNext(part: NextPart): Uint8Array {
  const { instructions, outputs, stateRows, scratch, isKept } = part;
  const e = new Emitter(6, 'apart', part);
  const row = new Row(0, undefined, { opens: isKept });
  const bars = [e.number(), e.number()];
  const [opening, failed, entry] = [e.number(), e.number(), e.number()];
  const columns = (count: number, first: Local): { bases: Local[]; code: Code } => {
    const bases = Array.from({ length: count }, () => e.number());
    const code = bases.map((base, i) =>
      set(base, i32.add(get(first), i32.mul(get(STRIDE), i32.of(i)))),
    );
    return { bases, code };
  };
  const read = columns(part.inputs.length, INPUTS);
  const written = columns(outputs.length, OUTPUTS);
  const at = (base: Local, bar: Local) => i32.add(get(base), get(bar));
  const inputs = part.inputs.map((tile, i) => {
    const first = v128.loadFirst(at(read.bases[i], bars[0]), 0);
    const value = e.define(row, tile, v128.loadSecond(at(read.bases[i], bars[1]), 0, first));
    return [value, e.require(f64x2.eq(e.value(row, tile), e.value(row, tile)))];
  });
  const operations = instructions.map((one) => emit(e, one, row, NO_SIGNS));
  const sums = instructions.filter(({ blocksOf }) => blocksOf === 'sums');
  const ringOf = (one: Instruction) => e.ring(one, true);
  const wholes = sums.map((one) => when(get(ringOf(one).place), checkWhole(e, one, row)));
  const checks = outputs.map(({ tile, mayLack }) =>
    mayLack ? [] : e.require(f64x2.eq(e.value(row, tile), e.value(row, tile))),
  );
  const closings = sums.map((one) => {
    const isLast = i32.eq(get(ringOf(one).place), i32.of(one.period - 1));
    return when(isLast, closeSum(e, one, row));
  });
  const kept = isKept ? [e.late!, closings, e.keepLast(row), e.storeState()] : [];
  const writes = outputs.map(({ tile, mayLack }, i) => {
    const value = e.value(row, tile);
    const clean = v128.bitselect(value, e.constant(Number.NaN), f64x2.eq(value, value));
    return bars.map((bar, lane) =>
      v128.storeLane(at(written.bases[i], bar), 0, mayLack ? clean : value, lane as 0 | 1),
    );
  });
  const bytes = stateRows * e.rowBytes;
  const states = (move: (state: Local, copy: Code) => Code) =>
    isKept
      ? when(
          get(opening),
          e.at.map((state, i) => move(state, i32.of(scratch + i * bytes))),
        )
      : [];
  const pair = [
    [...e.at, ...bars].map((local, i) => set(local, i32.load(get(entry), 4 * i))),
    set(e.good, f64x2.eq(e.constant(0), e.constant(0))),
    states((state, copy) => copyBytes(copy, get(state), i32.of(bytes))),
    e.rings.map(({ place, slot }) => e.move(slot, e.at, i32.mul(get(place), i32.of(e.rowBytes)))),
    inputs,
    e.loadState(),
    wholes,
    operations,
    checks,
    choose(
      v128.allTrue(get(e.good)),
      [kept, writes],
      [
        states((state, copy) => copyBytes(get(state), copy, i32.of(bytes))),
        copyBytes(get(failed), get(entry), i32.of(PAIR_BYTES)),
        set(failed, i32.add(get(failed), i32.of(PAIR_BYTES))),
      ],
    ),
    set(entry, i32.add(get(entry), i32.of(PAIR_BYTES))),
  ];
  const body = [
    read.code,
    written.code,
    e.rings.map(({ span, start, place, opens }) => [
      set(place, i32.remU(i32.sub(get(ROW), i32.of(start)), i32.of(span))),
      opens ? set(opening, i32.or(get(opening), i32.isZero(get(place)))) : [],
    ]),
    set(e.row, get(ROW)),
    set(failed, get(LIST)),
    set(entry, get(LIST)),
    repeat(pair, i32.ltU(get(entry), get(END))),
    i32.sub(get(failed), get(LIST)),
  ];
  return moduleOf(6, e.locals, body);
}
