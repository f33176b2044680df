/** Ratios of integers, and columns scaled by them with one correct rounding. */

/** Both are positive integers. */
export interface Ratio {
  numerator: number;
  denominator: number;
}

function greatestCommonDivisor(a: number, b: number): number {
  while (b !== 0) [a, b] = [b, a % b];
  return a;
}

/**
 * Returns the product of two ratios in lowest terms. Exact while both terms stay below 2^53; longer
 * chains of splits are off by a few units in the last place.
 */
export function productOfRatios(a: Ratio, b: Ratio): Ratio {
  const left = greatestCommonDivisor(a.numerator, b.denominator);
  const right = greatestCommonDivisor(b.numerator, a.denominator);
  const numerator = (a.numerator / left) * (b.numerator / right);
  const denominator = (a.denominator / right) * (b.denominator / left);
  const rest = greatestCommonDivisor(numerator, denominator);
  return { numerator: numerator / rest, denominator: denominator / rest };
}

export function inverse({ numerator, denominator }: Ratio): Ratio {
  return { numerator: denominator, denominator: numerator };
}

function isPowerOfTwo(value: number): boolean {
  return value === 2 ** Math.round(Math.log2(value));
}

/**
 * Multiplies each value by numerator ÷ denominator: exact arithmetic rounded once.
 *
 * @param out Receives the result; may be `column` itself.
 */
export function scaleColumn(
  column: Float64Array,
  { numerator, denominator }: Ratio,
  out: Float64Array = new Float64Array(column.length),
): Float64Array {
  if (numerator === denominator) {
    if (out !== column) out.set(column);
  } else if (isPowerOfTwo(numerator) || isPowerOfTwo(denominator)) {
    // One of the two operations is exact, so there is a single rounding already: 4:1, 3:2, 1:10.
    for (let i = 0; i < column.length; i++) out[i] = (column[i] * numerator) / denominator;
  } else {
    for (let i = 0; i < column.length; i++)
      out[i] = scaleExactly(column[i], numerator, denominator);
  }
  return out;
}

/**
 * Divides the unrounded product. The remainder of a rounded quotient is a float itself, so only the
 * last addition rounds.
 */
function scaleExactly(value: number, numerator: number, denominator: number): number {
  const product = value * numerator;
  const lost = roundingOfProduct(value, numerator, product);
  const quotient = product / denominator;
  const back = quotient * denominator;
  const remainder = product - back - roundingOfProduct(quotient, denominator, back) + lost;
  return quotient + remainder / denominator;
}

/** 2^27 + 1 cuts a float into two halves of 26 bits, whose products are exact. */
const HALVER = 134_217_729;

/** a × b − product, exactly (Dekker 1971). */
function roundingOfProduct(a: number, b: number, product: number): number {
  const cutA = HALVER * a;
  const highA = cutA - (cutA - a);
  const lowA = a - highA;
  const cutB = HALVER * b;
  const highB = cutB - (cutB - b);
  const lowB = b - highB;
  return lowA * lowB - (product - highA * highB - lowA * highB - highA * lowB);
}
