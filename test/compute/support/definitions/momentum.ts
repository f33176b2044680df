import type {
  IndicatorInput,
  IndicatorParams,
} from '../../../../src/compute/columns/indicator-spec.ts';
import { doubleFromExact, EXACT_ONE, type Exact, exactFromDouble, size } from '../exact.ts';
import {
  absolute,
  add,
  change,
  type Definition,
  delay,
  divide,
  ema,
  exactColumn,
  followed,
  greatestSoFar,
  highest,
  larger,
  lowest,
  mean,
  multiply,
  ones,
  orZero,
  percentChange,
  rowByRow,
  smaller,
  subtract,
  sum,
  times,
  typicalPrice,
  weightedMean,
  windowed,
} from './definition.ts';

const hundreds = (a: Exact[]) => times(ones(a), 100);
const fastSlow = [
  { fast: 1, slow: 2 },
  { fast: 3, slow: 5 },
];
const periods = [{ period: 2 }, { period: 4 }];

/** Percent of the range of the RSI, which counts as none up to a billionth of a point. */
function stochasticRsi(close: Float64Array, { rsi: span, period }: IndicatorParams) {
  const rsi = exactRsi(close, span);
  const bottom = lowest(rsi, period);
  const range = rowByRow(
    (top, low) => (top - low > exactFromDouble(1e-9) ? top - low : undefined),
    highest(rsi, period),
    bottom,
  );
  return { range, place: times(divide(subtract(rsi, bottom), range), 100) };
}

/** Differences of prices, and 0 where rounding of decimals may make them. */
const moreThanRounding = (a: Exact[], price: Exact[]) =>
  rowByRow((x, near) => (size(x) * 2n ** 49n <= near ? 0n : x), a, price);

function cci(bars: IndicatorInput, period: number) {
  const price = typicalPrice(bars);
  const deviation = windowed(price, period, (values) => {
    const count = BigInt(period);
    const total = values.reduce((a, b) => a + b);
    return values.reduce((a, b) => a + size(b * count - total), 0n) / (count * count);
  });
  return { price, unit: times(moreThanRounding(deviation, mean(price, period)), 0.015) };
}

function exactRsi(close: Float64Array, period: number): Exact[] {
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
    return i < period || gross === 0n
      ? undefined
      : 50n * EXACT_ONE + (50n * EXACT_ONE * net) / gross;
  });
}

/** Numbers of closes in a row that rose, or fell: then with a minus. */
function runsOf(close: Float64Array): bigint[] {
  let run = 0n;
  return Array.from(close, (value, i) => {
    const move = i === 0 ? 0 : value - close[i - 1];
    if (move > 0) run = run > 0n ? run + 1n : 1n;
    else if (move < 0) run = run < 0n ? run - 1n : -1n;
    else run = 0n;
    return run;
  });
}

/** Percent of the `count` values before that are less. */
const shareBelow = (a: Exact[], count: number): Exact[] =>
  windowed(a, count + 1, (values) => {
    const last = values.at(-1) as bigint;
    return (100n * EXACT_ONE * BigInt(values.filter((x) => x < last).length)) / BigInt(count);
  });

/** Place of a column in its window, held while the range is at most `still`, and its ranges. */
function cycleOf(a: Exact[], period: number, still: Exact[]) {
  const bottom = lowest(a, period);
  const range = subtract(highest(a, period), bottom);
  let last = 0n;
  const place = a.map((value, row) => {
    const width = range[row];
    if (width === undefined) return undefined;
    if (width > (still[row] as bigint)) {
      last = (100n * EXACT_ONE * ((value as bigint) - (bottom[row] as bigint))) / width;
    }
    return last;
  });
  return { range, line: followed(place, 0.5) };
}

function schaff(close: Float64Array, { fast, slow, period }: IndicatorParams) {
  const values = exactColumn(close);
  const line = subtract(ema(values, fast), ema(values, slow));
  const first = cycleOf(line, period, times(values, 1e-9));
  const second = cycleOf(first.line, period, times(ones(values), 1e-9));
  return { ranges: [first.range, second.range], values, line: second.line };
}

/** Smoothed place of the middle price in its window, −1 to 1. */
function fisherPlace({ high, low }: IndicatorInput, period: number): Exact[] {
  const middle = times(add(exactColumn(high), exactColumn(low)), 0.5);
  const bottom = lowest(middle, period);
  const range = moreThanRounding(subtract(highest(middle, period), bottom), middle);
  const [third, most, bound] = [0.33, 0.99, 0.999].map(exactFromDouble);
  let last = 0n;
  return middle.map((value, row) => {
    const width = range[row];
    if (width === undefined) return undefined;
    const above = (value as bigint) - (bottom[row] as bigint);
    const place = width === 0n ? 0n : (2n * EXACT_ONE * above) / width - EXACT_ONE;
    last = (third * place + (EXACT_ONE - third) * last) / EXACT_ONE;
    if (size(last) > most) last = last > 0n ? bound : -bound;
    return last;
  });
}

