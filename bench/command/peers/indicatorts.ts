/** Drives `indicatorts`. */

import { converted, indicatorOf, type PeerModule, single } from './peer.ts';

type Library = typeof import('indicatorts');

export function indicatorts(lib: Library): PeerModule {
  return {
    name: 'indicatorts',
    description: 'functions over plain arrays, a call a symbol',
    indicator: indicatorOf({
      sma: ({ period }) => single('sma', ({ close }) => lib.sma(close, { period })),
      ema: ({ period }) => single('ema', ({ close }) => lib.ema(close, { period })),
      rsi: ({ period }) => single('rsi', ({ close }) => lib.rsi(close, { period })),
      // It has no histogram.
      macd: ({ fast, slow, signal }) =>
        converted(
          ({ close }) => lib.macd(close, { fast, slow, signal }),
          ({ macdLine, signalLine }) => ({ macd: macdLine, signal: signalLine }),
        ),
      // Its bands are two deviations wide.
      bollinger: ({ period, k }) =>
        k === 2
          ? converted(
              ({ close }) => lib.bb(close, { period }),
              ({ upper, middle, lower }) => ({ upper, middle, lower }),
            )
          : undefined,
      // Its own `atr` averages without Wilder's weights.
      atr: ({ period }) =>
        single('atr', ({ high, low, close }) => lib.rma(lib.tr(high, low, close), { period })),
      dema: ({ period }) => single('dema', ({ close }) => lib.dema(close, { period })),
      tema: ({ period }) => single('tema', ({ close }) => lib.tema(close, { period })),
      vwma: ({ period }) =>
        single('vwma', ({ close, volume }) => lib.vwma(close, volume, { period })),
      stddev: ({ period }) => single('stddev', ({ close }) => lib.mstd(close, { period })),
      vortex: ({ period }) =>
        converted(
          ({ high, low, close }) => lib.vortex(high, low, close, { period }),
          ({ plus, minus }) => ({ plus, minus }),
        ),
      highest: ({ period }) => single('highest', ({ high }) => lib.mmax(high, { period })),
      lowest: ({ period }) => single('lowest', ({ low }) => lib.mmin(low, { period })),
      roc: ({ period }) => single('roc', ({ close }) => lib.roc(close, { period })),
      ppo: ({ fast, slow, signal }) =>
        converted(
          ({ close }) => lib.ppo(close, { fast, slow, signal }),
          ({ ppoResult, signal: line, histogram }) => ({ ppo: ppoResult, signal: line, histogram }),
        ),
      williams_r: ({ period }) =>
        single('williams_r', ({ high, low, close }) => lib.willr(high, low, close, { period })),
      awesome: ({ fast, slow }) =>
        single('awesome', ({ high, low }) => lib.ao(high, low, { fast, slow })),
      bop: () => single('bop', ({ open, high, low, close }) => lib.bop(open, high, low, close)),
      mass_index: ({ average, period }) =>
        single('mass_index', ({ high, low }) =>
          lib.mi(high, low, { emaPeriod: average, miPeriod: period }),
        ),
      obv: () => single('obv', ({ close, volume }) => lib.obv(close, volume)),
      ad: () => single('ad', ({ high, low, close, volume }) => lib.ad(high, low, close, volume)),
      cmf: ({ period }) =>
        single('cmf', ({ high, low, close, volume }) =>
          lib.cmf(high, low, close, volume, { period }),
        ),
      chaikin: ({ fast, slow }) =>
        converted(
          ({ high, low, close, volume }) => lib.cmo(high, low, close, volume, { fast, slow }),
          ({ cmoResult }) => ({ chaikin: cmoResult }),
        ),
      pvt: () => single('pvt', ({ close, volume }) => lib.vpt(close, volume)),
      force_index: ({ period }) =>
        single('force_index', ({ close, volume }) => lib.fi(close, volume, { period })),
    }),
  };
}
