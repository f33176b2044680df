/** The indicators in the npm libraries we compare with, at the parameters we measure. */

import { IndicatorsSync } from '@ixjb94/indicators';
import * as indicatorts from 'indicatorts';
import { atr, bollingerbands, ema, macd, rsi, sma } from 'technicalindicators';
import { ATR, BollingerBands, EMA, MACD, RSI, SMA } from 'trading-signals';
import { defaultParams } from '../../src/compute/indicators/catalogue.ts';
import type {
  IndicatorInput,
  IndicatorParams,
  IndicatorSpec,
} from '../../src/compute/columns/indicator-spec.ts';

const OTHER_PARAMS: Readonly<Record<string, IndicatorParams>> = {
  sma: { period: 20 },
  ema: { period: 20 },
  bollinger: { period: 20, k: 2 },
};

/** Parameters that every library computes: the defaults, except for three. */
export const benchParams = (spec: IndicatorSpec): IndicatorParams =>
  OTHER_PARAMS[spec.name] ?? defaultParams(spec);

/** Columns by output name of the catalogue; the last value belongs to the last close. */
export type PeerColumns = Readonly<Record<string, ArrayLike<number>>>;

/** Columns of bars as plain arrays, the form that the libraries document. */
export type PeerBars = Readonly<Record<Exclude<keyof IndicatorInput, 'session'>, number[]>>;

export function peerBars({ open, high, low, close, volume }: IndicatorInput): PeerBars {
  return {
    open: Array.from(open),
    high: Array.from(high),
    low: Array.from(low),
    close: Array.from(close),
    volume: Array.from(volume),
  };
}

export interface PeerKernel {
  /** The library's own call, with its own form of result. */
  run(bars: PeerBars): unknown;
  /** The same, brought into columns. */
  columns(bars: PeerBars): PeerColumns;
}

export interface Peer {
  name: string;
  /** Part of the universe it is given; the slow ones would take minutes for all of it. */
  universeShare: number;
  kernels: Readonly<Record<string, PeerKernel>>;
}

function kernel<Result>(
  run: (bars: PeerBars) => Result,
  columnsFromResult: (result: Result) => PeerColumns,
): PeerKernel {
  return { run, columns: (bars) => columnsFromResult(run(bars)) };
}

const ixjb94 = new IndicatorsSync();

/** The library's own way to a column: one object per indicator, fed bar by bar. */
function streamed<Result>(
  indicator: { add(close: number): Result | null },
  close: readonly number[],
): (Result | null)[] {
  return close.map((price) => indicator.add(price));
}

const defined = <Result>(results: (Result | null)[]): Result[] =>
  results.filter((result) => result !== null);

export const peers: readonly Peer[] = [
  {
    name: '@ixjb94/indicators',
    universeShare: 1,
    kernels: {
      sma: kernel(
        ({ close }) => ixjb94.sma(close, 20),
        (values) => ({ sma: values }),
      ),
      ema: kernel(
        ({ close }) => ixjb94.ema(close, 20),
        (values) => ({ ema: values }),
      ),
      rsi: kernel(
        ({ close }) => ixjb94.rsi(close, 14),
        (values) => ({ rsi: values }),
      ),
      macd: kernel(
        ({ close }) => ixjb94.macd(close, 12, 26, 9),
        ([line, signal, histogram]) => ({ macd: line, signal, histogram }),
      ),
      bollinger: kernel(
        ({ close }) => ixjb94.bbands(close, 20, 2),
        ([lower, middle, upper]) => ({ lower, middle, upper }),
      ),
      atr: kernel(
        ({ high, low, close }) => ixjb94.atr(high, low, close, 14),
        (values) => ({ atr: values }),
      ),
    },
  },
  {
    name: 'indicatorts',
    universeShare: 0.2,
    kernels: {
      sma: kernel(
        ({ close }) => indicatorts.sma(close, { period: 20 }),
        (values) => ({ sma: values }),
      ),
      ema: kernel(
        ({ close }) => indicatorts.ema(close, { period: 20 }),
        (values) => ({ ema: values }),
      ),
      rsi: kernel(
        ({ close }) => indicatorts.rsi(close, { period: 14 }),
        (values) => ({ rsi: values }),
      ),
      // It has no histogram.
      macd: kernel(
        ({ close }) => indicatorts.macd(close, { fast: 12, slow: 26, signal: 9 }),
        ({ macdLine, signalLine }) => ({ macd: macdLine, signal: signalLine }),
      ),
      bollinger: kernel(
        ({ close }) => indicatorts.bb(close, { period: 20 }),
        ({ upper, middle, lower }) => ({ upper, middle, lower }),
      ),
      // Its own `atr` averages without Wilder's weights.
      atr: kernel(
        ({ high, low, close }) => indicatorts.rma(indicatorts.tr(high, low, close), { period: 14 }),
        (values) => ({ atr: values }),
      ),
    },
  },
  {
    name: 'trading-signals',
    universeShare: 0.05,
    kernels: {
      sma: kernel(
        ({ close }) => streamed(new SMA(20), close),
        (values) => ({ sma: defined(values) }),
      ),
      ema: kernel(
        ({ close }) => streamed(new EMA(20), close),
        (values) => ({ ema: defined(values) }),
      ),
      rsi: kernel(
        ({ close }) => streamed(new RSI(14), close),
        (values) => ({ rsi: defined(values) }),
      ),
      macd: kernel(
        ({ close }) => streamed(new MACD(new EMA(12), new EMA(26), new EMA(9)), close),
        (results) => ({
          macd: defined(results).map((result) => result.macd),
          signal: defined(results).map((result) => result.signal),
          histogram: defined(results).map((result) => result.histogram),
        }),
      ),
      bollinger: kernel(
        ({ close }) => streamed(new BollingerBands(20, 2), close),
        (results) => ({
          upper: defined(results).map((result) => result.upper),
          middle: defined(results).map((result) => result.middle),
          lower: defined(results).map((result) => result.lower),
        }),
      ),
      atr: kernel(
        ({ high, low, close }) => {
          const indicator = new ATR(14);
          return close.map((price, i) =>
            indicator.add({ high: high[i], low: low[i], close: price }),
          );
        },
        (values) => ({ atr: defined(values) }),
      ),
    },
  },
  {
    name: 'technicalindicators',
    universeShare: 0.01,
    kernels: {
      sma: kernel(
        ({ close: values }) => sma({ values, period: 20 }),
        (result) => ({ sma: result }),
      ),
      ema: kernel(
        ({ close: values }) => ema({ values, period: 20 }),
        (result) => ({ ema: result }),
      ),
      rsi: kernel(
        ({ close: values }) => rsi({ values, period: 14 }),
        (result) => ({ rsi: result }),
      ),
      macd: kernel(
        ({ close: values }) =>
          macd({
            values,
            fastPeriod: 12,
            slowPeriod: 26,
            signalPeriod: 9,
            SimpleMAOscillator: false,
            SimpleMASignal: false,
          }),
        (results) => ({
          macd: results.map((result) => result.MACD ?? Number.NaN),
          signal: results.map((result) => result.signal ?? Number.NaN),
          histogram: results.map((result) => result.histogram ?? Number.NaN),
        }),
      ),
      bollinger: kernel(
        ({ close: values }) => bollingerbands({ values, period: 20, stdDev: 2 }),
        (results) => ({
          upper: results.map((result) => result.upper),
          middle: results.map((result) => result.middle),
          lower: results.map((result) => result.lower),
        }),
      ),
      atr: kernel(
        ({ high, low, close }) => atr({ high, low, close, period: 14 }),
        (values) => ({ atr: values }),
      ),
    },
  },
];
