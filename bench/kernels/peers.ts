/** The indicators in the npm libraries we compare with, at the parameters we measure. */

import { IndicatorsSync } from '@ixjb94/indicators';
import * as indicatorts from 'indicatorts';
import * as technical from 'technicalindicators';
import * as signals from 'trading-signals';
import type {
  IndicatorInput,
  IndicatorParams,
  IndicatorSpec,
} from '../../src/compute/columns/indicator-spec.ts';
import { defaultParams } from '../../src/compute/indicators/catalogue.ts';

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

/** A kernel with one output. */
const single = (output: string, run: (bars: PeerBars) => ArrayLike<number>): PeerKernel =>
  kernel(run, (values) => ({ [output]: values }));

const bandsOf = (results: { upper: number; middle: number; lower: number }[]): PeerColumns => ({
  upper: results.map(({ upper }) => upper),
  middle: results.map(({ middle }) => middle),
  lower: results.map(({ lower }) => lower),
});

const ixjb94 = new IndicatorsSync();

/** The library's own way to a column: one object per indicator, fed bar by bar. */
function streamed<Result>(
  indicator: { add(close: number): Result | null },
  close: readonly number[],
): (Result | null)[] {
  return close.map((price) => indicator.add(price));
}

/** The same with whole bars. */
function streamedBars<Result>(
  indicator: { add(bar: signals.HighLowClose & { open: number; volume: number }): Result | null },
  { open, high, low, close, volume }: PeerBars,
): Result[] {
  const bar = (i: number) => ({
    open: open[i],
    high: high[i],
    low: low[i],
    close: close[i],
    volume: volume[i],
  });
  return defined(close.map((_, i) => indicator.add(bar(i))));
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
      wma: single('wma', ({ close }) => ixjb94.wma(close, 14)),
      dema: single('dema', ({ close }) => ixjb94.dema(close, 14)),
      tema: single('tema', ({ close }) => ixjb94.tema(close, 14)),
      hma: single('hma', ({ close }) => ixjb94.hma(close, 14)),
      kama: single('kama', ({ close }) => ixjb94.kama(close, 10)),
      vwma: single('vwma', ({ close, volume }) => ixjb94.vwma(close, volume, 14)),
      vwap: single('vwap', ({ high, low, close, volume }) =>
        ixjb94.vwap(high, low, close, volume, 14),
      ),
      zlema: single('zlema', ({ close }) => ixjb94.zlema(close, 14)),
      linreg: kernel(
        ({ close }) => [ixjb94.linreg(close, 14), ixjb94.linregslope(close, 14)],
        ([value, slope]) => ({ value, slope }),
      ),
      stddev: single('stddev', ({ close }) => ixjb94.stddev(close, 14)),
      natr: single('natr', ({ high, low, close }) => ixjb94.natr(high, low, close, 14)),
      adx: kernel(
        ({ high, low, close }) => [ixjb94.adx(high, low, 14), ...ixjb94.di(high, low, close, 14)],
        ([adx, plus, minus]) => ({ adx, plus_di: plus, minus_di: minus }),
      ),
      aroon: kernel(
        ({ high, low }) => [...ixjb94.aroon(high, low, 14), ixjb94.aroonosc(high, low, 14)],
        ([down, up, oscillator]) => ({ up, down, oscillator }),
      ),
      psar: single('psar', ({ high, low }) => ixjb94.psar(high, low, 0.02, 0.2)),
      highest: single('highest', ({ high }) => ixjb94.max(high, 14)),
      lowest: single('lowest', ({ low }) => ixjb94.min(low, 14)),
      change: single('change', ({ close }) => ixjb94.mom(close, 1)),
      roc: kernel(
        ({ close }) => ixjb94.roc(close, 10),
        (ratios) => ({ roc: ratios.map((ratio) => 100 * ratio) }),
      ),
      momentum: single('momentum', ({ close }) => ixjb94.mom(close, 10)),
      ppo: single('ppo', ({ close }) => ixjb94.ppo(close, 12, 26)),
      stochastic: kernel(
        ({ high, low, close }) => ixjb94.stoch(high, low, close, 14, 3, 3),
        ([k, d]) => ({ k, d }),
      ),
      williams_r: single('williams_r', ({ high, low, close }) =>
        ixjb94.willr(high, low, close, 14),
      ),
      cci: single('cci', ({ high, low, close }) => ixjb94.cci(high, low, close, 20)),
      ultimate: single('ultimate', ({ high, low, close }) =>
        ixjb94.ultosc(high, low, close, 7, 14, 28),
      ),
      cmo: single('cmo', ({ close }) => ixjb94.cmo(close, 14)),
      tsi: single('tsi', ({ close }) => ixjb94.tsi(close, 25, 13)),
      awesome: single('awesome', ({ high, low }) => ixjb94.ao(high, low)),
      bop: single('bop', ({ open, high, low, close }) => ixjb94.bop(open, high, low, close)),
      mass_index: single('mass_index', ({ high, low }) => ixjb94.mass(high, low, 25)),
      mfi: single('mfi', ({ high, low, close, volume }) =>
        ixjb94.mfi(high, low, close, volume, 14),
      ),
      obv: single('obv', ({ close, volume }) => ixjb94.obv(close, volume)),
      ad: single('ad', ({ high, low, close, volume }) => ixjb94.ad(high, low, close, volume)),
      cmf: single('cmf', ({ high, low, close, volume }) =>
        ixjb94.cmf(high, low, close, volume, 20),
      ),
      chaikin: single('chaikin', ({ high, low, close, volume }) =>
        ixjb94.adosc(high, low, close, volume, 3, 10),
      ),
      force_index: single('force_index', ({ close, volume }) => ixjb94.fi(close, volume, 13)),
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
      dema: single('dema', ({ close }) => indicatorts.dema(close, { period: 14 })),
      tema: single('tema', ({ close }) => indicatorts.tema(close, { period: 14 })),
      vwma: single('vwma', ({ close, volume }) => indicatorts.vwma(close, volume, { period: 14 })),
      stddev: single('stddev', ({ close }) => indicatorts.mstd(close, { period: 14 })),
      vortex: kernel(
        ({ high, low, close }) => indicatorts.vortex(high, low, close, { period: 14 }),
        ({ plus, minus }) => ({ plus, minus }),
      ),
      highest: single('highest', ({ high }) => indicatorts.mmax(high, { period: 14 })),
      lowest: single('lowest', ({ low }) => indicatorts.mmin(low, { period: 14 })),
      roc: single('roc', ({ close }) => indicatorts.roc(close, { period: 10 })),
      ppo: kernel(
        ({ close }) => indicatorts.ppo(close, { fast: 12, slow: 26, signal: 9 }),
        ({ ppoResult, signal, histogram }) => ({ ppo: ppoResult, signal, histogram }),
      ),
      williams_r: single('williams_r', ({ high, low, close }) =>
        indicatorts.willr(high, low, close, { period: 14 }),
      ),
      awesome: single('awesome', ({ high, low }) =>
        indicatorts.ao(high, low, { fast: 5, slow: 34 }),
      ),
      bop: single('bop', ({ open, high, low, close }) => indicatorts.bop(open, high, low, close)),
      mass_index: single('mass_index', ({ high, low }) =>
        indicatorts.mi(high, low, { emaPeriod: 9, miPeriod: 25 }),
      ),
      obv: single('obv', ({ close, volume }) => indicatorts.obv(close, volume)),
      ad: single('ad', ({ high, low, close, volume }) => indicatorts.ad(high, low, close, volume)),
      cmf: single('cmf', ({ high, low, close, volume }) =>
        indicatorts.cmf(high, low, close, volume, { period: 20 }),
      ),
      chaikin: kernel(
        ({ high, low, close, volume }) =>
          indicatorts.cmo(high, low, close, volume, { fast: 3, slow: 10 }),
        ({ cmoResult }) => ({ chaikin: cmoResult }),
      ),
      pvt: single('pvt', ({ close, volume }) => indicatorts.vpt(close, volume)),
      force_index: single('force_index', ({ close, volume }) =>
        indicatorts.fi(close, volume, { period: 13 }),
      ),
    },
  },
  {
    name: 'trading-signals',
    universeShare: 0.05,
    kernels: {
      sma: kernel(
        ({ close }) => streamed(new signals.SMA(20), close),
        (values) => ({ sma: defined(values) }),
      ),
      ema: kernel(
        ({ close }) => streamed(new signals.EMA(20), close),
        (values) => ({ ema: defined(values) }),
      ),
      rsi: kernel(
        ({ close }) => streamed(new signals.RSI(14), close),
        (values) => ({ rsi: defined(values) }),
      ),
      macd: kernel(
        ({ close }) =>
          streamed(
            new signals.MACD(new signals.EMA(12), new signals.EMA(26), new signals.EMA(9)),
            close,
          ),
        (results) => ({
          macd: defined(results).map((result) => result.macd),
          signal: defined(results).map((result) => result.signal),
          histogram: defined(results).map((result) => result.histogram),
        }),
      ),
      bollinger: kernel(
        ({ close }) => streamed(new signals.BollingerBands(20, 2), close),
        (results) => bandsOf(defined(results)),
      ),
      atr: kernel(
        ({ high, low, close }) => {
          const indicator = new signals.ATR(14);
          return close.map((price, i) =>
            indicator.add({ high: high[i], low: low[i], close: price }),
          );
        },
        (values) => ({ atr: defined(values) }),
      ),
      wma: single('wma', ({ close }) => defined(streamed(new signals.WMA(14), close))),
      dema: single('dema', ({ close }) => defined(streamed(new signals.DEMA(14), close))),
      tema: single('tema', ({ close }) => defined(streamed(new signals.TEMA(14), close))),
      t3: single('t3', ({ close }) => defined(streamed(new signals.T3(5, 0.7), close))),
      hma: single('hma', ({ close }) => defined(streamed(new signals.HMA(14), close))),
      kama: single('kama', ({ close }) => defined(streamed(new signals.KAMA(10), close))),
      alma: single('alma', ({ close }) => defined(streamed(new signals.ALMA(9), close))),
      zlema: single('zlema', ({ close }) => defined(streamed(new signals.ZLEMA(14), close))),
      vwma: single('vwma', (bars) => streamedBars(new signals.VWMA(14), bars)),
      natr: single('natr', (bars) => streamedBars(new signals.NATR(14), bars)),
      adx: single('adx', (bars) => streamedBars(new signals.ADX(14), bars)),
      aroon: kernel(
        (bars) => streamedBars(new signals.Aroon(14), bars),
        (results) => ({
          up: results.map(({ aroonUp }) => aroonUp),
          down: results.map(({ aroonDown }) => aroonDown),
        }),
      ),
      donchian: kernel((bars) => streamedBars(new signals.DonchianChannels(20), bars), bandsOf),
      keltner: kernel(
        (bars) =>
          streamedBars(
            new signals.KeltnerChannels({ emaInterval: 20, atrInterval: 10, multiplier: 2 }),
            bars,
          ),
        bandsOf,
      ),
      percent_b: single('percent_b', ({ close }) =>
        defined(streamed(new signals.PercentB({ interval: 20, deviationMultiplier: 2 }), close)),
      ),
      vortex: kernel(
        (bars) => streamedBars(new signals.VortexIndicator(14), bars),
        (results) => ({
          plus: results.map(({ plus }) => plus),
          minus: results.map(({ minus }) => minus),
        }),
      ),
      roc: kernel(
        ({ close }) => streamed(new signals.ROC(10), close),
        (ratios) => ({ roc: defined(ratios).map((ratio) => 100 * ratio) }),
      ),
      momentum: single('momentum', ({ close }) => defined(streamed(new signals.MOM(10), close))),
      ppo: single('ppo', ({ close }) =>
        defined(streamed(new signals.PPO({ fastPeriod: 12, slowPeriod: 26 }), close)),
      ),
      williams_r: single('williams_r', (bars) => streamedBars(new signals.WilliamsR(14), bars)),
      cci: single('cci', (bars) => streamedBars(new signals.CCI(20), bars)),
      ultimate: single('ultimate', (bars) => streamedBars(new signals.UltimateOscillator(), bars)),
      cmo: single('cmo', ({ close }) => defined(streamed(new signals.CMO(14), close))),
      tsi: single('tsi', ({ close }) =>
        defined(streamed(new signals.TSI({ longPeriod: 25, shortPeriod: 13 }), close)),
      ),
      awesome: single('awesome', (bars) => streamedBars(new signals.AO(5, 34), bars)),
      dpo: single('dpo', ({ close }) => defined(streamed(new signals.DPO(21), close))),
      coppock: single('coppock', ({ close }) =>
        defined(streamed(new signals.CoppockCurve(), close)),
      ),
      kst: single('kst', ({ close }) => defined(streamed(new signals.KST(), close))),
      bop: single('bop', (bars) => streamedBars(new signals.BOP(), bars)),
      elder_ray: kernel(
        (bars) => streamedBars(new signals.ElderRay(13), bars),
        (results) => ({
          bull: results.map(({ bullPower }) => bullPower),
          bear: results.map(({ bearPower }) => bearPower),
        }),
      ),
      mfi: single('mfi', (bars) => streamedBars(new signals.MFI(14), bars)),
      obv: single('obv', (bars) => streamedBars(new signals.OBV(2), bars)),
      ad: single('ad', (bars) => streamedBars(new signals.AD(), bars)),
      cmf: single('cmf', (bars) => streamedBars(new signals.CMF(20), bars)),
      chaikin: single('chaikin', (bars) =>
        streamedBars(new signals.ADOSC({ fastPeriod: 3, slowPeriod: 10 }), bars),
      ),
      pvt: single('pvt', (bars) => streamedBars(new signals.PVT(), bars)),
      force_index: single('force_index', (bars) => streamedBars(new signals.ForceIndex(13), bars)),
      eom: single('eom', (bars) => streamedBars(new signals.EMV(14, 10_000), bars)),
    },
  },
  {
    name: 'technicalindicators',
    universeShare: 0.01,
    kernels: {
      sma: kernel(
        ({ close: values }) => technical.sma({ values, period: 20 }),
        (result) => ({ sma: result }),
      ),
      ema: kernel(
        ({ close: values }) => technical.ema({ values, period: 20 }),
        (result) => ({ ema: result }),
      ),
      rsi: kernel(
        ({ close: values }) => technical.rsi({ values, period: 14 }),
        (result) => ({ rsi: result }),
      ),
      macd: kernel(
        ({ close: values }) =>
          technical.macd({
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
        ({ close: values }) => technical.bollingerbands({ values, period: 20, stdDev: 2 }),
        bandsOf,
      ),
      atr: kernel(
        ({ high, low, close }) => technical.atr({ high, low, close, period: 14 }),
        (values) => ({ atr: values }),
      ),
      wma: single('wma', ({ close: values }) => technical.wma({ values, period: 14 })),
      stddev: single('stddev', ({ close: values }) => technical.sd({ values, period: 14 })),
      adx: kernel(
        ({ high, low, close }) => technical.adx({ high, low, close, period: 14 }),
        (results) => ({
          adx: results.map(({ adx }) => adx),
          plus_di: results.map(({ pdi }) => pdi),
          minus_di: results.map(({ mdi }) => mdi),
        }),
      ),
      psar: single('psar', ({ high, low }) => technical.psar({ high, low, step: 0.02, max: 0.2 })),
      keltner: kernel(
        ({ high, low, close }) =>
          technical.keltnerchannels({
            high,
            low,
            close,
            maPeriod: 20,
            atrPeriod: 10,
            useSMA: false,
            multiplier: 2,
          }),
        bandsOf,
      ),
      highest: single('highest', ({ high: values }) => technical.highest({ values, period: 14 })),
      lowest: single('lowest', ({ low: values }) => technical.lowest({ values, period: 14 })),
      roc: single('roc', ({ close: values }) => technical.roc({ values, period: 10 })),
      trix: single('trix', ({ close: values }) => technical.trix({ values, period: 15 })),
      williams_r: single('williams_r', ({ high, low, close }) =>
        technical.williamsr({ high, low, close, period: 14 }),
      ),
      cci: single('cci', ({ high, low, close }) => technical.cci({ high, low, close, period: 20 })),
      awesome: single('awesome', ({ high, low }) =>
        technical.awesomeoscillator({ high, low, fastPeriod: 5, slowPeriod: 34 }),
      ),
      kst: kernel(
        ({ close: values }) =>
          technical.kst({
            values,
            ROCPer1: 10,
            ROCPer2: 15,
            ROCPer3: 20,
            ROCPer4: 30,
            SMAROCPer1: 10,
            SMAROCPer2: 10,
            SMAROCPer3: 10,
            SMAROCPer4: 15,
            signalPeriod: 9,
          }),
        (results) => ({
          kst: results.map(({ kst }) => kst),
          signal: results.map(({ signal }) => signal ?? Number.NaN),
        }),
      ),
      obv: single('obv', ({ close, volume }) => technical.obv({ close, volume })),
      force_index: single('force_index', ({ close, volume }) =>
        technical.forceindex({ close, volume, period: 13 }),
      ),
    },
  },
];