export const momentum: Readonly<Record<string, Definition>> = {
  rsi: {
    exact: ({ close }, { period }) => ({ rsi: exactRsi(close, period) }),
    bound: 1e-12,
    measure: 'in points',
    scale: ({ rsi }) => ones(rsi),
    params: [{ period: 1 }, { period: 4 }],
    longParams: [2, 50, 200].map((period) => ({ period })),
  },
  macd: {
    exact({ close }, { fast, slow, signal }) {
      const values = exactColumn(close);
      const macd = subtract(ema(values, fast), ema(values, slow));
      const average = ema(macd, signal);
      return { macd, signal: average, histogram: subtract(macd, average) };
    },
    bound: 1e-13,
    measure: 'as a share of the slow EMA',
    scale: (_, { close }, { slow }) => absolute(ema(exactColumn(close), slow)),
    params: [
      { fast: 1, slow: 2, signal: 1 },
      { fast: 3, slow: 5, signal: 4 },
    ],
    // The weights of some spans are further from a double than those of 12, 26 and 9.
    longParams: [
      { fast: 5, slow: 35, signal: 5 },
      { fast: 8, slow: 17, signal: 9 },
      { fast: 50, slow: 200, signal: 20 },
    ],
  },
  roc: {
    exact: ({ close }, { period }) => ({ roc: percentChange(exactColumn(close), period) }),
    bound: 1e-15,
    measure: 'as a share of the value',
    scale: ({ roc }) => absolute(roc),
    params: [{ period: 1 }, { period: 4 }],
  },
  momentum: {
    exact: ({ close }, { period }) => ({ momentum: change(exactColumn(close), period) }),
    bound: 1e-15,
    measure: 'as a share of the value',
    scale: ({ momentum }) => absolute(momentum),
    params: [{ period: 1 }, { period: 4 }],
  },
  ppo: {
    exact({ close }, { fast, slow, signal }) {
      const values = exactColumn(close);
      const average = ema(values, slow);
      const ppo = times(divide(subtract(ema(values, fast), average), average), 100);
      const line = ema(orZero(ppo, slow - 1), signal);
      return { ppo, signal: line, histogram: subtract(ppo, line) };
    },
    bound: 1e-11,
    measure: 'in points',
    scale: ({ ppo }) => ones(ppo),
    params: fastSlow.map((params) => ({ ...params, signal: 4 })),
  },
  trix: {
    exact({ close }, { period, signal }) {
      const average = ema(ema(ema(exactColumn(close), period), period), period);
      const trix = percentChange(average, 1);
      return { trix, signal: ema(orZero(trix, 3 * period - 2), signal) };
    },
    bound: 1e-13,
    measure: 'as a share of 100 + the size of the line, averaged for the signal',
    scale({ trix }, _, { signal }, output) {
      const sizes = add(hundreds(trix), absolute(trix));
      return output === 'trix' ? sizes : ema(sizes, signal);
    },
    params: [
      { period: 1, signal: 1 },
      { period: 4, signal: 3 },
    ],
  },
  stochastic: {
    exact(bars, { period, smooth, signal }) {
      const bottom = lowest(exactColumn(bars.low), period);
      const range = subtract(highest(exactColumn(bars.high), period), bottom);
      const place = times(divide(subtract(exactColumn(bars.close), bottom), range), 100);
      const k = mean(place, smooth);
      return { k, d: mean(k, signal) };
    },
    bound: 1e-12,
    measure: 'in points',
    scale: ({ k }) => ones(k),
    params: [
      { period: 1, smooth: 1, signal: 1 },
      { period: 4, smooth: 2, signal: 3 },
    ],
  },
  stochastic_rsi: {
    exact({ close }, params) {
      const k = mean(stochasticRsi(close, params).place, params.smooth);
      return { k, d: mean(k, params.signal) };
    },
    bound: 1e-12,
    measure: 'as a share of 100 ÷ the range of the RSI',
    scale(_, { close }, params, output) {
      const { range } = stochasticRsi(close, params);
      const k = mean(divide(hundreds(range), range), params.smooth);
      return output === 'k' ? k : mean(k, params.signal);
    },
    params: [{ rsi: 4, period: 5, smooth: 2, signal: 3 }],
  },
  williams_r: {
    exact(bars, { period }) {
      const top = highest(exactColumn(bars.high), period);
      const range = subtract(top, lowest(exactColumn(bars.low), period));
      const place = divide(subtract(exactColumn(bars.close), top), range);
      return { williams_r: times(place, 100) };
    },
    bound: 1e-13,
    measure: 'in points',
    scale: (exact) => ones(exact.williams_r),
    params: [{ period: 1 }, { period: 4 }],
  },
  cci: {
    exact(bars, { period }) {
      const { price, unit } = cci(bars, period);
      return { cci: divide(subtract(price, mean(price, period)), unit) };
    },
    bound: 1e-13,
    measure: 'as a share of the mean price ÷ 0.015 mean deviations',
    scale(_, bars, { period }) {
      const { price, unit } = cci(bars, period);
      return divide(mean(price, period), unit);
    },
    params: periods,
  },
  ultimate: {
    exact({ high, low, close }, params) {
      const last = delay(exactColumn(close), 1);
      const bottom = smaller(exactColumn(low), last);
      const pressure = subtract(exactColumn(close), bottom);
      const range = subtract(larger(exactColumn(high), last), bottom);
      const share = (period: number) => divide(sum(pressure, period), sum(range, period));
      const [short, medium, long] = [share(params.short), share(params.medium), share(params.long)];
      return {
        ultimate: rowByRow((a, b, c) => (100n * (4n * a + 2n * b + c)) / 7n, short, medium, long),
      };
    },
    bound: 1e-11,
    measure: 'in points',
    scale: ({ ultimate }) => ones(ultimate),
    params: [
      { short: 1, medium: 1, long: 1 },
      { short: 2, medium: 3, long: 5 },
    ],
  },
  cmo: {
    exact({ close }, { period }) {
      const move = change(exactColumn(close));
      const gains = sum(larger(move, times(move, 0)), period);
      const losses = sum(absolute(smaller(move, times(move, 0))), period);
      return { cmo: times(divide(subtract(gains, losses), add(gains, losses)), 100) };
    },
    bound: 1e-11,
    measure: 'in points',
    scale: ({ cmo }) => ones(cmo),
    params: periods,
  },
  tsi: {
    exact({ close }, { long, short, signal }) {
      const move = change(exactColumn(close));
      const twice = (a: Exact[]) => ema(ema(a, long), short);
      const tsi = times(divide(twice(move), twice(absolute(move))), 100);
      return { tsi, signal: ema(orZero(tsi, long + short - 1), signal) };
    },
    bound: 1e-11,
    measure: 'in points',
    scale: ({ tsi }) => ones(tsi),
    params: [{ long: 4, short: 3, signal: 2 }],
  },
  awesome: {
    exact({ high, low }, { fast, slow }) {
      const middle = times(add(exactColumn(high), exactColumn(low)), 0.5);
      return { awesome: subtract(mean(middle, fast), mean(middle, slow)) };
    },
    bound: 1e-13,
    measure: 'as a share of the slow mean',
    scale: (_, { high }, { slow }) => mean(exactColumn(high), slow),
    params: fastSlow,
  },
  dpo: {
    exact({ close }, { period }) {
      const values = exactColumn(close);
      const before = delay(values, Math.floor(period / 2) + 1);
      return { dpo: subtract(before, mean(values, period)) };
    },
    bound: 1e-13,
    measure: 'as a share of the close and the mean',
    scale(_, { close }, { period }) {
      const values = exactColumn(close);
      return add(delay(values, Math.floor(period / 2) + 1), mean(values, period));
    },
    params: [{ period: 1 }, { period: 4 }],
  },
  coppock: {
    exact({ close }, { average, long, short }) {
      const values = exactColumn(close);
      const rates = add(percentChange(values, long), percentChange(values, short));
      return { coppock: weightedMean(rates, average) };
    },
    bound: 1e-13,
    measure: 'as a share of the mean size of the rates of change',
    scale(_, { close }, { average, long, short }) {
      const values = exactColumn(close);
      const rates = [long, short].map((bars) => absolute(percentChange(values, bars)));
      return weightedMean(add(rates[0], rates[1]), average);
    },
    params: [{ average: 2, long: 4, short: 3 }],
  },
  kst: {
    exact: ({ close }, params) => kst(exactColumn(close), params, (rate) => rate),
    bound: 1e-13,
    measure: 'as a share of the mean size of the rates of change',
    scale: (_, { close }, params, output) => kst(exactColumn(close), params, absolute)[output],
    params: [
      { roc1: 1, roc2: 2, roc3: 3, roc4: 4, mean1: 2, mean2: 3, mean3: 4, mean4: 5, signal: 3 },
    ],
  },
  bop: {
    exact: ({ open, high, low, close }) => ({
      bop: divide(
        subtract(exactColumn(close), exactColumn(open)),
        subtract(exactColumn(high), exactColumn(low)),
      ),
    }),
    bound: 1e-15,
    measure: 'as a share of the value',
    scale: ({ bop }) => absolute(bop),
    params: [],
  },
  elder_ray: {
    exact({ high, low, close }, { period }) {
      const average = ema(exactColumn(close), period);
      return {
        bull: subtract(exactColumn(high), average),
        bear: subtract(exactColumn(low), average),
      };
    },
    bound: 1e-13,
    measure: 'as a share of the EMA',
    scale: (_, { close }, { period }) => absolute(ema(exactColumn(close), period)),
    params: [{ period: 1 }, { period: 4 }],
  },
  mass_index: {
    exact({ high, low }, { average, period }) {
      const range = ema(subtract(exactColumn(high), exactColumn(low)), average);
      return { mass_index: sum(divide(range, ema(range, average)), period) };
    },
    bound: 1e-13,
    measure: 'as a share of the value',
    scale: (exact) => absolute(exact.mass_index),
    params: [
      { average: 1, period: 1 },
      { average: 3, period: 4 },
    ],
  },
  connors_rsi: {
    exact({ close }, { rsi, streak, rank }) {
      const run = Float64Array.from(runsOf(close).slice(1), Number);
      const ofRuns: Exact[] = [undefined, ...exactRsi(run, streak)];
      const share = shareBelow(percentChange(exactColumn(close), 1), rank);
      return {
        connors_rsi: rowByRow((a, b, c) => (a + b + c) / 3n, exactRsi(close, rsi), ofRuns, share),
      };
    },
    bound: 1e-12,
    measure: 'in points',
    scale: ({ connors_rsi: value }) => ones(value),
    params: [
      { rsi: 3, streak: 2, rank: 5 },
      { rsi: 1, streak: 1, rank: 9 },
    ],
  },
  fisher: {
    exact(bars, { period }) {
      const place = fisherPlace(bars, period);
      const transformed = rowByRow(
        (x) => exactFromDouble(2 * Math.atanh(doubleFromExact(x))),
        place,
      );
      const fisher = followed(transformed, 0.5, 0);
      return { fisher, signal: delay(fisher, 1) };
    },
    bound: 1e-11,
    measure: 'as a share of 1 + the middle price ÷ the range, at its greatest so far',
    scale({ fisher }, { high, low }, { period }) {
      const middle = times(add(exactColumn(high), exactColumn(low)), 0.5);
      const range = subtract(highest(middle, period), lowest(middle, period));
      return greatestSoFar(add(ones(fisher), divide(middle, range)));
    },
    params: [{ period: 2 }, { period: 4 }],
  },
  schaff: {
    exact: ({ close }, params) => ({ schaff: schaff(close, params).line }),
    bound: 1e-12,
    measure: 'as a share of 100 × the close ÷ both ranges, at their smallest so far',
    scale(_, { close }, params) {
      const { values, ranges, line } = schaff(close, params);
      const [first, second] = ranges.map((range) =>
        greatestSoFar(divide(times(ones(range), 100), range)),
      );
      return rowByRow(
        (x) => x * 100n,
        multiply(add(first, ones(first)), multiply(add(second, ones(line)), greatestSoFar(values))),
      );
    },
    params: [{ fast: 3, slow: 5, period: 4 }],
  },
  stochastic_momentum: {
    exact(bars, { period, long, short, signal }) {
      const [high, low, close] = [bars.high, bars.low, bars.close].map(exactColumn);
      const [top, bottom] = [highest(high, period), lowest(low, period)];
      const twice = (a: Exact[]) => ema(ema(a, long), short);
      const distance = subtract(close, times(add(top, bottom), 0.5));
      const smi = times(divide(twice(distance), twice(subtract(top, bottom))), 200);
      return { smi, signal: ema(orZero(smi, period + long + short - 3), signal) };
    },
    bound: 1e-11,
    measure: 'in points',
    scale: ({ smi }) => ones(smi),
    params: [{ period: 4, long: 3, short: 2, signal: 2 }],
  },
};

/** @param of Applied to each rate of change. */
function kst(
  values: Exact[],
  { roc1, roc2, roc3, roc4, mean1, mean2, mean3, mean4, signal }: IndicatorParams,
  of: (rate: Exact[]) => Exact[],
) {
  const rate = (bars: number, period: number, weight: number) =>
    times(mean(of(percentChange(values, bars)), period), weight);
  const short = add(rate(roc1, mean1, 1), rate(roc2, mean2, 2));
  const long = add(rate(roc3, mean3, 3), rate(roc4, mean4, 4));
  const kst = add(short, long);
  return { kst, signal: mean(kst, signal) } as Record<string, Exact[]>;
}
