import { z } from 'zod';
import { TRANSACTION_TYPES } from '../../../base/datasets/filings.ts';
import { pageSchema } from '../../responses/pages.ts';
import { amount, dateTime } from '../../responses/schema-fields.ts';

export const transactionSchema = z
  .strictObject({
    symbol: z.string(),
    insiderName: z.string(),
    title: z.string().nullable().describe("The officer's title, else `Director` or `10% Owner`."),
    transactionType: z.enum(TRANSACTION_TYPES),
    shares: amount,
    price: amount,
    totalValue: amount,
    sharesOwnedAfter: amount.describe('Shares held after the transaction.'),
    filedAt: dateTime.describe('When the SEC accepted the filing.'),
  })
  .meta({ id: 'InsiderTransaction' });

export const insiderPageSchema = pageSchema('InsiderPage', transactionSchema);

export const insiderSummarySchema = z
  .strictObject({
    symbol: z.string(),
    netShares30d: z.number().describe('Shares bought minus sold, filed within 30 days.'),
    netValue30d: z.number().describe('The same as an amount of money.'),
    netShares90d: z.number().describe('Shares bought minus sold, filed within 90 days.'),
    netValue90d: z.number().describe('The same as an amount of money.'),
    buyCount90d: z.int(),
    sellCount90d: z.int(),
    mostRecentTransaction: transactionSchema.nullable(),
  })
  .meta({ id: 'InsiderSummary' });
