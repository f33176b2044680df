/** Drives `trading-signals`, whose indicators are objects that take one bar at a time. */

import {
  bandsOf,
  columnsOf,
  converted,
  indicatorOf,
  type PeerBar,
  type PeerBars,
  type PeerColumns,
  type PeerIndicator,
  type PeerModule,
} from './peer.ts';

type Library = typeof import('trading-signals');

/** An indicator that takes closes. */
function ofCloses<Result>(
  create: () => { add(close: number): Result | null },
  columns: (results: readonly Result[]) => PeerColumns,
): PeerIndicator {
  const run = ({ close }: PeerBars) => {
    const indicator = create();
    return close.map((price) => indicator.add(price));
  };
  const stream = () => {
    const indicator = create();
    return ({ close }: PeerBar) => indicator.add(close);
  };
  return { ...converted(run, (results) => columns(definedOf(results))), stream };
}

/** An indicator that takes bars. */
function ofBars<Result>(
  create: () => { add(bar: PeerBar): Result | null },
  columns: (results: readonly Result[]) => PeerColumns,
): PeerIndicator {
  const run = ({ open, high, low, close, volume }: PeerBars) => {
    const indicator = create();
    return close.map((price, i) =>
      indicator.add({ open: open[i], high: high[i], low: low[i], close: price, volume: volume[i] }),
    );
  };
  const stream = () => {
    const indicator = create();
    return (bar: PeerBar) => indicator.add(bar);
  };
  return { ...converted(run, (results) => columns(definedOf(results))), stream };
}

function definedOf<Result>(results: readonly (Result | null)[]): Result[] {
  return results.filter((result) => result !== null);
}

const lineOf =
  (output: string) =>
  (values: readonly number[]): PeerColumns => ({ [output]: values });

export function tradingSignals(lib: Library): PeerModule {
  return {
    name: 'trading-signals',
    description: 'an object per symbol and indicator, fed bar by bar',
    indicator: indicatorOf({
      sma: ({ period }) => ofCloses(() => new lib.SMA(period), lineOf('sma')),
      ema: ({ period }) => ofCloses(() => new lib.EMA(period), lineOf('ema')),
      rsi: ({ period }) => ofCloses(() => new lib.RSI(period), lineOf('rsi')),
      macd: ({ fast, slow, signal }) =>
        ofCloses(
          () => new lib.MACD(new lib.EMA(fast), new lib.EMA(slow), new lib.EMA(signal)),
          columnsOf({ macd: 'macd', signal: 'signal', histogram: 'histogram' }),
        ),
      bollinger: ({ period, k }) => ofCloses(() => new lib.BollingerBands(period, k), bandsOf),
      atr: ({ period }) => ofBars(() => new lib.ATR(period), lineOf('atr')),
      wma: ({ period }) => ofCloses(() => new lib.WMA(period), lineOf('wma')),
      dema: ({ period }) => ofCloses(() => new lib.DEMA(period), lineOf('dema')),
      tema: ({ period }) => ofCloses(() => new lib.TEMA(period), lineOf('tema')),
      t3: ({ period, factor }) => ofCloses(() => new lib.T3(period, factor), lineOf('t3')),
      hma: ({ period }) => ofCloses(() => new lib.HMA(period), lineOf('hma')),
      kama: ({ period, fast, slow }) =>
        fast === 2 && slow === 30
          ? ofCloses(() => new lib.KAMA(period), lineOf('kama'))
          : undefined,
      alma: ({ period, offset, sigma }) =>
        offset === 0.85 && sigma === 6
          ? ofCloses(() => new lib.ALMA(period), lineOf('alma'))
          : undefined,
      zlema: ({ period }) => ofCloses(() => new lib.ZLEMA(period), lineOf('zlema')),
      vwma: ({ period }) => ofBars(() => new lib.VWMA(period), lineOf('vwma')),
      natr: ({ period }) => ofBars(() => new lib.NATR(period), lineOf('natr')),
      adx: ({ period }) => ofBars(() => new lib.ADX(period), lineOf('adx')),
      aroon: ({ period }) =>
        ofBars(() => new lib.Aroon(period), columnsOf({ up: 'aroonUp', down: 'aroonDown' })),
      donchian: ({ period }) => ofBars(() => new lib.DonchianChannels(period), bandsOf),
      keltner: ({ period, k, atr }) =>
        ofBars(
          () => new lib.KeltnerChannels({ emaInterval: period, atrInterval: atr, multiplier: k }),
          bandsOf,
        ),
      percent_b: ({ period, k }) =>
        ofCloses(
          () => new lib.PercentB({ interval: period, deviationMultiplier: k }),
          lineOf('percent_b'),
        ),
      vortex: ({ period }) =>
        ofBars(() => new lib.VortexIndicator(period), columnsOf({ plus: 'plus', minus: 'minus' })),
      roc: ({ period }) =>
        ofCloses(
          () => new lib.ROC(period),
          (ratios) => ({ roc: ratios.map((ratio) => 100 * ratio) }),
        ),
      momentum: ({ period }) => ofCloses(() => new lib.MOM(period), lineOf('momentum')),
      ppo: ({ fast, slow }) =>
        ofCloses(() => new lib.PPO({ fastPeriod: fast, slowPeriod: slow }), lineOf('ppo')),
      williams_r: ({ period }) => ofBars(() => new lib.WilliamsR(period), lineOf('williams_r')),
      cci: ({ period }) => ofBars(() => new lib.CCI(period), lineOf('cci')),
      ultimate: ({ short, medium, long }) =>
        short === 7 && medium === 14 && long === 28
          ? ofBars(() => new lib.UltimateOscillator(), lineOf('ultimate'))
          : undefined,
      cmo: ({ period }) => ofCloses(() => new lib.CMO(period), lineOf('cmo')),
      tsi: ({ long, short }) =>
        ofCloses(() => new lib.TSI({ longPeriod: long, shortPeriod: short }), lineOf('tsi')),
      awesome: ({ fast, slow }) => ofBars(() => new lib.AO(fast, slow), lineOf('awesome')),
      dpo: ({ period }) => ofCloses(() => new lib.DPO(period), lineOf('dpo')),
      // Its defaults are those of the catalogue.
      coppock: ({ average, long, short }) =>
        average === 10 && long === 14 && short === 11
          ? ofCloses(() => new lib.CoppockCurve(), lineOf('coppock'))
          : undefined,
      kst: ({ signal }) =>
        signal === 9 ? ofCloses(() => new lib.KST(), lineOf('kst')) : undefined,
      bop: () => ofBars(() => new lib.BOP(), lineOf('bop')),
      elder_ray: ({ period }) =>
        ofBars(() => new lib.ElderRay(period), columnsOf({ bull: 'bullPower', bear: 'bearPower' })),
      mfi: ({ period }) => ofBars(() => new lib.MFI(period), lineOf('mfi')),
      // The two bars are those of its signal.
      obv: () => ofBars(() => new lib.OBV(2), lineOf('obv')),
      ad: () => ofBars(() => new lib.AD(), lineOf('ad')),
      cmf: ({ period }) => ofBars(() => new lib.CMF(period), lineOf('cmf')),
      chaikin: ({ fast, slow }) =>
        ofBars(() => new lib.ADOSC({ fastPeriod: fast, slowPeriod: slow }), lineOf('chaikin')),
      pvt: () => ofBars(() => new lib.PVT(), lineOf('pvt')),
      force_index: ({ period }) => ofBars(() => new lib.ForceIndex(period), lineOf('force_index')),
      eom: ({ period, divisor }) => ofBars(() => new lib.EMV(period, divisor), lineOf('eom')),
    }),
  };
}
