/** Code of extremes of the last `period` values, and of the bars since them. */

import { double, type Emit } from './emitter.ts';
import { type Code, f64x2, get, i32, type Local, set, v128, when } from './encoding.ts';
import { isPlain } from './signs.ts';
import { backwards } from './windows.ts';

const { sub } = f64x2;

export const extremeOf =
  (isHighest: boolean): Emit =>
  (e, one, row, signs) => {
    const {
      inputs: [input],
      outputs: [to],
      state,
      period,
    } = one;
    const ring = e.ring(one, true);
    const best = e.carry(row, state + period);
    const quick = isHighest ? f64x2.pmax : f64x2.pmin;
    const exact = isHighest ? f64x2.max : f64x2.min;
    const pick = isPlain(signs, input) ? quick : exact;
    const none = e.constant(isHighest ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY);
    const offset = e.offset(row, state + row.index);
    const value = e.vector();
    const code: Code[] = [];
    if (row.opens) {
      const open = [
        set(best, none),
        backwards(e, period, (slot, bytes) => [
          set(value, e.load(slot, e.offset(row, state) + bytes)),
          e.store(slot, e.offset(row, state) + bytes, get(best)),
          set(best, pick(get(best), get(value))),
        ]),
        set(best, none),
      ];
      code.push(when(i32.isZero(get(ring.place)), open));
    }
    code.push(
      set(best, pick(get(best), e.value(row, input))),
      e.define(row, to, pick(get(best), e.load(ring.slot, offset))),
      e.keep(ring.slot, offset, e.value(row, input)),
    );
    return code;
  };

/** The newest of equal values counts. */
export const sinceExtreme =
  (isHighest: boolean): Emit =>
  (e, one, row) => {
    const { inputs, outputs, state, period } = one;
    const ring = e.ring(one, true);
    const [best, bestRow] = [state + period, state + 2 * period + 1].map((at) => e.carry(row, at));
    const beyond = isHighest ? f64x2.gt : f64x2.lt;
    const none = e.constant(isHighest ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY);
    const x = e.value(row, inputs[0]);
    const offset = e.offset(row, state + row.index);
    const rowsOffset = e.offset(row, state + period + 1 + row.index);
    const [here, is, value, valueRow] = [e.vector(), e.vector(), e.vector(), e.vector()];
    const take = (to: Local, other: Code) => set(to, v128.bitselect(get(to), other, get(is)));
    const open = [
      set(best, none),
      set(bestRow, e.constant(0)),
      backwards(e, period, (slot, bytes) => [
        set(value, e.load(slot, offset + bytes)),
        set(valueRow, e.load(slot, rowsOffset + bytes)),
        e.store(slot, offset + bytes, get(best)),
        e.store(slot, rowsOffset + bytes, get(bestRow)),
        set(is, beyond(get(value), get(best))),
        set(best, v128.bitselect(get(value), get(best), get(is))),
        set(bestRow, v128.bitselect(get(valueRow), get(bestRow), get(is))),
      ]),
      set(best, none),
    ];
    const older = beyond(e.load(ring.slot, offset), get(best));
    return [
      row.opens ? when(i32.isZero(get(ring.place)), open) : [],
      set(here, double(i32.add(get(e.row), i32.of(row.index)))),
      set(is, beyond(get(best), x)),
      take(best, x),
      take(bestRow, get(here)),
      set(valueRow, v128.bitselect(e.load(ring.slot, rowsOffset), get(bestRow), older)),
      e.keep(ring.slot, offset, x),
      e.keep(ring.slot, rowsOffset, get(here)),
      e.define(row, outputs[0], sub(get(here), get(valueRow))),
    ];
  };
