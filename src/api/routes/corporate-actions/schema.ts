import { z } from 'zod';
import type { RouteExample } from '../../contract/route.ts';
import { symbol } from '../../responses/schema-fields.ts';

export const corporateActionSchema = z
  .strictObject({
    symbol,
    type: z
      .enum(['split', 'dividend', 'spin-off'])
      .describe('A spin-off counts for the adjustment `all` like a dividend, and is in no yield.'),
    exDate: z.iso.date(),
    numerator: z.number().nullable().describe('For a 4-for-1 split: 4; null for dividends.'),
    denominator: z.number().nullable().describe('For a 4-for-1 split: 1; null for dividends.'),
    amount: z.number().nullable().describe('Dividend per share, as declared; null for splits.'),
    currency: z
      .string()
      .nullable()
      .describe(
        'ISO 4217 code of the amount; null for splits. A dividend that is not in USD is listed ' +
          'only: it is in no yield, and prices across its ex-date have no adjustment `all`.',
      ),
  })
  .meta({ id: 'CorporateAction' });

const days = { from: z.iso.date(), to: z.iso.date() };

export const actionCoverageSchema = z
  .strictObject({
    ...days,
    dividends: z
      .strictObject(days)
      .nullable()
      .describe('Days for which all dividends are known; null for none.'),
  })
  .describe('Days for which all splits are known, and those of dividends.');

export const corporateActionsSchema = z
  .strictObject({
    data: z.array(corporateActionSchema).describe('Newest first.'),
    coverage: actionCoverageSchema
      .optional()
      .describe('Days for which actions are known; absent where splits are not.'),
  })
  .meta({ id: 'CorporateActions' });

export const corporateActionsExample: RouteExample = {
  title: 'Splits and dividends of a symbol',
  path: { symbol: 'QXAA' },
  response: {
    data: [
      {
        symbol: 'QXAA',
        type: 'dividend',
        exDate: '2026-08-14',
        numerator: null,
        denominator: null,
        amount: 0.22,
        currency: 'USD',
      },
      {
        symbol: 'QXAA',
        type: 'split',
        exDate: '2020-08-31',
        numerator: 4,
        denominator: 1,
        amount: null,
        currency: null,
      },
    ],
  },
};
