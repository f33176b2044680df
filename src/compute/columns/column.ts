/**
 * Expressions over columns of bars: what indicators and screens are made of. A function here only
 * describes a column; `program.ts` computes it, for many symbols side by side.
 *
 * A column has a value from row `first` of its series on, and NaN before.
 */

import * as codes from './operations/opcodes.ts';

/** Columns of bars. `session` is 1 in the first bar of a session, else 0. */
export type BarName = 'open' | 'high' | 'low' | 'close' | 'volume' | 'session';

/** Columns that an expression may start from: those of bars, and stored values of indicators. */
export type InputName = BarName | StoredInput | MadeName;

/** A published column of indicators, by its name in the files. */
export type StoredInput = `stored ${string}`;

/** Column that a source makes of others, by a name that tells its values. */
export type MadeName = `made ${string}`;

export type MadeInput =
  /** Number of the bar's day. */
  | { readonly kind: 'calendar'; readonly name: 'date' | 'weekday' | 'month' | 'year' }
  /** Value of a column over the bars of another symbol, on the same day. */
  | { readonly kind: 'symbol'; readonly symbol: string; readonly column: Column };

export interface Operation {
  readonly code: number;
  readonly inputs: readonly Column[];
  /** Length of the window or span, in bars; 0 where there is none. */
  readonly period: number;
  readonly factors: readonly number[];
  /** Numbers that it reads from memory; empty for most. */
  readonly table: readonly number[];
  /** Row at which it begins to read. */
  readonly start: number;
  /** Rows of state that it keeps, each of one number a symbol. */
  readonly stateRows: number;
}

/** A column of the input, one number, or an output of an operation. */
export type Column =
  | {
      readonly kind: 'input';
      readonly name: InputName;
      readonly first: 0;
      readonly made?: MadeInput;
    }
  | { readonly kind: 'number'; readonly value: number; readonly first: 0 }
  | {
      readonly kind: 'operation';
      readonly operation: Operation;
      /** 0 for the first output, 1 for the second. */
      readonly output: number;
      readonly first: number;
    };

/** A column, or a number that stands for a column of it. */
export type Operand = Column | number;

export function input(name: InputName): Column {
  return { kind: 'input', name, first: 0 };
}

/** Columns of bars, for expressions that start there. */
export type Bars = Readonly<Record<BarName, Column>>;

export const bar: Bars = {
  open: input('open'),
  high: input('high'),
  low: input('low'),
  close: input('close'),
  volume: input('volume'),
  session: input('session'),
};

interface Shape {
  period?: number;
  factors?: readonly number[];
  table?: readonly number[];
  /** Row at which it begins to read; by default where all inputs have values. */
  start?: number;
  /** Rows after the start without a value. */
  warmup?: number;
  stateRows?: number;
}

function operate(code: number, operands: readonly Operand[], shape: Shape = {}): Column[] {
  const { period = 0, factors = [], table = [], warmup = 0, stateRows = 0 } = shape;
  const inputs = operands.map(
    (operand): Column =>
      typeof operand === 'number' ? { kind: 'number', value: operand, first: 0 } : operand,
  );
  const { start = Math.max(...inputs.map(({ first }) => first)) } = shape;
  const operation = { code, inputs, period, factors, table, start, stateRows };
  return [0, 1].map((output) => ({
    kind: 'operation',
    operation,
    output,
    first: start + warmup,
  }));
}

const one = (code: number, operands: readonly Operand[], shape?: Shape): Column =>
  operate(code, operands, shape)[0];

// One row at a time.

export const add = (a: Operand, b: Operand): Column => one(codes.ADD, [a, b]);
export const subtract = (a: Operand, b: Operand): Column => one(codes.SUBTRACT, [a, b]);
export const multiply = (a: Operand, b: Operand): Column => one(codes.MULTIPLY, [a, b]);
/** NaN where the divisor is zero. */
export const divide = (a: Operand, b: Operand): Column => one(codes.DIVIDE, [a, b]);
export const smaller = (a: Operand, b: Operand): Column => one(codes.SMALLER, [a, b]);
export const larger = (a: Operand, b: Operand): Column => one(codes.LARGER, [a, b]);
/** `a`, or the bound that it is beyond: for quotients that rounding takes out of their range. */
export const bounded = (a: Operand, min: number, max: number): Column =>
  larger(smaller(a, max), min);
/** An average, which lies within what it averages: rounding takes that of equal values out of it. */
export const averageBetween = (average: Column, lows: Column, highs: Column): Column =>
  larger(smaller(average, highs), lows);
