import type {
  IndicatorInput,
  IndicatorParams,
} from '../../../../src/compute/columns/indicator-spec.ts';
import { EXACT_ONE, type Exact, exactFromDouble, size } from '../exact.ts';
import {
  absolute,
  add,
  change,
  type Definition,
  delay,
  deviation,
  divide,
  ema,
  exactColumn,
  highest,
  lowest,
  mean,
  multiply,
  ones,
  subtract,
  sum,
  times,
  wilder,
  windowed,
} from './definition.ts';

const TERMS = 'as a share of the sizes of its terms';

const periods = (...values: number[]): IndicatorParams[] => values.map((period) => ({ period }));

/** Mean of the window with weights 1, 2, 3, …, the largest for the newest value. */
function wma(a: Exact[], period: number): Exact[] {
  const weights = BigInt((period * (period + 1)) / 2);
  return windowed(
    a,
    period,
    (values) => values.reduce((total, value, i) => total + BigInt(i + 1) * value, 0n) / weights,
  );
}

/** Tillson's expansion of his formula, over the third to the sixth EMA; or the sizes of its terms. */
function tillson(close: Float64Array, { period, factor: v }: IndicatorParams, isSizes = false) {
  const averages = [exactColumn(close)];
  for (let i = 0; i < 6; i++) averages.push(ema(averages[i], period));
  const weights = [
    1 + 3 * v + v ** 3 + 3 * v ** 2,
    -6 * v ** 2 - 3 * v - 3 * v ** 3,
    3 * v ** 2 + 3 * v ** 3,
    -(v ** 3),
  ];
  return weights
    .map((weight, i) => times(averages[3 + i], isSizes ? Math.abs(weight) : weight))
    .reduce((total, term) => add(total, term));
}

function hull(close: Float64Array, period: number, combine: typeof subtract): Exact[] {
  const values = exactColumn(close);
  const half = times(wma(values, Math.floor(period / 2)), 2);
  return wma(combine(half, wma(values, period)), Math.floor(Math.sqrt(period)));
}

function kaufman(close: Float64Array, { period, fast, slow }: IndicatorParams): Exact[] {
  const values = Array.from(close, exactFromDouble);
  const changes = values.map((value, i) => (i === 0 ? 0n : size(value - values[i - 1])));
  const [fastest, slowest] = [fast, slow].map((span) => (2n * EXACT_ONE) / BigInt(span + 1));
  let average = values[period - 1];
  return values.map((value, row) => {
    if (row < period) return undefined;
    const path = changes.slice(row + 1 - period, row + 1).reduce((a, b) => a + b);
    const net = size(value - values[row - period]);
    const efficiency = path === 0n ? EXACT_ONE : (net * EXACT_ONE) / path;
    const weight = slowest + (efficiency * (fastest - slowest)) / EXACT_ONE;
    average += (((weight * weight) / EXACT_ONE) * (value - average)) / EXACT_ONE;
    return average;
  });
}

/** Mean of the window with weights exp(−(i − m)² / 2s²), i from 0 for the oldest value. */
function legoux(close: Float64Array, { period, offset, sigma }: IndicatorParams): Exact[] {
  const m = offset * (period - 1);
  const s = period / sigma;
  const weights = Array.from({ length: period }, (_, i) =>
    exactFromDouble(Math.exp(-((i - m) ** 2) / (2 * s ** 2))),
  );
  const total = weights.reduce((a, b) => a + b);
  return windowed(
    exactColumn(close),
    period,
    (values) => values.reduce((sum, value, i) => sum + weights[i] * value, 0n) / total,
  );
}

/** Least squares over places 0 to period − 1: sums of products about the means. */
function leastSquares(close: Float64Array, { period }: IndicatorParams) {
  const n = BigInt(period);
  const places = Array.from({ length: period }, (_, i) => BigInt(i));
  const sumX = (n * (n - 1n)) / 2n;
  const xx = n * places.reduce((total, x) => total + x * x, 0n) - sumX * sumX;
  const fit = (of: (xy: bigint, yy: bigint, sumY: bigint) => Exact) =>
    windowed(exactColumn(close), period, (values) => {
      const sumY = values.reduce((a, b) => a + b);
      const xy = n * values.reduce((total, y, i) => total + places[i] * y, 0n) - sumX * sumY;
      const yy = n * values.reduce((total, y) => total + y * y, 0n) - sumY * sumY;
      return of(xy, yy, sumY);
    });
  return {
    value: fit((xy, _, sumY) => (sumY * xx + xy * ((n - 1n) * n - sumX)) / (n * xx)),
    slope: fit((xy) => xy / xx),
    r2: fit((xy, yy) => (yy === 0n ? undefined : (xy * xy * EXACT_ONE) / (xx * yy))),
  };
}

function typicalPrice({ high, low, close }: IndicatorInput): Exact[] {
  const [h, l, c] = [high, low, close].map(exactColumn);
  return add(add(h, l), c).map((value) => (value as bigint) / 3n);
}

const weighted = (prices: Exact[], volume: Float64Array, period: number): Exact[] =>
  divide(sum(multiply(prices, exactColumn(volume)), period), sum(exactColumn(volume), period));

