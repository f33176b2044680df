import { doubleFromExact, EXACT_ONE, type Exact, exactFromDouble, squareRoot } from '../exact.ts';
import {
  absolute,
  add,
  type Definition,
  delay,
  deviation,
  divide,
  ema,
  exactColumn,
  highest,
  leastSquaresEnd,
  lowest,
  mean,
  ones,
  rowByRow,
  subtract,
  sum,
  times,
  trueRange,
  wilder,
} from './definition.ts';

/** Natural logarithm in float64; undefined for what is not above 0. */
const logarithm = (a: Exact[]): Exact[] =>
  rowByRow((x) => (x > 0n ? exactFromDouble(Math.log(doubleFromExact(x))) : undefined), a);

const returnsOf = (close: Float64Array): Exact[] =>
  logarithm(divide(exactColumn(close), delay(exactColumn(close), 1)));

/** Upper band, middle and lower band. */
function bands(middle: Exact[], width: Exact[]) {
  return { upper: add(middle, width), middle, lower: subtract(middle, width) };
}

function bollinger(close: Float64Array, period: number, k: number) {
  const values = exactColumn(close);
  return bands(mean(values, period), times(deviation(values, period), k));
}

/** Sizes of a close and its mean, in standard deviations. */
function closesInDeviations(close: Float64Array, period: number): Exact[] {
  const values = exactColumn(close);
  return divide(add(values, mean(values, period)), deviation(values, period));
}