export const absolute = (a: Operand): Column => one(codes.ABSOLUTE, [a, a]);

/** Natural logarithm of a number above 0, else NaN. */
export const logarithm = (a: Operand): Column => one(codes.LOGARITHM, [a, a]);

/** NaN for a number below 0. */
export const squareRoot = (a: Operand): Column => one(codes.SQUARE_ROOT, [a, a]);

/** 1 where `a` is above `b`, 0 where it is not, NaN where one of them is. So is the next. */
export const above = (a: Operand, b: Operand): Column => one(codes.ABOVE, [a, b]);
export const equal = (a: Operand, b: Operand): Column => one(codes.EQUAL, [a, b]);

/** `a` where the condition is 1, `b` where it is 0, else NaN. */
export const choose = (condition: Column, a: Operand, b: Operand): Column =>
  one(codes.CHOOSE, [condition, a, b]);

/** The column with NaN written in the rows before its first value, for operations that accept NaN. */
const padded = (a: Column): Column =>
  a.first === 0 ? a : one(codes.PADDED, [a], { period: a.first, start: 0 });

/** The same from the first row on at which one of the operands has a value. */
export function chooseAny(condition: Column, a: Column, b: Column): Column {
  const parts = [condition, a, b];
  const isTogether = parts.every(({ first }) => first === condition.first);
  const [c, x, y] = isTogether ? parts : parts.map(padded);
  return choose(c, x, y);
}

/** Both operands from the first row on that one of them has. */
function together(a: Column, b: Column): Column[] {
  return a.first === b.first ? [a, b] : [padded(a), padded(b)];
}

/** 0 where one of two conditions is 0, else NaN where one is NaN, else 1. */
export const both = (a: Column, b: Column): Column => one(codes.BOTH, together(a, b));
/** 1 where one of two conditions is 1, else NaN where one is NaN, else 0. */
export const either = (a: Column, b: Column): Column => one(codes.EITHER, together(a, b));
export const negation = (condition: Column): Column => subtract(1, condition);

/** 1 where the column has no value, else 0; 1 in the rows before its first value too. */
export function isNull(a: Column): Column {
  const whole = padded(a);
  return one(codes.IS_NULL, [whole, whole]);
}

/** The quotient, and `other` where `b` is 0: for averages and totals, which NaN would end. */
export const divideOr = (a: Operand, b: Operand, other: number): Column =>
  choose(equal(b, 0), other, divide(a, b));

/** Mean of high, low and close. */
export const typicalPrice = ({ high, low, close }: Bars): Column =>
  averageBetween(divide(add(add(high, low), close), 3), low, high);

// This row and earlier ones.

/** Value `bars` rows before. */
export const delay = (a: Column, bars: number): Column =>
  bars === 0 ? a : one(codes.DELAY, [a], { period: bars, warmup: bars, stateRows: bars });

/** Value one row before, and 0 in the first row. */
export const previousOrZero = (a: Operand): Column =>
  one(codes.DELAY, [a], { period: 1, stateRows: 1 });

/** Difference from the value `bars` rows before. */
export const change = (a: Column, bars = 1): Column => subtract(a, delay(a, bars));

/** Share of a price that rounding of three decimals and their sum can change. */
const ROUNDING = 2 ** -49;

/** `a`, a difference between sums of prices near `price`; 0 where rounding alone makes it. */
export const moreThanRounding = (a: Column, price: Column): Column =>
  choose(above(absolute(a), multiply(price, ROUNDING)), a, 0);

/**
 * Change of the sum of high, low and close; 0 where only their rounding changes it, since prices are
 * decimals. Changes of prices near each other are exact, which a change of their sum is not.
 */
export function typicalMove({ high, low, close }: Bars): Column {
  const move = add(add(change(high), change(low)), change(close));
  return moreThanRounding(move, high);
}

/** Change over `bars` rows in percent of the value before. */
export const percentChange = (a: Column, bars: number): Column =>
  multiply(divide(change(a, bars), delay(a, bars)), 100);

/**
 * Largest of high − low, |high − last close| and |low − last close|, from the second bar on.
 */
export function trueRange({ high, low, close }: Bars): Column {
  const last = delay(close, 1);
  const moves = larger(absolute(subtract(high, last)), absolute(subtract(low, last)));
  return larger(subtract(high, low), moves);
}

