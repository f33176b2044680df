/** Code of operations that read one row at a time. */

import type { Emit } from './emitter.ts';
import { type Code, f64x2, get, i64x2, set, v128 } from './encoding.ts';
import { isPlain } from './signs.ts';

const { add, sub, mul, div, eq } = f64x2;

export const simple =
  (of: (a: Code, b: Code) => Code): Emit =>
  (e, { inputs: [a, b], outputs: [to] }, row) =>
    e.define(row, to, of(e.value(row, a), e.value(row, b)));

export const extreme =
  (quick: (a: Code, b: Code) => Code, exact: (a: Code, b: Code) => Code): Emit =>
  (e, { inputs: [a, b], outputs: [to] }, row, signs) => {
    // The quick form gives the first operand where that is NaN, as the exact one does.
    const isByNumber = Boolean(e.constantOf(b));
    const of = isByNumber || (isPlain(signs, a) && isPlain(signs, b)) ? quick : exact;
    return e.define(row, to, of(e.value(row, a), e.value(row, b)));
  };

export const truth =
  (of: (a: Code, b: Code) => Code): Emit =>
  (e, { inputs, outputs: [to] }, row, signs) => {
    const [a, b] = inputs.map((tile) => e.value(row, tile));
    const value = v128.and(of(a, b), e.constant(1));
    const unproven = inputs.flatMap((tile, i) => (isPlain(signs, tile) ? [] : [[a, b][i]]));
    if (unproven.length === 0) return e.define(row, to, value);
    const known = unproven.map((one) => eq(one, one)).reduce((x, y) => v128.and(x, y));
    return e.define(row, to, v128.bitselect(value, e.constant(Number.NaN), known));
  };

export const divide: Emit = (e, { inputs: [a, b], outputs: [to] }, row, signs) => {
  const quotient = div(e.value(row, a), e.value(row, b));
  if (signs.get(b) === 'positive') return e.define(row, to, quotient);
  const isNone = eq(e.value(row, b), e.constant(0));
  return e.define(row, to, v128.bitselect(e.constant(Number.NaN), quotient, isNone));
};

export const both: Emit = (e, { inputs, outputs: [to] }, row) => {
  const [a, b] = inputs.map((tile) => e.value(row, tile));
  const isFalse = v128.or(eq(a, e.constant(0)), eq(b, e.constant(0)));
  return e.define(row, to, v128.andNot(f64x2.min(a, b), isFalse));
};

export const either: Emit = (e, { inputs, outputs: [to] }, row) => {
  const [a, b] = inputs.map((tile) => e.value(row, tile));
  const one = e.constant(1);
  const isTrue = v128.or(eq(a, one), eq(b, one));
  return e.define(row, to, v128.bitselect(one, f64x2.max(a, b), isTrue));
};

export const chosen: Emit = (e, { inputs, outputs: [to] }, row, signs) => {
  const [when, a, b] = inputs.map((tile) => e.value(row, tile));
  const isTrue = eq(when, e.constant(1));
  // A condition that is never NaN is 0 where it is not 1.
  const other = isPlain(signs, inputs[0])
    ? b
    : v128.bitselect(b, e.constant(Number.NaN), eq(when, e.constant(0)));
  return e.define(row, to, v128.bitselect(a, other, isTrue));
};

export const padded: Emit = (e, { inputs: [x], outputs: [to] }, row) =>
  e.define(row, to, e.value(row, x));

/** The series of `rows.ts`. */
export const logarithm: Emit = (e, { inputs: [input], outputs: [to] }, row) => {
  const x = e.value(row, input);
  const [exponent, f, s, square, series, k] = Array.from({ length: 6 }, () => e.vector());
  const integers = e.constant(6755399441055744);
  const terms: Code[] = [];
  for (let odd = 23; odd > 1; odd -= 2) {
    terms.push(set(series, mul(add(get(series), e.constant(1 / odd)), get(square))));
  }
  const twice = add(get(s), get(s));
  const low = add(mul(get(k), e.constant(1.9082149292705877e-10)), mul(twice, get(series)));
  const value = add(mul(get(k), e.constant(0.6931471803691238)), add(twice, low));
  const isKnown = v128.and(
    f64x2.ge(x, e.constant(2.2250738585072014e-308)),
    f64x2.lt(x, e.constant(Number.POSITIVE_INFINITY)),
  );
  return [
    set(exponent, i64x2.shr(i64x2.sub(x, e.constant(Math.SQRT1_2)), 52)),
    set(f, sub(i64x2.sub(x, i64x2.shl(get(exponent), 52)), e.constant(1))),
    set(s, div(get(f), add(get(f), e.constant(2)))),
    set(square, mul(get(s), get(s))),
    set(series, e.constant(0)),
    terms,
    set(k, sub(i64x2.add(get(exponent), integers), integers)),
    e.define(row, to, v128.bitselect(value, e.constant(Number.NaN), isKnown)),
  ];
};