export const volatility: Readonly<Record<string, Definition>> = {
  atr: {
    exact: (bars, { period }) => ({ atr: wilder(trueRange(bars), period) }),
    bound: 1e-13,
    measure: 'as a share of the value',
    scale: ({ atr }) => absolute(atr),
    params: [{ period: 1 }, { period: 4 }],
    longParams: [2, 50, 200].map((period) => ({ period })),
  },
  // The lower band may pass through zero, where no share of itself means anything.
  bollinger: {
    exact: ({ close }, { period, k }) => bollinger(close, period, k),
    bound: 1e-13,
    measure: 'as a share of the upper band',
    scale: ({ upper }) => absolute(upper),
    params: [
      { period: 1, k: 0.01 },
      { period: 4, k: 2.5 },
    ],
    longParams: [2, 20, 50, 200, 1000].map((period) => ({ period, k: 2 })),
  },
  stddev: {
    exact: ({ close }, { period }) => ({ stddev: deviation(exactColumn(close), period) }),
    bound: 1e-13,
    measure: 'as a share of the mean close',
    scale: (_, { close }, { period }) => mean(exactColumn(close), period),
    params: [{ period: 1 }, { period: 4 }],
    longParams: [50, 200].map((period) => ({ period })),
  },
  zscore: {
    exact({ close }, { period }) {
      const values = exactColumn(close);
      const distance = subtract(values, mean(values, period));
      return { zscore: divide(distance, deviation(values, period)) };
    },
    bound: 1e-13,
    measure: 'as a share of the prices in standard deviations',
    scale: (_, { close }, { period }) => closesInDeviations(close, period),
    params: [{ period: 2 }, { period: 4 }],
    longParams: [50, 200].map((period) => ({ period })),
  },
  natr: {
    exact: (bars, { period }) => ({
      natr: divide(times(wilder(trueRange(bars), period), 100), exactColumn(bars.close)),
    }),
    bound: 1e-13,
    measure: 'as a share of the value',
    scale: ({ natr }) => natr,
    params: [{ period: 1 }, { period: 4 }],
    longParams: [{ period: 200 }],
  },
  keltner: {
    exact: (bars, { period, k, atr }) =>
      bands(ema(exactColumn(bars.close), period), times(wilder(trueRange(bars), atr), k)),
    bound: 1e-13,
    measure: 'as a share of the upper band',
    scale: ({ upper, middle }, _bars, _params, output) => (output === 'middle' ? middle : upper),
    params: [
      { period: 1, k: 0.01, atr: 1 },
      { period: 4, k: 2.5, atr: 7 },
    ],
    longParams: [{ period: 200, k: 2, atr: 50 }],
  },
  donchian: {
    exact({ high, low }, { period }) {
      const upper = highest(exactColumn(high), period);
      const lower = lowest(exactColumn(low), period);
      return { upper, middle: times(add(upper, lower), 0.5), lower };
    },
    bound: 1e-15,
    measure: 'as a share of the upper line',
    scale: ({ upper }) => upper,
    params: [{ period: 1 }, { period: 4 }],
  },
  percent_b: {
    exact({ close }, { period, k }) {
      const { upper, lower } = bollinger(close, period, k);
      return { percent_b: divide(subtract(exactColumn(close), lower), subtract(upper, lower)) };
    },
    bound: 1e-13,
    measure: 'as a share of the prices in widths of the bands',
    scale({ percent_b }, { close }, { period, k }) {
      return add(ones(percent_b), times(closesInDeviations(close, period), 1 / (2 * k)));
    },
    params: [
      { period: 2, k: 0.01 },
      { period: 4, k: 2.5 },
    ],
    longParams: [{ period: 200, k: 2 }],
  },
  bandwidth: {
    exact({ close }, { period, k }) {
      const { upper, middle, lower } = bollinger(close, period, k);
      return { bandwidth: divide(times(subtract(upper, lower), 100), middle) };
    },
    bound: 1e-13,
    measure: 'as a share of the value plus 200 × k',
    scale: ({ bandwidth: value }, _, { k }) => add(value, times(ones(value), 200 * k)),
    params: [
      { period: 1, k: 0.01 },
      { period: 4, k: 2.5 },
    ],
    longParams: [{ period: 200, k: 2 }],
  },
  chop: {
    exact(bars, { period }) {
      const range = subtract(
        highest(exactColumn(bars.high), period),
        lowest(exactColumn(bars.low), period),
      );
      const path = logarithm(divide(sum(trueRange(bars), period), range));
      return { chop: times(path, 100 / Math.log(period)) };
    },
    bound: 1e-11,
    measure: 'in points, of logarithms in float64',
    scale: ({ chop }) => ones(chop),
    params: [{ period: 2 }, { period: 4 }],
    longParams: [{ period: 200 }],
  },
  historical_volatility: {
    exact: ({ close }, { period, year }) => ({
      historical_volatility: times(deviation(returnsOf(close), period), 100 * Math.sqrt(year)),
    }),
    bound: 1e-12,
    measure: 'as a share of the largest return, of logarithms in float64',
    scale: (_, { close }, { period, year }) =>
      times(highest(absolute(returnsOf(close)), period), 100 * Math.sqrt(year)),
    params: [
      { period: 2, year: 1 },
      { period: 4, year: 365 },
    ],
    longParams: [{ period: 200, year: 252 }],
  },
  true_range: {
    exact: (bars) => ({ true_range: trueRange(bars) }),
    bound: 1e-15,
    measure: 'as a share of the value',
    scale: ({ true_range: range }) => absolute(range),
    params: [],
  },
  chandelier: {
    exact(bars, { period, k }) {
      const [high, low] = [bars.high, bars.low].map(exactColumn);
      const width = times(wilder(trueRange(bars), period), k);
      return {
        long: subtract(highest(high, period), width),
        short: add(lowest(low, period), width),
      };
    },
    bound: 1e-13,
    measure: 'as a share of the highest high + the distance',
    scale: (_, bars, { period, k }) =>
      add(highest(exactColumn(bars.high), period), times(wilder(trueRange(bars), period), k)),
    params: [
      { period: 1, k: 0.01 },
      { period: 4, k: 2.5 },
    ],
    longParams: [{ period: 50, k: 3 }],
  },
  squeeze: {
    exact(bars, { period, k, width }) {
      const [high, low, close] = [bars.high, bars.low, bars.close].map(exactColumn);
      const middle = times(add(highest(high, period), lowest(low, period)), 0.5);
      const centre = times(add(middle, mean(close, period)), 0.5);
      const channel = times(mean(trueRange(bars), period), width);
      return {
        momentum: leastSquaresEnd(subtract(close, centre), period),
        on: rowByRow(
          (bands, range) => (bands < range ? EXACT_ONE : 0n),
          times(deviation(close, period), k),
          channel,
        ),
      };
    },
    bound: 1e-13,
    measure: 'as a share of the highest high of both windows',
    scale: (_, bars, { period }, output) =>
      output === 'on'
        ? ones(exactColumn(bars.high))
        : highest(exactColumn(bars.high), 2 * period - 1),
    params: [{ period: 4, k: 2.5, width: 2 }],
    longParams: [{ period: 50, k: 2, width: 1.5 }],
  },
  ulcer: {
    exact({ close }, { period }) {
      const values = exactColumn(close);
      const top = highest(values, period);
      const drawdown = times(divide(subtract(top, values), top), 100);
      const square = rowByRow((x) => (x * x) / EXACT_ONE, drawdown);
      return { ulcer: rowByRow((x) => squareRoot(x * EXACT_ONE), mean(square, period)) };
    },
    bound: 1e-13,
    measure: 'in points, and as a share of the value',
    scale: ({ ulcer }) => add(ones(ulcer), ulcer),
    params: [{ period: 1 }, { period: 4 }],
    longParams: [{ period: 50 }],
  },
};
