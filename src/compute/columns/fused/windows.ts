/** Code of operations over the last `period` values. */

import type { Instruction } from '../operations/instruction.ts';
import * as codes from '../operations/opcodes.ts';
import { double, type Emit, type Emitter, type Pointer, type Row } from './emitter.ts';
import {
  type Code,
  choose,
  f64x2,
  get,
  i32,
  type Local,
  repeat,
  seldom,
  set,
  v128,
  when,
} from './encoding.ts';
import { isAnyWhole, readWhole, type Sum, WHOLE, weightsOf } from './whole-windows.ts';

const { add, sub, mul, div, abs } = f64x2;

/** Rows of a ring that one pass of a loop takes. */
const UNROLLED = 4;

/**
 * Runs code for each row of a ring, from the last one on.
 *
 * @param body Takes the address of a row, and bytes from there to the row that is meant.
 */
export function backwards(
  e: Emitter,
  span: number,
  body: (slot: Pointer, bytes: number) => Code,
): Code {
  const slot = e.at.map(() => e.number());
  const passes = Math.floor(span / UNROLLED);
  const rest = span - passes * UNROLLED;
  const rows = (count: number) =>
    Array.from({ length: count }, (_, i) => body(slot, (count - 1 - i) * e.rowBytes));
  const first = e.move(slot, e.at, i32.of((span - UNROLLED) * e.rowBytes));
  const loop = repeat(
    [rows(UNROLLED), e.move(slot, slot, i32.of(-UNROLLED * e.rowBytes))],
    i32.isZero(i32.ltU(get(slot[0]), i32.add(get(e.at[0]), i32.of(rest * e.rowBytes)))),
  );
  return [
    passes > 0 ? [first, loop] : [],
    rest > 0 ? [e.move(slot, e.at, i32.of(0)), rows(rest)] : [],
  ];
}

const PREFIX = 0;
const PIVOT = 1;
const LAST = 2;
const PREFIX_TWO = 4;
const FIELDS = 5;
const OUTLIER_RATIO = 32;

export const sumOf =
  (kind: Sum): Emit =>
  (e, one, row) => {
    const {
      inputs: [input],
      outputs: [to, second],
      state,
      period,
    } = one;
    const isWeighted = kind === 'weighted' || kind === 'lean';
    const ring = e.ring(one, true);
    const fields = state + period;
    const [sum, pivot] = [e.carry(row, fields + PREFIX), e.carry(row, fields + PIVOT)];
    const two = kind === 'mean' ? undefined : e.carry(row, fields + PREFIX_TWO);
    const x = e.value(row, input);
    const slotOffset = e.offset(row, state + row.index);
    const moreOffset = e.offset(row, fields + FIELDS + row.index);
    const difference = e.vector();
    const suffix = e.vector();
    const keep = e.keep(ring.slot, slotOffset, x);
    const code: Code[] = [];
    if (row.opens) {
      code.push(
        when(i32.isZero(get(ring.place)), openSum(e, one, row, kind, x, { sum, pivot, two })),
      );
    }
    code.push(
      set(difference, sub(x, get(pivot))),
      kind === 'weighted' ? [] : set(suffix, e.load(ring.slot, slotOffset)),
      row.readsWhole ? [] : keep,
      set(sum, add(get(sum), get(difference))),
    );
    const share = e.constant(1 / period);
    const mean = () => mul(add(get(sum), get(suffix)), share);
    if (isWeighted) {
      const weights = e.constant(1 / weightsOf(period));
      const weight = double(i32.add(get(ring.place), i32.of(row.index + 1)));
      const ahead = double(i32.sub(i32.of(period - 1 - row.index), get(ring.place)));
      const all = add(add(get(two!), mul(get(sum), ahead)), e.load(ring.slot, moreOffset));
      code.push(set(two!, add(get(two!), mul(get(difference), weight))));
      if (kind === 'weighted') code.push(e.define(row, to, add(get(pivot), mul(all, weights))));
      else {
        const middle = e.vector();
        code.push(
          set(middle, mean()),
          e.define(row, to, sub(mul(all, weights), get(middle))),
          e.define(row, second, add(get(pivot), get(middle))),
        );
      }
    } else if (kind === 'deviation') {
      const middle = e.vector();
      const squares = mul(add(get(two!), e.load(ring.slot, moreOffset)), share);
      code.push(
        set(middle, mean()),
        set(two!, add(get(two!), mul(get(difference), get(difference)))),
        e.define(row, to, f64x2.sqrt(abs(sub(squares, mul(get(middle), get(middle)))))),
        e.define(row, second, add(get(pivot), get(middle))),
      );
    } else code.push(e.define(row, to, add(get(pivot), mean())));
    if (row.readsWhole) {
      code.push(when(seldom(isAnyWhole(e, one, row)), readWhole(e, one, kind, row)), keep);
    }
    return code;
  };

