/** Code of windows that are read as a whole, with the bits of `plain/windows.ts`. */

import type { Instruction } from '../operations/instruction.ts';
import type { Emitter, Row } from './emitter.ts';
import { type Code, f64x2, get, i32, type Local, repeat, set, v128 } from './encoding.ts';

const { add, sub, mul, div, abs, lt } = f64x2;

/** Row behind the slots of a window that flags symbols whose windows are read as a whole. */
export const WHOLE = 3;

export type Sum = 'mean' | 'deviation' | 'weighted' | 'lean';

/** Sum of the weights 1 to `period`. */
export const weightsOf = (period: number) => (period * (period + 1)) / 2;

const flagsOf = (e: Emitter, { state, period }: Instruction, row: Row) =>
  e.load(e.at, e.offset(row, state + period + WHOLE));

/** Returns code of a number other than 0 if windows of a symbol are read as a whole. */
export const isAnyWhole = (e: Emitter, one: Instruction, row: Row): Code =>
  v128.anyTrue(flagsOf(e, one, row));

/** Gives up where a symbol's windows are read as a whole. */
export const checkWhole = (e: Emitter, one: Instruction, row: Row): Code =>
  e.refuse(flagsOf(e, one, row));

/**
 * Sets the values of symbols whose windows are read as a whole: those of the row, and of the row
 * before if the same code computes it. Both windows share all values but one each. The slot of the
 * row still has the value from before.
 */
export function readWhole(e: Emitter, one: Instruction, kind: Sum, row: Row): Code {
  const {
    inputs: [input],
    outputs: [to, second],
    state,
    period,
  } = one;
  const isWeighted = kind === 'weighted' || kind === 'lean';
  const rows = row.before ? [row, row.before] : [row];
  const newest = rows.map((each) => e.value(each, input));
  const [own, slot, left] = [e.number(), e.number(), e.number()];
  const [value, difference, smallest, size] = Array.from({ length: 4 }, () => e.vector());
  const [pivots, sums, weights, weighteds, means, squares] = Array.from({ length: 6 }, () =>
    rows.map(() => e.vector()),
  );
  const slots = get(e.at[0]);
  const next = i32.add(get(slot), i32.of(e.rowBytes));
  const isEnd = i32.eq(next, i32.add(slots, i32.of(period * e.rowBytes)));
  const valueAt = (at: Local) => e.load([at], e.offset(row, state));
  /** Runs code for the values that the windows share: those of all slots but that of the row. */
  const eachShared = (body: Code) => [
    set(left, i32.of(period - 1)),
    set(slot, get(own)),
    repeat(
      [
        set(slot, i32.choose(slots, next, isEnd)),
        set(value, valueAt(slot)),
        body,
        set(left, i32.sub(get(left), i32.of(1))),
      ],
      get(left),
    ),
  ];
  /** Runs code for all values of each window, the oldest first. */
  const each = (body: (i: number) => Code) => [
    row.before ? [set(value, valueAt(own)), body(1)] : [],
    period > 1 ? eachShared(rows.map((_, i) => body(i))) : [],
    set(value, newest[0]),
    body(0),
  ];
  const takeSmaller = (pivot: Local, other: Code) =>
    set(pivot, v128.bitselect(other, get(pivot), lt(abs(other), abs(get(pivot)))));
  const increase = (local: Local, by: Code) => set(local, add(get(local), by));
  const length = e.constant(period);
  const flags = flagsOf(e, one, row);
  const define = (i: number, tile: number, whole: Code) =>
    e.define(rows[i], tile, v128.bitselect(whole, e.value(rows[i], tile), flags));
  const results = (i: number) => {
    const mean = get(means[i]);
    const weighted = div(get(weighteds[i]), e.constant(weightsOf(period)));
    if (kind === 'mean') return define(i, to, mean);
    if (kind === 'weighted') return define(i, to, add(get(pivots[i]), weighted));
    const lean = sub(weighted, div(get(sums[i]), length));
    const deviation = f64x2.sqrt(div(get(squares[i]), length));
    return [define(i, to, kind === 'lean' ? lean : deviation), define(i, second, mean)];
  };
  return [
    set(own, i32.add(get(e.ring(one, true).place), i32.of(row.index))),
    set(own, i32.add(slots, i32.mul(get(own), i32.of(e.rowBytes)))),
    [smallest, size].map((local) => set(local, e.constant(Number.POSITIVE_INFINITY))),
    period > 1
      ? eachShared([
          set(smallest, v128.bitselect(get(value), get(smallest), lt(abs(get(value)), get(size)))),
          set(size, f64x2.pmin(get(size), abs(get(value)))),
        ])
      : [],
    rows.map((_, i) => [
      set(pivots[i], newest[i]),
      i === 1 ? takeSmaller(pivots[i], valueAt(own)) : [],
      takeSmaller(pivots[i], get(smallest)),
      [sums, weights, weighteds, squares].map((locals) => set(locals[i], e.constant(0))),
    ]),
    each((i) => [
      set(difference, sub(get(value), get(pivots[i]))),
      increase(sums[i], get(difference)),
      isWeighted
        ? [
            increase(weights[i], e.constant(1)),
            increase(weighteds[i], mul(get(weights[i]), get(difference))),
          ]
        : [],
    ]),
    rows.map((_, i) => set(means[i], add(get(pivots[i]), div(get(sums[i]), length)))),
    kind === 'deviation'
      ? each((i) => [
          set(difference, sub(get(value), get(means[i]))),
          increase(squares[i], mul(get(difference), get(difference))),
        ])
      : [],
    rows.map((_, i) => results(i)),
  ];
}
