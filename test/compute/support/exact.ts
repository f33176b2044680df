/**
 * The indicators in exact arithmetic, straight from their definitions: the judge of the
 * kernels and of other libraries. Numbers are integers counting units of 2^-320. Every double of
 * a price is such an integer, sums are exact, and a division or root is off by less than a unit.
 */

import type { IndicatorInput } from '../../../src/compute/columns/indicator-spec.ts';

const FRACTION_BITS = 320;
const ONE = 1n << BigInt(FRACTION_BITS);

/** A number in units of 2^-320; undefined where an indicator has no value. */
export type Exact = bigint | undefined;

/** Seed of an EMA: ours is the mean of the first closes; some libraries take the first one. */
export type EmaSeed = 'mean' | 'first';

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

export function exactSma(close: Float64Array, period: number): Exact[] {
  const values = Array.from(close, exactFromDouble);
  let sum = 0n;
  return values.map((value, i) => {
    sum += value - (i >= period ? values[i - period] : 0n);
    return i < period - 1 ? undefined : sum / BigInt(period);
  });
}

export function exactEma(close: Float64Array, period: number, seed: EmaSeed = 'mean'): Exact[] {
  return emaOf(Array.from(close, exactFromDouble), period, seed);
}

/** Values before the first defined one are skipped; the average is seeded on what follows. */
function emaOf(values: Exact[], period: number, seed: EmaSeed): Exact[] {
  const p = BigInt(period);
  const seedCount = seed === 'mean' ? period : 1;
  let count = 0;
  let sum = 0n;
  let average = 0n;
  return values.map((value) => {
    if (value === undefined) return undefined;
    count++;
    if (count <= seedCount) {
      sum += value;
      average = sum / BigInt(seedCount);
    } else {
      average = ((p - 1n) * average + 2n * value) / (p + 1n);
    }
    return count < seedCount ? undefined : average;
  });
}

export interface ExactMacd {
  macd: Exact[];
  signal: Exact[];
  histogram: Exact[];
}

export function exactMacd(
  close: Float64Array,
  fast: number,
  slow: number,
  signal: number,
  seed: EmaSeed = 'mean',
): ExactMacd {
  const fastAverage = exactEma(close, fast, seed);
  const line = exactEma(close, slow, seed).map((slowAverage, i) =>
    slowAverage === undefined ? undefined : (fastAverage[i] as bigint) - slowAverage,
  );
  const signalLine = emaOf(line, signal, seed);
  const histogram = signalLine.map((average, i) =>
    average === undefined ? undefined : (line[i] as bigint) - average,
  );
  return { macd: line, signal: signalLine, histogram };
}

export function exactRsi(close: Float64Array, period: number): Exact[] {
  const values = Array.from(close, exactFromDouble);
  const p = BigInt(period);
  let net = 0n;
  let gross = 0n;
  let flatCount = 0n;
  return values.map((value, i) => {
    if (i > 0) {
      const change = value - values[i - 1];
      if (i > period && change === 0n) {
        // Both sums shrink alike, so the index stands still; shrinking them here would lose bits.
        flatCount++;
      } else {
        const steps = i > period ? flatCount + 1n : 0n;
        net = (net * (p - 1n) ** steps) / p ** steps + change;
        gross = (gross * (p - 1n) ** steps) / p ** steps + size(change);
        flatCount = 0n;
      }
    }
    return i < period || gross === 0n ? undefined : 50n * ONE + (50n * ONE * net) / gross;
  });
}

export function exactAtr({ high, low, close }: IndicatorInput, period: number): Exact[] {
  const [highs, lows, closes] = [high, low, close].map((column) =>
    Array.from(column, exactFromDouble),
  );
  const p = BigInt(period);
  let average = 0n;
  return closes.map((_, i) => {
    if (i === 0) return undefined;
    const last = closes[i - 1];
    const ranges = [highs[i] - lows[i], size(highs[i] - last), size(lows[i] - last)];
    const range = ranges.reduce((a, b) => (a > b ? a : b));
    if (i <= period) average += range;
    if (i === period) average /= p;
    if (i > period) average = ((p - 1n) * average + range) / p;
    return i < period ? undefined : average;
  });
}

export interface ExactBollinger {
  upper: Exact[];
  middle: Exact[];
  lower: Exact[];
}

export function exactBollinger(close: Float64Array, period: number, k: number): ExactBollinger {
  const values = Array.from(close, exactFromDouble);
  const p = BigInt(period);
  const factor = exactFromDouble(k);
  let sum = 0n;
  let squares = 0n;
  const width = values.map((value, i) => {
    const leaving = i >= period ? values[i - period] : 0n;
    sum += value - leaving;
    squares += value * value - leaving * leaving;
    if (i < period - 1) return undefined;
    const deviation = squareRoot((p * squares - sum * sum) / (p * p));
    return (factor * deviation) / ONE;
  });
  const middle = exactSma(close, period);
  const band = (side: bigint) =>
    middle.map((mean, i) => (mean === undefined ? undefined : mean + side * (width[i] as bigint)));
  return { upper: band(1n), middle, lower: band(-1n) };
}

/** The largest integer whose square is not above `value`, by Newton's method from above. */
function squareRoot(value: bigint): bigint {
  if (value === 0n) return 0n;
  let root = 1n << BigInt((value.toString(16).length * 4 + 1) >> 1);
  for (;;) {
    const next = (root + value / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}
