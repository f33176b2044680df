/** The shape of an indicator's definition in exact arithmetic, and columns to write it with. */

import type {
  IndicatorInput,
  IndicatorParams,
} from '../../../../src/compute/columns/indicator-spec.ts';
import { EXACT_ONE, type Exact, exactFromDouble, size, squareRoot } from '../exact.ts';

/** Columns by output, as long as the bars. */
export type ExactColumns = Readonly<Record<string, Exact[]>>;

export interface Definition {
  /** Outputs in exact arithmetic, written from the published formula, not from the kernel. */
  exact(bars: IndicatorInput, params: IndicatorParams): ExactColumns;
  /** Greatest error allowed. */
  bound: number;
  /** Unit of the error. */
  measure: string;
  /** The same in numbers, row by row. */
  scale(
    exact: ExactColumns,
    bars: IndicatorInput,
    params: IndicatorParams,
    output: string,
  ): Exact[];
  /** Parameters besides the defaults: the smallest, and some that fit into short series. */
  params: readonly IndicatorParams[];
  /** Longer spans, for accuracy alone. */
  longParams?: readonly IndicatorParams[];
}

export const exactColumn = (column: Float64Array): Exact[] => Array.from(column, exactFromDouble);

/** Applies a function to each row; undefined where one of the columns is. */
export function rowByRow(of: (...values: bigint[]) => Exact, ...columns: Exact[][]): Exact[] {
  return columns[0].map((_, row) => {
    const values = columns.map((column) => column[row]);
    return values.includes(undefined) ? undefined : of(...(values as bigint[]));
  });
}

export const add = (a: Exact[], b: Exact[]) => rowByRow((x, y) => x + y, a, b);
export const subtract = (a: Exact[], b: Exact[]) => rowByRow((x, y) => x - y, a, b);
export const multiply = (a: Exact[], b: Exact[]) => rowByRow((x, y) => (x * y) / EXACT_ONE, a, b);
/** Undefined where the divisor is zero. */
export const divide = (a: Exact[], b: Exact[]) =>
  rowByRow((x, y) => (y === 0n ? undefined : (x * EXACT_ONE) / y), a, b);
export const larger = (a: Exact[], b: Exact[]) => rowByRow((x, y) => (x > y ? x : y), a, b);
export const smaller = (a: Exact[], b: Exact[]) => rowByRow((x, y) => (x < y ? x : y), a, b);
export const absolute = (a: Exact[]) => rowByRow(size, a);
export const times = (a: Exact[], factor: number) =>
  rowByRow((x) => (x * exactFromDouble(factor)) / EXACT_ONE, a);

/** The number one in every row, as the scale of an absolute error. */
export const ones = (a: Exact[]): Exact[] => a.map(() => EXACT_ONE);

export const delay = (a: Exact[], bars: number): Exact[] => a.map((_, row) => a[row - bars]);
export const change = (a: Exact[], bars = 1): Exact[] => subtract(a, delay(a, bars));

/** Applies a function to the last `period` values, the oldest first. */
export function windowed(a: Exact[], period: number, of: (values: bigint[]) => Exact): Exact[] {
  return a.map((_, row) => {
    const values = a.slice(Math.max(0, row + 1 - period), row + 1);
    const isWhole = values.length === period && !values.includes(undefined);
    return isWhole ? of(values as bigint[]) : undefined;
  });
}

export function sum(a: Exact[], period: number): Exact[] {
  let total = 0n;
  let count = 0;
  return a.map((value, row) => {
    const leaving = a[row - period];
    total += (value ?? 0n) - (leaving ?? 0n);
    count += Number(value !== undefined) - Number(leaving !== undefined);
    return count === period ? total : undefined;
  });
}

export const mean = (a: Exact[], period: number): Exact[] =>
  sum(a, period).map((total) => (total === undefined ? undefined : total / BigInt(period)));

