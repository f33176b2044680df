import { z } from 'zod';
import { INTERVALS, TRADING_SESSIONS } from '../../../base/time/intervals.ts';
import type { RouteExample } from '../../contract/route.ts';
import { dateTime, symbol } from '../../responses/schema-fields.ts';

const barStart = dateTime.describe('Start of the bar in UTC; a day is stamped with 00:00Z.');

export const candleSchema = z
  .strictObject({
    timestamp: barStart,
    tradeDate: z.iso
      .date()
      .nullable()
      .describe('With `session`: the date that the bar counts for; null on days without trading.')
      .optional(),
    session: z
      .enum(TRADING_SESSIONS)
      .nullable()
      .describe('With `session`: that of the bar; null outside of every session.')
      .optional(),
    open: z.number(),
    high: z.number(),
    low: z.number(),
    close: z.number(),
    volume: z.number().describe('Shares, with at most six decimals.'),
  })
  .meta({ id: 'Candle' });

export type Candle = z.infer<typeof candleSchema>;

const singlePoint = z.strictObject({ timestamp: barStart, value: z.number() }).meta({
  id: 'IndicatorPoint',
  description: 'A point of an indicator with one output, such as `sma`.',
});

const macdPoint = z
  .strictObject({
    timestamp: barStart,
    value: z.number().describe('The MACD line.'),
    signal: z.number().nullable().describe('Null until its first value, as is `histogram`.'),
    histogram: z.number().nullable(),
  })
  .meta({ id: 'MacdPoint' });

const bollingerPoint = z
  .strictObject({
    timestamp: barStart,
    value: z.number().describe('Same as `middle`.'),
    upper: z.number(),
    middle: z.number(),
    lower: z.number(),
  })
  .meta({ id: 'BollingerPoint' });

const outputsPoint = z
  .object({ timestamp: barStart, value: z.number().describe('The output named first.') })
  .catchall(z.number().nullable())
  .meta({
    id: 'OutputsPoint',
    description: 'A point of an indicator with several outputs: the others by their names.',
  });

export const technicalSchema = z
  .strictObject({
    symbol,
    interval: z.enum(INTERVALS),
    indicators: z
      .record(
        z.string(),
        z.union([
          z.array(singlePoint),
          z.array(macdPoint),
          z.array(bollingerPoint),
          z.array(outputsPoint),
        ]),
      )
      .describe('Keyed by the requested text; points before the first value are left out.'),
    candles: z.array(candleSchema).describe('In ascending order.'),
  })
  .meta({ id: 'Technical' });

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
