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

export const REPORT = {
  symbol: 'QXKP',
  companyName: 'Mizzumbetarn Holdings (synthetic)',
  date: '2026-11-18',
  fiscalQuarter: '2027-Q3',
  time: 'after_market',
  epsEstimate: 0.4403,
  revenueEstimate: 91860000,
};
