/** Examples of quotes, candles and indicators. `QXAA` is a company of the sandbox. */

import type { RouteExample } from '../openapi/contract.ts';

const CANDLE = {
  timestamp: '2026-11-17T00:00:00.000Z',
  open: 145.45,
  high: 147.56,
  low: 142.79,
  close: 142.9,
  volume: 7264,
};

export const QUOTE = {
  symbol: 'QXAA',
  price: 142.9,
  change: -1.6,
  changePct: -1.107266,
  volume: 7264,
  timestamp: '2026-11-17T21:00:00.000Z',
  dayHigh: 147.56,
  dayLow: 142.79,
  dayOpen: 145.45,
  previousClose: 144.5,
  marketCap: 1262519356.5,
};

const OTHER_QUOTE = {
  symbol: 'QXAX',
  price: 168.88,
  change: -0.15,
  changePct: -0.088742,
  volume: 324,
  timestamp: '2026-11-17T21:00:00.000Z',
  dayHigh: 170.52,
  dayLow: 168.13,
  dayOpen: 169.38,
  previousClose: 169.03,
  marketCap: 110424214.56,
};

export const quoteExample: RouteExample = {
  title: 'The newest quote of a symbol',
  path: { symbol: 'QXAA' },
  answer: QUOTE,
};

export const quoteBatchExample: RouteExample = {
  title: 'Three symbols, one of which is unknown',
  query: { symbols: 'QXAA,QXAX,NONE' },
  answer: { data: [QUOTE, OTHER_QUOTE], notFound: ['NONE'] },
};

export const technicalExample: RouteExample = {
  title: 'The newest day with a moving average, MACD and Bollinger bands',
  path: { symbol: 'QXAA' },
  query: { indicators: 'sma:20,macd,bollinger', limit: '1' },
  answer: {
    symbol: 'QXAA',
    interval: '1d',
    indicators: {
      'sma:20': [{ timestamp: '2026-11-17T00:00:00.000Z', value: 137.5945 }],
      macd: [
        {
          timestamp: '2026-11-17T00:00:00.000Z',
          value: 2.9769136754788446,
          signal: 2.5979988302882076,
          histogram: 0.378914845190637,
        },
      ],
      bollinger: [
        {
          timestamp: '2026-11-17T00:00:00.000Z',
          value: 138.925,
          upper: 145.78504477286515,
          middle: 138.925,
          lower: 132.06495522713487,
        },
      ],
    },
    candles: [CANDLE],
  },
  csv:
    'timestamp,date,open,high,low,close,volume,sma:20,macd,macd_signal,macd_histogram,' +
    'bollinger_upper,bollinger_middle,bollinger_lower\r\n' +
    '2026-11-17T00:00:00.000Z,2026-11-17,145.45,147.56,142.79,142.9,7264,137.5945,' +
    '2.9769136754788446,2.5979988302882076,0.378914845190637,' +
    '145.78504477286515,138.925,132.06495522713487\r\n',
};

export const candlesExample: RouteExample = {
  title: 'Days of one symbol as CSV',
  query: { symbols: 'QXAA', from: '2026-11-16', format: 'csv' },
  csv:
    'symbol,timestamp,date,open,high,low,close,volume,adjustment\r\n' +
    'QXAA,2026-11-16T00:00:00.000Z,2026-11-16,141.49,145.36,140.34,144.5,9789,split\r\n' +
    'QXAA,2026-11-17T00:00:00.000Z,2026-11-17,145.45,147.56,142.79,142.9,7264,split\r\n',
};