/**
 * Exponential average with weight 2 / (period + 1), seeded with the mean of the first `period`
 * values. It carries the average minus the value, so that the level of prices costs no digits.
 */
export const ema = (a: Column, period: number): Column =>
  one(codes.EMA, [a], { period, warmup: period - 1, stateRows: 2 });

/** That average minus the value. */
export const emaLag = (a: Column, period: number): Column =>
  one(codes.EMA_LAG, [a], { period, warmup: period - 1, stateRows: 2 });

/** The same average of values around 0, such as differences of prices. */
export const smooth = (a: Column, period: number): Column =>
  one(codes.SMOOTH, [a], { period, warmup: period - 1, stateRows: 1 });

/** Wilder's average: weight 1 / period, seeded with the mean of the first `period` values. */
export const wilder = (a: Column, period: number): Column =>
  one(codes.WILDER, [a], { period, warmup: period - 1, stateRows: 1 });

export const relativeStrength = (a: Column, period: number): Column =>
  one(codes.RSI, [a], { period, warmup: period, stateRows: 3 });

/** Moves from its last value towards `a`, by the share of the way; from `origin` in its first row. */
export const follow = (a: Column, share: Operand, origin: Operand = a): Column =>
  one(codes.FOLLOW, [a, share, origin], { stateRows: 1 });

/**
 * Moves from its last value, 0 at first, towards `a` by a share of the way. A value beyond a bound
 * becomes another one, from which it goes on.
 */
export const snapped = (a: Column, share: number, { beyond, to }: Snap): Column =>
  one(codes.SNAPPED, [a], { factors: [share, beyond, to], stateRows: 1 });

interface Snap {
  /** Size above which a value counts as `to`, with its sign. */
  beyond: number;
  to: number;
}

/**
 * 1 if the condition is 1 on any of the last `bars` rows, else NaN if it is NaN on one of them or
 * one is before the first row, else 0.
 */
export const within = (condition: Column, bars: number): Column =>
  one(codes.WITHIN, [condition], { period: bars, stateRows: 2 });

/** 1 if the condition is 1 on all of the last `bars` rows, else 0 or NaN as `within` has it. */
export const throughout = (condition: Column, bars: number): Column =>
  negation(within(negation(condition), bars));

/** The column, with its last value where it has none. */
export const held = (a: Column): Column => one(codes.HELD, [a], { stateRows: 1 });

/** Running total. It starts again where `restart` is not 0. */
export const total = (a: Column, restart: Operand = 0): Column =>
  one(codes.TOTAL, [a, restart], { stateRows: 1 });

/** Largest value since the last row, itself included, at which `restart` was not 0. */
export const highestSince = (a: Column, restart: Column): Column =>
  one(codes.HIGHEST_SINCE, [a, restart], { stateRows: 1 });

/** Rows that follow the slots of a window: prefix, pivot, last mean, whole, prefix two. */
const WINDOW_FIELDS = 5;

/** Returns the row of a sum's state that holds the last mean. */
export const lastMeanRow = ({ period }: Operation): number => period + 2;

export const mean = (a: Column, period: number): Column =>
  one(codes.MEAN, [a], { period, warmup: period - 1, stateRows: period + WINDOW_FIELDS });

/** Sum of the last `period` values. */
export const sum = (a: Column, period: number): Column => multiply(mean(a, period), period);

/** A sum of it with a number of whole size drops all digits behind the point. */
const WHOLE = 2 ** 52;

/** Covariance of two columns over the last `period` rows, and the variances of both. */
function covariance(a: Column, b: Column, period: number) {
  const variance = (of: Column) => {
    const { deviation } = meanAndDeviation(of, period);
    return multiply(deviation, deviation);
  };
  const shared = divide(subtract(variance(add(a, b)), variance(subtract(a, b))), 4);
  return { shared, ofA: variance(a), ofB: variance(b) };
}

/** Slope of `a` on `b` over the last rows; NaN if `b` has one value. */
export function slopeOn(a: Column, b: Column, period: number): Column {
  const { shared, ofB } = covariance(a, b, period);
  return divide(shared, ofB);
}

/** Pearson's correlation over the last rows; NaN if one of them has one value. */
export function correlationOf(a: Column, b: Column, period: number): Column {
  const { shared } = covariance(a, b, period);
  const [x, y] = [a, b].map((of) => meanAndDeviation(of, period).deviation);
  return bounded(divide(shared, multiply(x, y)), -1, 1);
}

