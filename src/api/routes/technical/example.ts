import type { RouteExample } from '../../contract/route.ts';

const CANDLE = {
  timestamp: '2026-11-17T00:00:00.000Z',
  open: 145.45,
  high: 147.56,
  low: 142.79,
  close: 142.9,
  volume: 7264,
};

export const technicalExample: RouteExample = {
  title: 'The newest day with a moving average, MACD and Bollinger bands',
  path: { symbol: 'QXAA' },
  query: { indicators: 'sma:20,macd,bollinger', limit: '1' },
  response: {
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
