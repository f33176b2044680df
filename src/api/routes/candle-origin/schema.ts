import { z } from 'zod';
import { BASES } from '../../../base/bars.ts';
import { INTERVALS } from '../../../base/time/intervals.ts';
import type { RouteExample } from '../../contract/route.ts';
import { choiceField, momentField } from '../../http/query-fields.ts';
import { dateTime, symbol } from '../../responses/schema-fields.ts';
import { actionCoverageSchema, corporateActionSchema } from '../corporate-actions/schema.ts';

export const originParameters = z.strictObject({
  at: momentField.describe("The bar's `timestamp`: a date for days, weeks and months."),
  interval: choiceField(INTERVALS).default('1d').describe('Length of the bar.'),
});

const pricesSchema = z
  .strictObject({
    adjustment: z.enum(BASES),
    open: z.number(),
    high: z.number(),
    low: z.number(),
    close: z.number(),
    volume: z.number().describe('Shares, with at most six decimals.'),
  })
  .meta({ id: 'AdjustedPrices' });

export const originSchema = z
  .strictObject({
    symbol,
    interval: z.enum(INTERVALS),
    timestamp: dateTime.describe('Start of the bar, in UTC.'),
    source: z
      .string()
      .describe('Source of the series. If loads were joined, of the load that ranks first.'),
    sourceInterval: z
      .enum(INTERVALS)
      .describe('Interval of the stored bars. If it is shorter, the bar is made from them.'),
    sourceBasis: z.enum(BASES).describe('Price basis of the stored bars.'),
    asOf: dateTime
      .nullable()
      .describe('Vintage of adjusted prices; null for raw ones, which never change.'),
    prices: z.array(pricesSchema).describe('The bar on each basis that can be derived.'),
    actionsSince: z
      .array(corporateActionSchema)
      .describe('Splits and dividends after the bar, up to the newest bar; the oldest first.'),
    actionCoverage: actionCoverageSchema
      .nullable()
      .describe('Days for which actions are known; null where splits are not.'),
  })
  .meta({ id: 'CandleOrigin' });

export const originExample: RouteExample = {
  title: 'A day before a split',
  path: { symbol: 'QXAA' },
  query: { at: '2026-06-01' },
  response: {
    symbol: 'QXAA',
    interval: '1d',
    timestamp: '2026-06-01T00:00:00.000Z',
    source: 'sandbox',
    sourceInterval: '1d',
    sourceBasis: 'raw',
    asOf: null,
    prices: [
      { adjustment: 'raw', open: 280, high: 284, low: 278, close: 282, volume: 5000 },
      { adjustment: 'split', open: 140, high: 142, low: 139, close: 141, volume: 10000 },
    ],
    actionsSince: [
      {
        symbol: 'QXAA',
        type: 'split',
        exDate: '2026-08-31',
        numerator: 2,
        denominator: 1,
        amount: null,
        currency: null,
      },
    ],
    actionCoverage: {
      ...{ from: '2025-06-02', to: '2026-11-17' },
      dividends: { from: '2025-06-02', to: '2026-11-17' },
    },
  },
};
