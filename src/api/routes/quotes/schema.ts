import { z } from 'zod';
import { quoteField } from '../../../base/quote-fields.ts';
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
