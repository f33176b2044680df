/** Operations that read one row at a time. A truth is 1, 0, or NaN where an input is NaN. */

import {
  ABOVE, ABSOLUTE, ADD, BOTH, DIVIDE, EITHER, EQUAL, IS_NULL, LARGER, MULTIPLY, SMALLER, SUBTRACT,
} from '../operations/opcodes';
import { inputA, inputB, inputC, out, period, rowBytes } from './instruction';

@inline
function truth(mask: v128, a: v128, b: v128): v128 {
  const isKnown = v128.and(f64x2.eq(a, a), f64x2.eq(b, b));
  return v128.bitselect(v128.and(mask, f64x2.splat(1)), f64x2.splat(NaN), isKnown);
}

/** NaN for a divisor of zero: an infinity would pass through averages as if it were a number. */
@inline
function quotient(a: v128, b: v128): v128 {
  return v128.bitselect(f64x2.splat(NaN), f64x2.div(a, b), f64x2.eq(b, f64x2.splat(0)));
}

@inline
function both(a: v128, b: v128): v128 {
  const zero = f64x2.splat(0);
  const isFalse = v128.or(f64x2.eq(a, zero), f64x2.eq(b, zero));
  return v128.andnot(f64x2.min(a, b), isFalse);
}

@inline
function either(a: v128, b: v128): v128 {
  const one = f64x2.splat(1);
  const isTrue = v128.or(f64x2.eq(a, one), f64x2.eq(b, one));
  return v128.bitselect(one, f64x2.max(a, b), isTrue);
}

// Names of operations: each makes a loop of its own, without a branch.
class Add {}
class Subtract {}
class Multiply {}
class Divide {}
class Smaller {}
class Larger {}
class Above {}
class Equal {}
class Both {}
class Either {}
class IsNull {}
class Absolute {}
class Logarithm {}

@inline
function apply<T>(a: v128, b: v128): v128 {
  if (idof<T>() == idof<Add>()) return f64x2.add(a, b);
  if (idof<T>() == idof<Subtract>()) return f64x2.sub(a, b);
  if (idof<T>() == idof<Multiply>()) return f64x2.mul(a, b);
  if (idof<T>() == idof<Divide>()) return quotient(a, b);
  if (idof<T>() == idof<Smaller>()) return f64x2.min(a, b);
  if (idof<T>() == idof<Larger>()) return f64x2.max(a, b);
  if (idof<T>() == idof<Above>()) return truth(f64x2.gt(a, b), a, b);
  if (idof<T>() == idof<Equal>()) return truth(f64x2.eq(a, b), a, b);
  if (idof<T>() == idof<Both>()) return both(a, b);
  if (idof<T>() == idof<Either>()) return either(a, b);
  if (idof<T>() == idof<IsNull>()) return v128.and(f64x2.ne(a, a), f64x2.splat(1));
  if (idof<T>() == idof<Absolute>()) return f64x2.abs(a);
  return naturalLogarithm(a);
}

function each<T>(at: usize, bars: i32): void {
  const a = inputA(at), b = inputB(at), to = out(at);
  const end = <usize>bars * rowBytes;
  for (let i: usize = 0; i < end; i += 32) {
    v128.store(to + i, apply<T>(v128.load(a + i), v128.load(b + i)));
    v128.store(to + i, apply<T>(v128.load(a + i, 16), v128.load(b + i, 16)), 16);
  }
}

export function combineRows(op: i32, at: usize, bars: i32): void {
  switch (op) {
    case ADD: return each<Add>(at, bars);
    case SUBTRACT: return each<Subtract>(at, bars);
    case MULTIPLY: return each<Multiply>(at, bars);
    case DIVIDE: return each<Divide>(at, bars);
    case SMALLER: return each<Smaller>(at, bars);
    case LARGER: return each<Larger>(at, bars);
    case ABOVE: return each<Above>(at, bars);
    case EQUAL: return each<Equal>(at, bars);
    case BOTH: return each<Both>(at, bars);
    case EITHER: return each<Either>(at, bars);
    case IS_NULL: return each<IsNull>(at, bars);
    case ABSOLUTE: return each<Absolute>(at, bars);
    default: return each<Logarithm>(at, bars);
  }
}

/** Takes the second input where the first is 1, the third where it is 0, else NaN. */
export function choose(at: usize, bars: i32): void {
  const when = inputA(at), a = inputB(at), b = inputC(at), to = out(at);
  const end = <usize>bars * rowBytes;
  const one = f64x2.splat(1), zero = f64x2.splat(0), none = f64x2.splat(NaN);
  for (let i: usize = 0; i < end; i += 16) {
    const truth = v128.load(when + i);
    const other = v128.bitselect(v128.load(b + i), none, f64x2.eq(truth, zero));
    v128.store(to + i, v128.bitselect(v128.load(a + i), other, f64x2.eq(truth, one)));
  }
}

/** Copies the input, with NaN in the first `period` rows of the series, where it has no values yet. */
export function padded(at: usize, row: i32, bars: i32): void {
  const x = inputA(at), to = out(at);
  const blank = <usize>min(max(period(at) - row, 0), bars) * rowBytes;
  const end = <usize>bars * rowBytes;
  for (let i: usize = 0; i < blank; i += 16) v128.store(to + i, f64x2.splat(NaN));
  for (let i = blank; i < end; i += 16) v128.store(to + i, v128.load(x + i));
}

const SQRT_HALF_BITS: i64 = 0x3FE6A09E667F3BCD;
/** Adding it to a small integer, as bits, gives the double 1.5 × 2^52 plus that integer. */
const INTEGER_BITS: i64 = 0x4338000000000000;
const INTEGER_BASE: f64 = 6755399441055744;
/** The high part ends in zeros, so that its product with an exponent is exact. */
const LN2_HIGH: f64 = 6.93147180369123816490e-1, LN2_LOW: f64 = 1.90821492927058770002e-10;
const SMALLEST: f64 = 2.2250738585072014e-308;

/**
 * With x = 2^k × m and m from √½ to √2 it is k × ln 2 + 2 × artanh((m − 1) / (m + 1)). The series of
 * artanh needs eleven terms. The library's own logarithm has tables, which our memory has no place for.
 */
@inline
function naturalLogarithm(x: v128): v128 {
  const exponent = i64x2.shr_s(i64x2.sub(x, i64x2.splat(SQRT_HALF_BITS)), 52);
  const f = f64x2.sub(i64x2.sub(x, i64x2.shl(exponent, 52)), f64x2.splat(1));
  const s = f64x2.div(f, f64x2.add(f, f64x2.splat(2)));
  const square = f64x2.mul(s, s);
  let series = f64x2.splat(0);
  for (let odd: f64 = 23; odd > 1; odd -= 2) {
    series = f64x2.mul(f64x2.add(series, f64x2.splat(1 / odd)), square);
  }
  const k = f64x2.sub(i64x2.add(exponent, i64x2.splat(INTEGER_BITS)), f64x2.splat(INTEGER_BASE));
  const twice = f64x2.add(s, s);
  const low = f64x2.add(f64x2.mul(k, f64x2.splat(LN2_LOW)), f64x2.mul(twice, series));
  const value = f64x2.add(f64x2.mul(k, f64x2.splat(LN2_HIGH)), f64x2.add(twice, low));
  const isKnown = v128.and(f64x2.ge(x, f64x2.splat(SMALLEST)), f64x2.lt(x, f64x2.splat(Infinity)));
  return v128.bitselect(value, f64x2.splat(NaN), isKnown);
}
