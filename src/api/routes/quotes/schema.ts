import { z } from 'zod';
import { quoteField } from '../../../base/fields.ts';
import { FIELDS_OF_QUOTE } from '../../../store/arrow/snapshot/quote.ts';
import { quoteFieldSchema, symbol } from '../../responses/schema-fields.ts';

export const quoteSchema = z
  .strictObject({
    symbol,
    ...Object.fromEntries(
      FIELDS_OF_QUOTE.map((name) => [
        name,
        quoteFieldSchema(name, quoteField(name).quote?.description),
      ]),
    ),
  })
  .meta({ id: 'Quote' });

export const explainedQuoteSchema = quoteSchema
  .extend({
    reasons: z
      .record(z.string(), z.string())
      .optional()
      .describe('With `explain=true`: why a figure of the company is null, by name.'),
  })
  .meta({ id: 'ExplainedQuote' });

export const quoteBatchSchema = z
  .strictObject({
    data: z.array(quoteSchema).describe('In the order requested.'),
    notFound: z
      .array(z.string())
      .min(1)
      .optional()
      .describe('Symbols that are unknown or have no bars; absent if there are none.'),
  })
  .meta({ id: 'QuoteBatch' });

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

export const OTHER_QUOTE = {
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
