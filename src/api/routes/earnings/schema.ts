import { z } from 'zod';
import { pageSchema } from '../../responses/pages.ts';
import { amount, companyName } from '../../responses/schema-fields.ts';

export const earningsReportSchema = z
  .strictObject({
    symbol: z.string(),
    companyName,
    date: z.iso.date(),
    fiscalQuarter: z
      .string()
      .regex(/^\d{4}-Q[1-4]$/)
      .nullable(),
    time: z.enum(['before_market', 'after_market', 'during_market', 'unknown']),
    epsEstimate: amount,
    revenueEstimate: amount,
  })
  .meta({ id: 'EarningsReport' });

export const earningsPageSchema = pageSchema('EarningsPage', earningsReportSchema);
