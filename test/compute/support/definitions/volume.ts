import type {
  IndicatorInput,
  IndicatorParams,
} from '../../../../src/compute/columns/indicator-spec.ts';
import { EXACT_ONE, type Exact } from '../exact.ts';
import {
  absolute,
  add,
  change,
  type Definition,
  divide,
  ema,
  exactColumn,
  mean,
  multiply,
  ones,
  orZero,
  percentChange,
  rowByRow,
  subtract,
  sum,
  times,
  total,
  typicalPrice,
} from './definition.ts';

/** Volume of bars with a rise, that of bars with a fall with a minus, else 0. */
const signed = (moves: Exact[], volume: Exact[]) =>
  rowByRow((move, size) => (move > 0n ? size : move < 0n ? -size : 0n), moves, volume);

/** Change of high + low + close, 0 up to the rounding of decimals: 2^-49 of the high. */
function typicalMove(bars: IndicatorInput): Exact[] {
  const move = change(times(typicalPrice(bars), 3));
  const still = (x: bigint, high: bigint) => (x < 0n ? -x : x) * 2n ** 49n <= high;
  return rowByRow((x, high) => (still(x, high) ? 0n : x), move, exactColumn(bars.high));
}

/** Volume × ((close − low) − (high − close)) / (high − low); undefined without a range. */
function moneyFlowVolume(bars: IndicatorInput): Exact[] {
  const [high, low, close, volume] = [bars.high, bars.low, bars.close, bars.volume].map(
    exactColumn,
  );
  const place = divide(subtract(times(close, 2), add(high, low)), subtract(high, low));
  return multiply(place, volume);
}

/** Distance moved over the box ratio: volume in units of `divisor` over the range. */
function easeOfMovement({ high, low, volume }: IndicatorInput, { divisor }: IndicatorParams) {
  const move = change(times(add(exactColumn(high), exactColumn(low)), 0.5));
  const range = subtract(exactColumn(high), exactColumn(low));
  return divide(multiply(move, times(range, divisor)), exactColumn(volume));
}

/** 1000 and the percent changes of bars whose volume changed in the direction of `sign`. */
function volumeIndex({ close, volume }: IndicatorInput, sign: bigint): Exact[] {
  const rates = rowByRow(
    (rate, move) => (move * sign > 0n ? rate : 0n),
    percentChange(exactColumn(close), 1),
    change(exactColumn(volume)),
  );
  return total(rates).map((value) => (value as bigint) + 1000n * EXACT_ONE);
}

const sizeOfRates = ({ close }: IndicatorInput) =>
  total(absolute(percentChange(exactColumn(close), 1))).map(
    (value) => (value as bigint) + 1000n * EXACT_ONE,
  );

