/** Drives `@ixjb94/indicators`. */

import { converted, indicatorOf, type PeerModule, single } from './peer.ts';

type Library = typeof import('@ixjb94/indicators');

/** The fast average of its Kaufman average takes 2 and 30 bars; it can't be changed. */
const isKaufman = ({ fast, slow }: Readonly<Record<string, number>>) => fast === 2 && slow === 30;

export function ixjb94(library: Library): PeerModule {
  const lib = new library.IndicatorsSync();
  return {
    name: '@ixjb94/indicators',
    description: 'IndicatorsSync over plain arrays, a call a symbol',
    indicator: indicatorOf({
      sma: ({ period }) => single('sma', ({ close }) => lib.sma(close, period)),
      ema: ({ period }) => single('ema', ({ close }) => lib.ema(close, period)),
      rsi: ({ period }) => single('rsi', ({ close }) => lib.rsi(close, period)),
      macd: ({ fast, slow, signal }) =>
        converted(
          ({ close }) => lib.macd(close, fast, slow, signal),
          ([line, signalLine, histogram]) => ({ macd: line, signal: signalLine, histogram }),
        ),
      bollinger: ({ period, k }) =>
        converted(
          ({ close }) => lib.bbands(close, period, k),
          ([lower, middle, upper]) => ({ lower, middle, upper }),
        ),
      atr: ({ period }) =>
        single('atr', ({ high, low, close }) => lib.atr(high, low, close, period)),
      wma: ({ period }) => single('wma', ({ close }) => lib.wma(close, period)),
      dema: ({ period }) => single('dema', ({ close }) => lib.dema(close, period)),
      tema: ({ period }) => single('tema', ({ close }) => lib.tema(close, period)),
      hma: ({ period }) => single('hma', ({ close }) => lib.hma(close, period)),
      kama: (params) =>
        isKaufman(params)
          ? single('kama', ({ close }) => lib.kama(close, params.period))
          : undefined,
      vwma: ({ period }) => single('vwma', ({ close, volume }) => lib.vwma(close, volume, period)),
      vwap: ({ period }) =>
        single('vwap', ({ high, low, close, volume }) =>
          lib.vwap(high, low, close, volume, period),
        ),
      zlema: ({ period }) => single('zlema', ({ close }) => lib.zlema(close, period)),
      linreg: ({ period }) =>
        converted(
          ({ close }) => [lib.linreg(close, period), lib.linregslope(close, period)],
          ([value, slope]) => ({ value, slope }),
        ),
      stddev: ({ period }) => single('stddev', ({ close }) => lib.stddev(close, period)),
      natr: ({ period }) =>
        single('natr', ({ high, low, close }) => lib.natr(high, low, close, period)),
      adx: ({ period }) =>
        converted(
          ({ high, low, close }) => [
            lib.adx(high, low, period),
            ...lib.di(high, low, close, period),
          ],
          ([adx, plus, minus]) => ({ adx, plus_di: plus, minus_di: minus }),
        ),
      aroon: ({ period }) =>
        converted(
          ({ high, low }) => [...lib.aroon(high, low, period), lib.aroonosc(high, low, period)],
          ([down, up, oscillator]) => ({ up, down, oscillator }),
        ),
      psar: ({ step, most }) => single('psar', ({ high, low }) => lib.psar(high, low, step, most)),
      highest: ({ period }) => single('highest', ({ high }) => lib.max(high, period)),
      lowest: ({ period }) => single('lowest', ({ low }) => lib.min(low, period)),
      change: ({ bars }) => single('change', ({ close }) => lib.mom(close, bars)),
      roc: ({ period }) =>
        converted(
          ({ close }) => lib.roc(close, period),
          (ratios) => ({ roc: ratios.map((ratio) => 100 * ratio) }),
        ),
      momentum: ({ period }) => single('momentum', ({ close }) => lib.mom(close, period)),
      ppo: ({ fast, slow }) => single('ppo', ({ close }) => lib.ppo(close, fast, slow)),
      stochastic: ({ period, smooth, signal }) =>
        converted(
          ({ high, low, close }) => lib.stoch(high, low, close, period, smooth, signal),
          ([k, d]) => ({ k, d }),
        ),
      williams_r: ({ period }) =>
        single('williams_r', ({ high, low, close }) => lib.willr(high, low, close, period)),
      cci: ({ period }) =>
        single('cci', ({ high, low, close }) => lib.cci(high, low, close, period)),
      ultimate: ({ short, medium, long }) =>
        single('ultimate', ({ high, low, close }) =>
          lib.ultosc(high, low, close, short, medium, long),
        ),
      cmo: ({ period }) => single('cmo', ({ close }) => lib.cmo(close, period)),
      tsi: ({ long, short }) => single('tsi', ({ close }) => lib.tsi(close, long, short)),
      // Its averages take 5 and 34 bars.
      awesome: ({ fast, slow }) =>
        fast === 5 && slow === 34
          ? single('awesome', ({ high, low }) => lib.ao(high, low))
          : undefined,
      bop: () => single('bop', ({ open, high, low, close }) => lib.bop(open, high, low, close)),
      // Its average takes 9 bars.
      mass_index: ({ average, period }) =>
        average === 9
          ? single('mass_index', ({ high, low }) => lib.mass(high, low, period))
          : undefined,
      mfi: ({ period }) =>
        single('mfi', ({ high, low, close, volume }) => lib.mfi(high, low, close, volume, period)),
      obv: () => single('obv', ({ close, volume }) => lib.obv(close, volume)),
      ad: () => single('ad', ({ high, low, close, volume }) => lib.ad(high, low, close, volume)),
      cmf: ({ period }) =>
        single('cmf', ({ high, low, close, volume }) => lib.cmf(high, low, close, volume, period)),
      chaikin: ({ fast, slow }) =>
        single('chaikin', ({ high, low, close, volume }) =>
          lib.adosc(high, low, close, volume, fast, slow),
        ),
      force_index: ({ period }) =>
        single('force_index', ({ close, volume }) => lib.fi(close, volume, period)),
    }),
  };
}