export const averages: Readonly<Record<string, Definition>> = {
  sma: {
    exact: ({ close }, { period }) => ({ sma: mean(exactColumn(close), period) }),
    bound: 1e-13,
    measure: 'as a share of the value',
    scale: ({ sma }) => absolute(sma),
    params: periods(1, 4),
    longParams: periods(2, 20, 50, 200, 1000),
  },
  ema: {
    exact: ({ close }, { period }) => ({ ema: ema(exactColumn(close), period) }),
    bound: 1e-13,
    measure: 'as a share of the value',
    scale: (exact) => absolute(exact.ema),
    params: periods(1, 4),
    longParams: periods(2, 20, 50, 200),
  },
  wma: {
    exact: ({ close }, { period }) => ({ wma: wma(exactColumn(close), period) }),
    bound: 1e-13,
    measure: 'as a share of the value',
    scale: (exact) => absolute(exact.wma),
    params: periods(1, 4),
    longParams: periods(50, 200),
  },
  rma: {
    exact: ({ close }, { period }) => ({ rma: wilder(exactColumn(close), period) }),
    bound: 1e-13,
    measure: 'as a share of the value',
    scale: (exact) => absolute(exact.rma),
    params: periods(1, 4),
    longParams: periods(2, 20, 50, 200),
  },
  dema: {
    exact({ close }, { period }) {
      const once = ema(exactColumn(close), period);
      return { dema: subtract(times(once, 2), ema(once, period)) };
    },
    bound: 1e-13,
    measure: TERMS,
    scale(_, { close }, { period }) {
      const once = ema(exactColumn(close), period);
      return add(times(once, 2), ema(once, period));
    },
    params: periods(1, 4),
    longParams: periods(50, 200),
  },
  tema: {
    exact({ close }, { period }) {
      const once = ema(exactColumn(close), period);
      const twice = ema(once, period);
      return { tema: add(subtract(times(once, 3), times(twice, 3)), ema(twice, period)) };
    },
    bound: 1e-13,
    measure: TERMS,
    scale(_, { close }, { period }) {
      const once = ema(exactColumn(close), period);
      const twice = ema(once, period);
      return add(add(times(once, 3), times(twice, 3)), ema(twice, period));
    },
    params: periods(1, 4),
    longParams: periods(50, 200),
  },
  t3: {
    exact: ({ close }, params) => ({ t3: tillson(close, params) }),
    bound: 1e-13,
    measure: TERMS,
    scale: (_, { close }, params) => tillson(close, params, true),
    params: [
      { period: 1, factor: 0.01 },
      { period: 4, factor: 1 },
    ],
    longParams: [{ period: 50, factor: 0.7 }],
  },
  hma: {
    exact: ({ close }, { period }) => ({ hma: hull(close, period, subtract) }),
    bound: 1e-13,
    measure: TERMS,
    scale: (_, { close }, { period }) => hull(close, period, add),
    params: periods(2, 9),
    longParams: periods(50, 200),
  },
  kama: {
    exact: ({ close }, params) => ({ kama: kaufman(close, params) }),
    bound: 1e-12,
    measure: 'as a share of the value',
    scale: ({ kama }) => absolute(kama),
    params: [
      { period: 1, fast: 1, slow: 2 },
      { period: 4, fast: 2, slow: 9 },
    ],
    longParams: [{ period: 50, fast: 2, slow: 200 }],
  },
  vwma: {
    exact: ({ close, volume }, { period }) => ({
      vwma: weighted(exactColumn(close), volume, period),
    }),
    bound: 1e-13,
    measure: 'as a share of the value',
    scale: ({ vwma }) => absolute(vwma),
    params: periods(1, 4),
    longParams: periods(50, 200),
  },
  vwap: {
    exact: (bars, { period }) => ({ vwap: weighted(typicalPrice(bars), bars.volume, period) }),
    bound: 1e-13,
    measure: 'as a share of the value',
    scale: ({ vwap }) => absolute(vwap),
    params: periods(1, 4),
    longParams: periods(50, 200),
  },
  zlema: {
    exact({ close }, { period }) {
      const values = exactColumn(close);
      const lag = Math.floor((period - 1) / 2);
      return { zlema: ema(add(values, change(values, lag)), period) };
    },
    bound: 1e-13,
    measure: TERMS,
    scale({ zlema }, { close }, { period }) {
      const values = exactColumn(close);
      const before = delay(values, Math.floor((period - 1) / 2));
      return add(absolute(zlema), ema(add(times(values, 2), before), period));
    },
    params: periods(1, 4),
    longParams: periods(50, 200),
  },
  linreg: {
    exact: ({ close }, params) => leastSquares(close, params),
    bound: 1e-13,
    measure: 'as a share of the mean close (r2: in standard deviations; slope: of one)',
    scale({ r2 }, { close }, { period }, output) {
      const values = exactColumn(close);
      const [middle, width] = [mean(values, period), deviation(values, period)];
      if (output === 'r2') return add(ones(r2), divide(middle, width));
      return output === 'slope' ? width : middle;
    },
    params: periods(2, 4),
    longParams: periods(50, 200),
  },
  alma: {
    exact: ({ close }, params) => ({ alma: legoux(close, params) }),
    bound: 1e-13,
    measure: 'as a share of the value, with weights in float64',
    scale: ({ alma }) => absolute(alma),
    params: [
      { period: 1, offset: 0.5, sigma: 1 },
      { period: 4, offset: 1, sigma: 6 },
    ],
    longParams: [
      { period: 50, offset: 0.85, sigma: 20 },
      { period: 200, offset: 0.85, sigma: 0.5 },
    ],
  },
  midpoint: {
    exact({ close }, { period }) {
      const values = exactColumn(close);
      return { midpoint: times(add(highest(values, period), lowest(values, period)), 0.5) };
    },
    bound: 1e-15,
    measure: 'as a share of the value',
    scale: (exact) => absolute(exact.midpoint),
    params: periods(1, 4),
  },
};
