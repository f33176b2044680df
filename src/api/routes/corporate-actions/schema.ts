import { z } from 'zod';
import { symbol } from '../../responses/schema-fields.ts';

const action = z
  .strictObject({
    symbol,
    type: z.enum(['split', 'dividend']),
    exDate: z.iso.date(),
    numerator: z.number().nullable().describe('For a 4-for-1 split: 4; null for dividends.'),
    denominator: z.number().nullable().describe('For a 4-for-1 split: 1; null for dividends.'),
    amount: z.number().nullable().describe('Dividend per share, as declared; null for splits.'),
  })
  .meta({ id: 'CorporateAction' });

export const corporateActionsSchema = z
  .strictObject({ data: z.array(action).describe('Newest first.') })
  .meta({ id: 'CorporateActions' });