export const volume: Readonly<Record<string, Definition>> = {
  mfi: {
    exact(bars, { period }) {
      const price = typicalPrice(bars);
      const flow = signed(typicalMove(bars), multiply(price, exactColumn(bars.volume)));
      const net = sum(flow, period);
      const gross = sum(absolute(flow), period);
      return { mfi: rowByRow((x) => (x + EXACT_ONE) * 50n, divide(net, gross)) };
    },
    bound: 1e-11,
    measure: 'in points',
    scale: ({ mfi }) => ones(mfi),
    params: [{ period: 2 }, { period: 4 }],
  },
  obv: {
    exact: ({ close, volume }) => ({
      obv: total(signed(change(exactColumn(close)), exactColumn(volume))),
    }),
    bound: 1e-11,
    measure: 'as a share of all volume so far',
    scale: (_, { volume }) => total(exactColumn(volume)),
    params: [],
  },
  ad: {
    exact: (bars) => ({ ad: total(moneyFlowVolume(bars)) }),
    bound: 1e-11,
    measure: 'as a share of all volume so far',
    scale: (_, { volume }) => total(exactColumn(volume)),
    params: [],
  },
  cmf: {
    exact(bars, { period }) {
      const flow = moneyFlowVolume(bars).map((value) => value ?? 0n);
      return { cmf: divide(sum(flow, period), sum(exactColumn(bars.volume), period)) };
    },
    bound: 1e-13,
    measure: 'in shares of the volume',
    scale: ({ cmf }) => ones(cmf),
    params: [{ period: 1 }, { period: 4 }],
  },
  chaikin: {
    exact(bars, { fast, slow }) {
      const line = total(moneyFlowVolume(bars));
      return { chaikin: subtract(ema(line, fast), ema(line, slow)) };
    },
    bound: 1e-11,
    measure: 'as a share of all volume so far',
    scale: (_, { volume }) => total(exactColumn(volume)),
    params: [
      { fast: 1, slow: 2 },
      { fast: 3, slow: 5 },
    ],
  },
  pvt: {
    exact({ close, volume }) {
      const rate = times(percentChange(exactColumn(close), 1), 0.01);
      return { pvt: total(multiply(rate, exactColumn(volume))) };
    },
    bound: 1e-11,
    measure: 'as a share of the sum of the sizes of all that was added',
    scale(_, { close, volume }) {
      const rate = times(percentChange(exactColumn(close), 1), 0.01);
      return total(absolute(multiply(rate, exactColumn(volume))));
    },
    params: [],
  },
  force_index: {
    exact: ({ close, volume }, { period }) => ({
      force_index: ema(multiply(change(exactColumn(close)), exactColumn(volume)), period),
    }),
    bound: 1e-13,
    measure: 'as a share of the EMA of the sizes',
    scale: (_, { close, volume }, { period }) =>
      ema(absolute(multiply(change(exactColumn(close)), exactColumn(volume))), period),
    params: [{ period: 1 }, { period: 4 }],
  },
  eom: {
    exact: (bars, params) => ({ eom: mean(easeOfMovement(bars, params), params.period) }),
    bound: 1e-13,
    measure: 'as a share of the mean size',
    scale: (_, bars, params) => mean(absolute(easeOfMovement(bars, params)), params.period),
    params: [{ period: 4, divisor: 1 }],
  },
  nvi: {
    exact: (bars) => ({ nvi: volumeIndex(bars, -1n) }),
    bound: 1e-11,
    measure: 'as a share of 1000 and the sizes of all changes',
    scale: (_, bars) => sizeOfRates(bars),
    params: [],
  },
  pvi: {
    exact: (bars) => ({ pvi: volumeIndex(bars, 1n) }),
    bound: 1e-11,
    measure: 'as a share of 1000 and the sizes of all changes',
    scale: (_, bars) => sizeOfRates(bars),
    params: [],
  },
  klinger: {
    exact(bars, { fast, slow, signal }) {
      const force = rowByRow(
        (move, size) => (move < 0n ? -size : size),
        typicalMove(bars),
        exactColumn(bars.volume),
      );
      const klinger = subtract(ema(force, fast), ema(force, slow));
      return { klinger, signal: ema(klinger, signal) };
    },
    bound: 1e-11,
    measure: 'as a share of the volume, averaged over all spans',
    scale(_, { volume }, { fast, slow, signal }) {
      const sizes = exactColumn(volume).map((size, row) => (row === 0 ? undefined : size));
      return ema(add(ema(sizes, fast), ema(sizes, slow)), signal).map(
        (size, row) => size ?? add(ema(sizes, fast), ema(sizes, slow))[row],
      );
    },
    params: [
      { fast: 1, slow: 2, signal: 1 },
      { fast: 3, slow: 5, signal: 4 },
    ],
  },
  pvo: {
    exact({ volume }, { fast, slow, signal }) {
      const values = exactColumn(volume);
      const average = ema(values, slow);
      const pvo = times(divide(subtract(ema(values, fast), average), average), 100);
      const line = ema(orZero(pvo, slow - 1), signal);
      return { pvo, signal: line, histogram: subtract(pvo, line) };
    },
    bound: 1e-11,
    measure: 'in points',
    scale: ({ pvo }) => ones(pvo),
    params: [
      { fast: 1, slow: 2, signal: 4 },
      { fast: 3, slow: 5, signal: 4 },
    ],
  },
};
