/** Operations that read one row at a time. A truth is 1, 0, or NaN where an input is NaN. */

import { ABOVE, ABSOLUTE, ADD, AT_LEAST, DIVIDE, EQUAL, LARGER, MULTIPLY, SMALLER, SQUARE_ROOT, SUBTRACT } from '../opcodes';
import { inputA, inputB, inputC, out, rowBytes } from './instruction';

@inline
function truth(mask: v128, a: v128, b: v128): v128 {
  const isKnown = v128.and(f64x2.eq(a, a), f64x2.eq(b, b));
  return v128.bitselect(v128.and(mask, f64x2.splat(1)), f64x2.splat(NaN), isKnown);
}

// Names of operations: each makes a loop of its own, without a branch.
class Add {}
class Subtract {}
class Multiply {}
class Divide {}
class Smaller {}
class Larger {}
class Above {}
class AtLeast {}
class Equal {}
class Absolute {}
class SquareRoot {}

@inline
function apply<T>(a: v128, b: v128): v128 {
  if (idof<T>() == idof<Add>()) return f64x2.add(a, b);
  if (idof<T>() == idof<Subtract>()) return f64x2.sub(a, b);
  if (idof<T>() == idof<Multiply>()) return f64x2.mul(a, b);
  if (idof<T>() == idof<Divide>()) return f64x2.div(a, b);
  if (idof<T>() == idof<Smaller>()) return f64x2.min(a, b);
  if (idof<T>() == idof<Larger>()) return f64x2.max(a, b);
  if (idof<T>() == idof<Above>()) return truth(f64x2.gt(a, b), a, b);
  if (idof<T>() == idof<AtLeast>()) return truth(f64x2.ge(a, b), a, b);
  if (idof<T>() == idof<Equal>()) return truth(f64x2.eq(a, b), a, b);
  if (idof<T>() == idof<Absolute>()) return f64x2.abs(a);
  return f64x2.sqrt(a);
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
    case AT_LEAST: return each<AtLeast>(at, bars);
    case EQUAL: return each<Equal>(at, bars);
    case ABSOLUTE: return each<Absolute>(at, bars);
    default: return each<SquareRoot>(at, bars);
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
