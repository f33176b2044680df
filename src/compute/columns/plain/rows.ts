/**
 * Operations that read one row at a time, over columns of bars or values of symbols. A truth is 1,
 * 0, or NaN where an input is NaN.
 */

import * as codes from '../operations/opcodes.ts';
import type { Piece } from './piece.ts';

/** Computes rows of `to` from those of two columns, each from a place on. */
export type RowLoop = (
  to: Float64Array,
  t: number,
  a: Float64Array,
  i: number,
  b: Float64Array,
  j: number,
  count: number,
) => void;

// A loop of its own for each: a function called for every row costs five times that.
export const rowLoops: Readonly<Partial<Record<number, RowLoop>>> = {
  [codes.ADD](to, t, a, i, b, j, count) {
    for (let k = 0; k < count; k++) to[t + k] = a[i + k] + b[j + k];
  },
  [codes.SUBTRACT](to, t, a, i, b, j, count) {
    for (let k = 0; k < count; k++) to[t + k] = a[i + k] - b[j + k];
  },
  [codes.MULTIPLY](to, t, a, i, b, j, count) {
    for (let k = 0; k < count; k++) to[t + k] = a[i + k] * b[j + k];
  },
  /** NaN for a divisor of zero: an infinity would pass through averages as if it were a number. */
  [codes.DIVIDE](to, t, a, i, b, j, count) {
    for (let k = 0; k < count; k++) {
      to[t + k] = b[j + k] === 0 ? Number.NaN : a[i + k] / b[j + k];
    }
  },
  [codes.SMALLER](to, t, a, i, b, j, count) {
    for (let k = 0; k < count; k++) to[t + k] = Math.min(a[i + k], b[j + k]);
  },
  [codes.LARGER](to, t, a, i, b, j, count) {
    for (let k = 0; k < count; k++) to[t + k] = Math.max(a[i + k], b[j + k]);
  },
  [codes.ABOVE](to, t, a, i, b, j, count) {
    for (let k = 0; k < count; k++) {
      const x = a[i + k];
      const y = b[j + k];
      to[t + k] = x > y ? 1 : x <= y ? 0 : Number.NaN;
    }
  },
  [codes.EQUAL](to, t, a, i, b, j, count) {
    for (let k = 0; k < count; k++) {
      const x = a[i + k];
      const y = b[j + k];
      to[t + k] = x === y ? 1 : x < y || x > y ? 0 : Number.NaN;
    }
  },
  [codes.BOTH](to, t, a, i, b, j, count) {
    for (let k = 0; k < count; k++) {
      const x = a[i + k];
      const y = b[j + k];
      to[t + k] = x === 0 || y === 0 ? 0 : Math.min(x, y);
    }
  },
  [codes.EITHER](to, t, a, i, b, j, count) {
    for (let k = 0; k < count; k++) {
      const x = a[i + k];
      const y = b[j + k];
      to[t + k] = x === 1 || y === 1 ? 1 : Math.max(x, y);
    }
  },
  [codes.IS_NULL](to, t, a, i, _b, _j, count) {
    for (let k = 0; k < count; k++) to[t + k] = Number.isNaN(a[i + k]) ? 1 : 0;
  },
  [codes.ABSOLUTE](to, t, a, i, _b, _j, count) {
    for (let k = 0; k < count; k++) to[t + k] = Math.abs(a[i + k]);
  },
  [codes.SQUARE_ROOT](to, t, a, i, _b, _j, count) {
    for (let k = 0; k < count; k++) to[t + k] = Math.sqrt(a[i + k]);
  },
  [codes.LOGARITHM](to, t, a, i, _b, _j, count) {
    for (let k = 0; k < count; k++) to[t + k] = naturalLogarithm(a[i + k]);
  },
};

/** Takes the second input where the first is 1, the third where it is 0, else NaN. */
export function choose({ values, a, b, c, to, count }: Piece): void {
  for (let k = 0; k < count; k++) {
    const truth = values[a + k];
    values[to + k] = truth === 1 ? values[b + k] : truth === 0 ? values[c + k] : Number.NaN;
  }
}

/** Copies the input, with NaN in the first `period` rows of the series, where it has no values yet. */
export function padded({ one, values, a, to, row, count }: Piece): void {
  const blank = Math.min(Math.max(one.period - row, 0), count);
  values.fill(Number.NaN, to, to + blank);
  values.copyWithin(to + blank, a + blank, a + count);
}

const double = new Float64Array(1);
/** Its low and its high half, on every machine that the program runs on. */
const words = new Int32Array(double.buffer);
/** Words of the square root of one half. */
const [ROOT_LOW, ROOT_HIGH] = [0x667f3bcd, 0x3fe6a09e];
/** The high part ends in zeros, so that its product with an exponent is exact. */
const [LN2_HIGH, LN2_LOW] = [0.6931471803691238, 1.9082149292705877e-10];
const SMALLEST = 2.2250738585072014e-308;
const FRACTION_BITS = 20;

/**
 * With x = 2^k × m and m from √½ to √2 it is k × ln 2 + 2 × artanh((m − 1) / (m + 1)). The series of
 * artanh needs eleven terms. JavaScript's own logarithm may differ between engines in the last bit.
 */
function naturalLogarithm(x: number): number {
  if (!(x >= SMALLEST && x < Number.POSITIVE_INFINITY)) return Number.NaN;
  double[0] = x;
  const borrow = words[0] >>> 0 < ROOT_LOW ? 1 : 0;
  const k = (words[1] - ROOT_HIGH - borrow) >> FRACTION_BITS;
  words[1] -= k << FRACTION_BITS;
  const f = double[0] - 1;
  const s = f / (f + 2);
  const square = s * s;
  let series = 0;
  for (let odd = 23; odd > 1; odd -= 2) series = (series + 1 / odd) * square;
  const twice = s + s;
  const low = k * LN2_LOW + twice * series;
  return k * LN2_HIGH + (twice + low);
}
