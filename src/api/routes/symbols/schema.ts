import { z } from 'zod';
import { pageSchema } from '../../responses/pages.ts';
import { companyName, symbol } from '../../responses/schema-fields.ts';

export const symbolRowSchema = z
  .strictObject({
    symbol,
    companyName,
    exchange: z.enum(['NYSE', 'NASDAQ', 'AMEX']).nullable(),
    type: z.string().nullable().describe('`stock`, `etf`, `preferred` and so on.'),
    firstBar: z.iso.date().nullable().describe('Day of the first bar; null without any.'),
    lastBar: z.iso.date().nullable().describe('Day of the newest bar.'),
    source: z.string().nullable().describe('Source of the bars, or else of the listing.'),
  })
  .meta({ id: 'SymbolRow' });

export const symbolPageSchema = pageSchema('SymbolPage', symbolRowSchema);
