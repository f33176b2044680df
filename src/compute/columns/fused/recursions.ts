/** Code of operations whose value follows from their last one. */

import type { Emit } from './emitter.ts';
import { f64x2, get, set, v128 } from './encoding.ts';

const { add, sub, mul, div, abs, eq } = f64x2;

export const ema =
  (isLag: boolean): Emit =>
  (e, { inputs: [x], outputs: [to], state, period }, row) => {
    const lag = e.carry(row, state + 1);
    const change = e.change(row, x, state);
    const decay = e.constant((period - 1) / (period + 1));
    return [
      change.code,
      set(lag, mul(sub(get(lag), get(change.local)), decay)),
      e.define(row, to, isLag ? get(lag) : add(e.value(row, x), get(lag))),
    ];
  };

export const smooth: Emit = (e, { inputs: [x], outputs: [to], state, period }, row) => {
  const average = e.carry(row, state);
  const settled = (period - 1) / (period + 1);
  const kept = mul(get(average), e.constant(settled));
  const taken = mul(e.value(row, x), e.constant(1 - settled));
  return [set(average, add(kept, taken)), e.define(row, to, get(average))];
};

export const wilder: Emit = (e, { inputs: [x], outputs: [to], state, period }, row) => {
  const sum = e.carry(row, state);
  const decay = e.constant((period - 1) / period);
  return [
    set(sum, add(mul(get(sum), decay), e.value(row, x))),
    e.define(row, to, div(get(sum), e.constant(period))),
  ];
};

/** A run of fused code has no more rows than the sums of an RSI may shrink by this factor in. */
const RSI_SHRINKS = 1e100;

export const rsiRowsMax = (period: number) =>
  Math.floor(Math.log(RSI_SHRINKS) / Math.log(period / (period - 1)));

export const rsi: Emit = (e, { inputs: [x], outputs: [to], state, period }, row) => {
  const [net, gross] = [e.carry(row, state + 1), e.carry(row, state + 2)];
  const change = e.change(row, x, state);
  const decay = e.constant((period - 1) / period);
  const ratio = div(get(net), get(gross));
  return [
    change.code,
    set(net, add(mul(get(net), decay), get(change.local))),
    set(gross, add(mul(get(gross), decay), abs(get(change.local)))),
    e.atLeast(gross, { now: 1e-290, atStart: 1e-290 * RSI_SHRINKS }),
    e.define(row, to, add(e.constant(50), mul(e.constant(50), ratio))),
  ];
};

export const follow: Emit = (e, { inputs: [x, share], outputs: [to], state }, row) => {
  const value = e.carry(row, state);
  const kept = sub(e.constant(1), e.value(row, share));
  const a = e.value(row, x);
  return [set(value, add(a, mul(kept, sub(get(value), a)))), e.define(row, to, get(value))];
};

export const total: Emit = (e, { inputs: [x, restart], outputs: [to], state }, row) => {
  const sum = e.carry(row, state);
  const isNever = e.constantOf(restart) === 0;
  const before = isNever ? get(sum) : v128.and(get(sum), eq(e.value(row, restart), e.constant(0)));
  return [set(sum, add(before, e.value(row, x))), e.define(row, to, get(sum))];
};

export const held: Emit = (e, { inputs: [x], outputs: [to], state }, row) => {
  const last = e.carry(row, state);
  const value = e.value(row, x);
  return [
    set(last, v128.bitselect(value, get(last), eq(value, value))),
    e.define(row, to, get(last)),
  ];
};

export const within: Emit = (e, { inputs: [x], outputs: [to], state, period }, row) => {
  const [left, known] = [e.carry(row, state), e.carry(row, state + 1)];
  const [zero, one, span] = [0, 1, period].map((value) => e.constant(value));
  const truth = e.value(row, x);
  const other = v128.bitselect(zero, e.constant(Number.NaN), eq(get(known), span));
  return [
    set(left, v128.bitselect(span, f64x2.max(sub(get(left), one), zero), eq(truth, one))),
    set(known, v128.and(f64x2.min(add(get(known), one), span), eq(truth, truth))),
    e.define(row, to, v128.bitselect(one, other, f64x2.gt(get(left), zero))),
  ];
};

export const delay: Emit = (e, one, row) => {
  const {
    inputs: [x],
    outputs: [to],
    state,
    period,
  } = one;
  if (period === 1) return e.define(row, to, e.previous(row, x, state));
  const { slot } = e.ring(one, false);
  const offset = e.offset(row, state + row.index);
  return [e.define(row, to, e.load(slot, offset)), e.keep(slot, offset, e.value(row, x))];
};
