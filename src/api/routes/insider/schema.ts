import { z } from 'zod';
import { DIRECTIONS, OWNERSHIPS, TRANSACTION_TYPES } from '../../../base/datasets/filings.ts';
import type { RouteExample } from '../../contract/route.ts';
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
    transactionDate: z.iso.date().nullable(),
    transactionCode: z.string().nullable().describe("The filing's letter: `P` or `S` in markets."),
    securityTitle: z.string().nullable().describe("The security's name in the filing."),
    direction: z.enum(DIRECTIONS).nullable(),
    ownership: z.enum(OWNERSHIPS).nullable().describe('`indirect`: through a fund or a trust.'),
    isDerivative: z.boolean().nullable(),
    isPlanned: z.boolean().nullable().describe('Made by a plan under rule 10b5-1.'),
    accession: z.string().describe('Number of the filing at the SEC.'),
    link: z.string().nullable().describe('Address of the filing; null for rows without a number.'),
  })
  .meta({ id: 'InsiderTransaction' });

export const insiderPageSchema = pageSchema('InsiderPage', transactionSchema);

export const insiderSummarySchema = z
  .strictObject({
    symbol: z.string(),
    netShares30d: amount.describe('Shares bought minus sold, filed within 30 days.'),
    netValue30d: amount.describe('The same as an amount of money.'),
    netShares90d: amount.describe('Shares bought minus sold, filed within 90 days.'),
    netValue90d: amount.describe('The same as an amount of money.'),
    buyCount90d: z.int(),
    sellCount90d: z.int(),
    reason: z.string().nullable().describe('Reason for a null among the sums.'),
    mostRecentTransaction: transactionSchema.nullable(),
  })
  .meta({ id: 'InsiderSummary' });

const path = { symbol: 'QXAA' };

export const TRANSACTION = {
  symbol: 'QXAA',
  insiderName: 'Hyxebradane Wambiquoquist (synthetic)',
  title: 'General Counsel',
  transactionType: 'sell',
  shares: 1236,
  price: 139.15,
  totalValue: 171989.4,
  sharesOwnedAfter: 29257,
  filedAt: '2026-11-03T01:14:00.000Z',
  transactionDate: '2026-10-30',
  transactionCode: 'S',
  securityTitle: 'Common Stock',
  direction: 'disposed',
  ownership: 'direct',
  isDerivative: false,
  isPlanned: false,
  accession: '0000000000-26-000001',
  link: null,
};

export const insiderSummaryExample: RouteExample = {
  title: 'Insider summary of a symbol',
  path,
  response: {
    symbol: 'QXAA',
    netShares30d: -1236,
    netValue30d: -171989.4,
    netShares90d: -1087,
    netValue90d: -152297.56,
    buyCount90d: 1,
    sellCount90d: 1,
    reason: null,
    mostRecentTransaction: TRANSACTION,
  },
};
