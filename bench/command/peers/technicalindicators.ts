/** Drives `technicalindicators`. */

import { bandsOf, columnsOf, converted, indicatorOf, type PeerModule, single } from './peer.ts';

type Library = typeof import('technicalindicators');

export function technicalindicators(lib: Library): PeerModule {
  return {
    name: 'technicalindicators',
    description: 'functions over plain arrays, a call a symbol',
    indicator: indicatorOf({
      sma: ({ period }) => single('sma', ({ close: values }) => lib.sma({ values, period })),
      ema: ({ period }) => single('ema', ({ close: values }) => lib.ema({ values, period })),
      rsi: ({ period }) => single('rsi', ({ close: values }) => lib.rsi({ values, period })),
      macd: ({ fast, slow, signal }) =>
        converted(
          ({ close: values }) =>
            lib.macd({
              values,
              fastPeriod: fast,
              slowPeriod: slow,
              signalPeriod: signal,
              SimpleMAOscillator: false,
              SimpleMASignal: false,
            }),
          columnsOf({ macd: 'MACD', signal: 'signal', histogram: 'histogram' }),
        ),
      bollinger: ({ period, k }) =>
        converted(
          ({ close: values }) => lib.bollingerbands({ values, period, stdDev: k }),
          bandsOf,
        ),
      atr: ({ period }) =>
        single('atr', ({ high, low, close }) => lib.atr({ high, low, close, period })),
      wma: ({ period }) => single('wma', ({ close: values }) => lib.wma({ values, period })),
      stddev: ({ period }) => single('stddev', ({ close: values }) => lib.sd({ values, period })),
      adx: ({ period }) =>
        converted(
          ({ high, low, close }) => lib.adx({ high, low, close, period }),
          columnsOf({ adx: 'adx', plus_di: 'pdi', minus_di: 'mdi' }),
        ),
      psar: ({ step, most }) =>
        single('psar', ({ high, low }) => lib.psar({ high, low, step, max: most })),
      keltner: ({ period, k, atr }) =>
        converted(
          ({ high, low, close }) =>
            lib.keltnerchannels({
              high,
              low,
              close,
              maPeriod: period,
              atrPeriod: atr,
              useSMA: false,
              multiplier: k,
            }),
          bandsOf,
        ),
      highest: ({ period }) =>
        single('highest', ({ high: values }) => lib.highest({ values, period })),
      lowest: ({ period }) => single('lowest', ({ low: values }) => lib.lowest({ values, period })),
      roc: ({ period }) => single('roc', ({ close: values }) => lib.roc({ values, period })),
      trix: ({ period }) => single('trix', ({ close: values }) => lib.trix({ values, period })),
      williams_r: ({ period }) =>
        single('williams_r', ({ high, low, close }) => lib.williamsr({ high, low, close, period })),
      cci: ({ period }) =>
        single('cci', ({ high, low, close }) => lib.cci({ high, low, close, period })),
      awesome: ({ fast, slow }) =>
        single('awesome', ({ high, low }) =>
          lib.awesomeoscillator({ high, low, fastPeriod: fast, slowPeriod: slow }),
        ),
      kst: ({ signal }) =>
        converted(
          ({ close: values }) =>
            lib.kst({
              values,
              ROCPer1: 10,
              ROCPer2: 15,
              ROCPer3: 20,
              ROCPer4: 30,
              SMAROCPer1: 10,
              SMAROCPer2: 10,
              SMAROCPer3: 10,
              SMAROCPer4: 15,
              signalPeriod: signal,
            }),
          columnsOf({ kst: 'kst', signal: 'signal' }),
        ),
      obv: () => single('obv', ({ close, volume }) => lib.obv({ close, volume })),
      force_index: ({ period }) =>
        single('force_index', ({ close, volume }) => lib.forceindex({ close, volume, period })),
    }),
  };
}