/** True for operations whose mean is the second output. */
const hasMean = (code: number) => code === codes.DEVIATION || code === codes.LEAN;

interface Fields {
  sum: Local;
  pivot: Local;
  two: Local | undefined;
}

function openSum(
  e: Emitter,
  { state, period }: Instruction,
  row: Row,
  kind: Sum,
  x: Code,
  { sum, pivot, two }: Fields,
): Code {
  const fields = state + period;
  const [value, difference, isWhole] = [e.vector(), e.vector(), e.vector()];
  const bound = mul(e.constant(OUTLIER_RATIO), abs(e.load(e.at, e.offset(row, fields + LAST))));
  // Windows that are read as a whole need the values.
  const suffixes = (kept: Code) =>
    backwards(e, period, (slot, bytes) => [
      set(value, e.load(slot, e.offset(row, state) + bytes)),
      e.store(slot, e.offset(row, state) + bytes, kept),
      two === undefined ? [] : e.store(slot, e.offset(row, fields + FIELDS) + bytes, get(two)),
      set(difference, sub(get(value), get(pivot))),
      set(sum, add(get(sum), get(difference))),
      two === undefined
        ? []
        : kind === 'deviation'
          ? set(two, add(get(two), mul(get(difference), get(difference))))
          : set(two, add(get(two), get(sum))),
    ]);
  const clear = [sum, ...(two === undefined ? [] : [two])].map((one) => set(one, e.constant(0)));
  return [
    set(pivot, x),
    set(isWhole, f64x2.gt(abs(x), bound)),
    e.late ? e.refuse(get(isWhole)) : [],
    e.store(e.at, e.offset(row, fields + WHOLE), get(isWhole)),
    clear,
    e.late
      ? suffixes(get(sum))
      : choose(
          seldom(v128.anyTrue(get(isWhole))),
          suffixes(v128.bitselect(get(value), get(sum), get(isWhole))),
          suffixes(get(sum)),
        ),
    clear,
  ];
}

/** Keeps the mean of a block's last row. */
export function closeSum(
  e: Emitter,
  { code, outputs, state, period }: Instruction,
  row: Row,
): Code {
  const mean = e.value(row, outputs[hasMean(code) ? 1 : 0]);
  return e.store(e.at, e.offset(row, state + period + LAST), mean);
}

export const meanDistance: Emit = (e, one, row) => {
  const { inputs, outputs, state, period } = one;
  const { slot: at } = e.ring(one, false);
  const [sum, slot] = [e.vector(), e.number()];
  const [x, centre] = inputs.map((tile) => e.value(row, tile));
  const value = e.load([slot], e.offset(row, state));
  return [
    e.store(at, e.offset(row, state + row.index), x),
    set(sum, e.constant(0)),
    set(slot, get(e.at[0])),
    repeat(
      [
        set(sum, add(get(sum), abs(sub(value, centre)))),
        e.move([slot], [slot], i32.of(e.rowBytes)),
      ],
      i32.ltU(get(slot), i32.add(get(e.at[0]), i32.of(period * e.rowBytes))),
    ),
    e.define(row, outputs[0], div(get(sum), e.constant(period))),
  ];
};
