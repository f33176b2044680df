/**
 * Exact arithmetic, which judges the kernels and other libraries. Numbers are integers that count
 * units of 2^-320. Every double of a price is an integer of these units, sums are exact, and a
 * product, quotient or root is off by less than a unit.
 */

const FRACTION_BITS = 320;
const ONE = 1n << BigInt(FRACTION_BITS);

/** A number in units of 2^-320; undefined where an indicator has no value. */
export type Exact = bigint | undefined;

const bits = new DataView(new ArrayBuffer(8));

/** Exact for every finite double of size 2^-268 or more; what lies below a unit is dropped. */
export function exactFromDouble(value: number): bigint {
  if (!Number.isFinite(value)) throw new Error(`"${value}" has no exact form`);
  bits.setFloat64(0, value);
  const high = bits.getUint32(0);
  const exponent = (high >>> 20) & 0x7ff;
  const fraction = (BigInt(high & 0xfffff) << 32n) | BigInt(bits.getUint32(4));
  const mantissa = exponent === 0 ? fraction : fraction | (1n << 52n);
  // A shift by a negative count is one to the right.
  const units = mantissa << BigInt(Math.max(exponent, 1) - 1075 + FRACTION_BITS);
  return value < 0 ? -units : units;
}

/** The nearest double. */
export function doubleFromExact(value: bigint): number {
  return Number(value) / 2 ** FRACTION_BITS;
}

/** |actual − exact| as a share of `scale`; 0 only when they are equal. */
export function errorAgainst(actual: number, exact: bigint, scale: bigint): number {
  const error = size(exactFromDouble(actual) - exact);
  if (error === 0n) return 0;
  return scale === 0n ? Number.POSITIVE_INFINITY : Number((error << 128n) / scale) / 2 ** 128;
}

export function size(value: bigint): bigint {
  return value < 0n ? -value : value;
}

/** The number one, as the scale of an absolute error. */
export const EXACT_ONE = ONE;

/** The largest integer whose square is not above `value`, by Newton's method from above. */
export function squareRoot(value: bigint): bigint {
  if (value === 0n) return 0n;
  let root = 1n << BigInt((value.toString(16).length * 4 + 1) >> 1);
  for (;;) {
    const next = (root + value / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}
