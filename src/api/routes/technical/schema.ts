import { z } from 'zod';
import { INTERVALS } from '../../../base/time/intervals.ts';
import { dateTime, symbol } from '../../responses/schema-fields.ts';

const barStart = dateTime.describe('Start of the bar in UTC; a day is stamped with 00:00Z.');

export const candleSchema = z
  .strictObject({
    timestamp: barStart,
    open: z.number(),
    high: z.number(),
    low: z.number(),
    close: z.number(),
    volume: z.int().describe('Rounded to a whole number.'),
  })
  .meta({ id: 'Candle' });

const singlePoint = z
  .strictObject({ timestamp: barStart, value: z.number() })
  .meta({ id: 'IndicatorPoint', description: 'A point of `sma`, `ema` or `rsi`.' });

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

export const technicalSchema = z
  .strictObject({
    symbol,
    interval: z.enum(INTERVALS),
    indicators: z
      .record(
        z.string(),
        z.union([z.array(singlePoint), z.array(macdPoint), z.array(bollingerPoint)]),
      )
      .describe('Keyed by the requested text; points before the first value are left out.'),
    candles: z.array(candleSchema).describe('In ascending order.'),
  })
  .meta({ id: 'Technical' });