/** Population standard deviation of the last `period` values: the root of E[x²] − E[x]². */
export function deviation(a: Exact[], period: number): Exact[] {
  const squares = a.map((value) => (value === undefined ? undefined : value * value));
  const count = BigInt(period);
  return rowByRow(
    (total, totalOfSquares) =>
      squareRoot((count * totalOfSquares - total * total) / (count * count)),
    sum(a, period),
    sum(squares, period),
  );
}

export const highest = (a: Exact[], period: number): Exact[] =>
  windowed(a, period, (values) => values.reduce((x, y) => (x > y ? x : y)));
export const lowest = (a: Exact[], period: number): Exact[] =>
  windowed(a, period, (values) => values.reduce((x, y) => (x < y ? x : y)));

/** Average that keeps `kept` of `whole` parts at each value, seeded with a mean of `period`. */
function smoothed(a: Exact[], period: number, kept: bigint, whole: bigint): Exact[] {
  let count = 0;
  let average = 0n;
  return a.map((value) => {
    if (value === undefined) return undefined;
    count++;
    if (count <= period) average += value;
    if (count === period) average /= BigInt(period);
    if (count > period) average = (kept * average + (whole - kept) * value) / whole;
    return count < period ? undefined : average;
  });
}

/** Weight 2 / (period + 1), seeded with the mean of the first values. Rows without one are skipped. */
export const ema = (a: Exact[], period: number): Exact[] =>
  smoothed(a, period, BigInt(period - 1), BigInt(period + 1));

/** Weight 1 / period, seeded in the same way. */
export const wilder = (a: Exact[], period: number): Exact[] =>
  smoothed(a, period, BigInt(period - 1), BigInt(period));

/** Largest of high − low, |high − last close| and |low − last close|, from the second bar on. */
export function trueRange(bars: IndicatorInput): Exact[] {
  const [high, low, close] = [bars.high, bars.low, bars.close].map(exactColumn);
  const last = delay(close, 1);
  const moves = larger(absolute(subtract(high, last)), absolute(subtract(low, last)));
  return larger(subtract(high, low), moves);
}

/** Mean of high, low and close. */
export function typicalPrice(bars: IndicatorInput): Exact[] {
  const [high, low, close] = [bars.high, bars.low, bars.close].map(exactColumn);
  return rowByRow((h, l, c) => (h + l + c) / 3n, high, low, close);
}

/** Change over `bars` rows in percent of the value before. */
export const percentChange = (a: Exact[], bars: number): Exact[] =>
  times(divide(change(a, bars), delay(a, bars)), 100);

/** Mean with weights 1 for the oldest value to `period` for the newest. */
export const weightedMean = (a: Exact[], period: number): Exact[] =>
  windowed(a, period, (values) => {
    const total = values.reduce((sum, value, i) => sum + value * BigInt(i + 1), 0n);
    return total / BigInt((period * (period + 1)) / 2);
  });

/** Running total; rows without a value add nothing. */
export function total(a: Exact[]): Exact[] {
  let sum = 0n;
  return a.map((value) => {
    sum += value ?? 0n;
    return sum;
  });
}

/** Puts 0 where a column has no value, from row `first` on. */
export const orZero = (a: Exact[], first: number): Exact[] =>
  a.map((value, row) => (row < first ? value : (value ?? 0n)));

/** End of the line of least squares through the last `period` values: 3 × WMA − 2 × mean. */
export const leastSquaresEnd = (a: Exact[], period: number): Exact[] =>
  subtract(times(weightedMean(a, period), 3), times(mean(a, period), 2));

/** Goes from its last value towards the column by a share of the way, first from an origin. */
export function followed(a: Exact[], share: number, origin?: number): Exact[] {
  const part = exactFromDouble(share);
  let last = origin === undefined ? undefined : exactFromDouble(origin);
  return a.map((value) => {
    if (value === undefined) return undefined;
    last = last === undefined ? value : last + (part * (value - last)) / EXACT_ONE;
    return last;
  });
}

/** Greatest value up to each row; undefined before the first one. */
export function greatestSoFar(a: Exact[]): Exact[] {
  let most: Exact;
  return a.map((value) => {
    if (value !== undefined && (most === undefined || value > most)) most = value;
    return most;
  });
}
