import { z } from 'zod';
import type { RouteExample } from '../../contract/route.ts';
import { amount } from '../../responses/schema-fields.ts';

export const factorSchema = z
  .strictObject({
    date: z.iso.date().describe('First day of the factors, which hold until the next row.'),
    splitFactor: amount.describe('Price adjusted for splits ÷ price as traded.'),
    dividendFactor: amount.describe('Price adjusted for splits and dividends ÷ for splits alone.'),
    factor: amount.describe('Both: price adjusted for splits and dividends ÷ price as traded.'),
  })
  .meta({ id: 'Factor' });

export const factorsSchema = z
  .strictObject({
    data: z.array(factorSchema).describe('Oldest first; empty without bars.'),
    reason: z.string().optional().describe('Reason for factors that are null.'),
  })
  .meta({ id: 'Factors' });

export const factorsExample: RouteExample = {
  title: 'Factors of a symbol with a split and a dividend',
  path: { symbol: 'QXAA' },
  response: {
    data: [
      { date: '2016-01-04', splitFactor: 0.25, dividendFactor: 0.998, factor: 0.2495 },
      { date: '2020-08-31', splitFactor: 1, dividendFactor: 0.998, factor: 0.998 },
      { date: '2026-08-14', splitFactor: 1, dividendFactor: 1, factor: 1 },
    ],
  },
};