/** Number of the last `period` rows on which a condition is 1: a whole number, to the bit. */
export const countOf = (condition: Column, period: number): Column =>
  subtract(add(sum(condition, period), WHOLE), WHOLE);

/** Number of the row, from 1 on. */
export const rowNumber: Column = total({ kind: 'number', value: 1, first: 0 });

/** Rows since a condition was 1 last, 0 on such a row; NaN before the first one. */
export const rowsSince = (condition: Column): Column =>
  subtract(rowNumber, held(divide(rowNumber, condition)));

/** Mean and population standard deviation. */
export function meanAndDeviation(a: Column, period: number): { mean: Column; deviation: Column } {
  const stateRows = 2 * period + WINDOW_FIELDS;
  const [deviation, mean] = operate(codes.DEVIATION, [a], {
    period,
    warmup: period - 1,
    stateRows,
  });
  return { mean, deviation };
}

/** Mean with weights 1 for the oldest value to `period` for the newest. */
export const weightedMean = (a: Column, period: number): Column =>
  one(codes.WEIGHTED, [a], { period, warmup: period - 1, stateRows: 2 * period + WINDOW_FIELDS });

/** `weightedMean` minus the mean, and the mean: the price level costs no digits of either. */
export function leanAndMean(a: Column, period: number): { lean: Column; mean: Column } {
  const stateRows = 2 * period + WINDOW_FIELDS;
  const [lean, mean] = operate(codes.LEAN, [a], { period, warmup: period - 1, stateRows });
  return { lean, mean };
}

/** Sum of the last values times weights above 0 that add up to 1, the oldest value's first. */
export function weightedBy(a: Column, weights: readonly number[]): Column {
  const period = weights.length;
  const heaviest = weights.indexOf(Math.max(...weights));
  const shape = { period, factors: [heaviest], table: weights };
  return one(codes.WEIGHTED_BY, [a], { ...shape, warmup: period - 1, stateRows: period });
}

/** Mean distance of the last values from the present value of `centre`. */
export const meanDistance = (a: Column, centre: Column, period: number): Column =>
  one(codes.MEAN_DISTANCE, [a, centre], {
    period,
    start: a.first,
    warmup: Math.max(period - 1, centre.first - a.first),
    stateRows: period,
  });

export const highest = (a: Column, period: number): Column =>
  one(codes.HIGHEST, [a], { period, warmup: period - 1, stateRows: period + 1 });
export const lowest = (a: Column, period: number): Column =>
  one(codes.LOWEST, [a], { period, warmup: period - 1, stateRows: period + 1 });

/** Bars since the highest of the last `period` values; the newest of equal ones counts. */
export const barsSinceHighest = (a: Column, period: number): Column =>
  one(codes.SINCE_HIGHEST, [a], { period, warmup: period - 1, stateRows: 2 * period + 2 });
export const barsSinceLowest = (a: Column, period: number): Column =>
  one(codes.SINCE_LOWEST, [a], { period, warmup: period - 1, stateRows: 2 * period + 2 });

/** Numbers of the last `period` values that are below the present one, and that equal it. */
export function placeAmong(a: Column, period: number): { below: Column; equal: Column } {
  const shape = { period, warmup: period - 1, stateRows: period };
  const [below, equal] = operate(codes.PLACE_AMONG, [a], shape);
  return { below, equal };
}

/** Rank of a value among the last `period`, 0 for the smallest one to 1; equal ones have their mean. */
export function percentRank(a: Column, period: number): Column {
  const { below, equal } = placeAmong(a, period);
  return divide(add(below, multiply(subtract(equal, 1), 0.5)), period - 1);
}

/** Quantile of the last `period` values, between the two nearest ones (type 7). */
export const quantileOf = (a: Column, period: number, share: number): Column =>
  one(codes.QUANTILE, [a], { period, factors: [share], warmup: period - 1, stateRows: period });

/** Wilder's Parabolic Stop and Reverse, with the step and the most of its acceleration. */
export const parabolicStop = (high: Column, low: Column, step: number, most: number): Column =>
  one(codes.PARABOLIC, [high, low], { factors: [step, most], warmup: 1, stateRows: 8 });

/** Follows the lower band in an upward trend (direction 1) and the upper in a downward one (−1). */
export function trendOfBands(
  upper: Column,
  lower: Column,
  close: Column,
): { line: Column; direction: Column } {
  const [line, direction] = operate(codes.TREND, [upper, lower, close], { stateRows: 4 });
  return { line, direction };
}
