/** What rows of datasets look like in answers, field by field. Tests hold every body against these. */

import { z } from 'zod';
import { RATING_ACTIONS } from '../datasets-analysts.ts';
import { TRANSACTION_TYPES } from '../datasets-filings.ts';
import { SENTIMENTS } from '../datasets-market.ts';
import { pageSchema } from './answer-schemas.ts';

const dateTime = z.iso.datetime({ precision: 3 });
const amount = z.number().nullable();
const period = z.enum(['annual', 'quarterly', 'ttm']);

export const statementsSchema = z.strictObject({
  data: z.array(
    z.strictObject({
      date: z.iso.date(),
      period,
      revenue: amount,
      costOfRevenue: amount,
      grossProfit: amount,
      operatingIncome: amount,
      netIncome: amount,
      eps: amount,
      epsDiluted: amount,
    }),
  ),
});

export const balanceSheetSchema = z.strictObject({
  data: z.array(
    z.strictObject({
      date: z.iso.date(),
      period,
      totalAssets: amount,
      totalLiabilities: amount,
      totalEquity: amount,
      cash: amount,
      totalDebt: amount,
      netDebt: amount,
    }),
  ),
});

const transaction = z.strictObject({
  symbol: z.string(),
  insiderName: z.string(),
  title: z.string().nullable(),
  transactionType: z.enum(TRANSACTION_TYPES),
  shares: amount,
  price: amount,
  totalValue: amount,
  sharesOwnedAfter: amount,
  filedAt: dateTime,
});

export const insiderPageSchema = pageSchema(transaction);

export const insiderSummarySchema = z.strictObject({
  symbol: z.string(),
  netShares30d: z.number(),
  netValue30d: z.number(),
  netShares90d: z.number(),
  netValue90d: z.number(),
  buyCount90d: z.int(),
  sellCount90d: z.int(),
  mostRecentTransaction: transaction.nullable(),
});

export const articleSchema = z.strictObject({
  id: z.string().regex(/^news_[a-z0-9]{26}$/),
  title: z.string(),
  summary: z.string().nullable(),
  source: z.string(),
  url: z.string(),
  publishedAt: dateTime,
  symbols: z.array(z.string()),
  sentiment: z.enum(SENTIMENTS).nullable(),
});

export const newsPageSchema = pageSchema(articleSchema);

export const consensusSchema = z.strictObject({
  symbol: z.string(),
  consensus: z.enum(['Strong Buy', 'Buy', 'Hold', 'Sell', 'Strong Sell']).nullable(),
  totalAnalysts: z.int().nullable(),
  targetHigh: amount,
  targetLow: amount,
  targetMean: amount,
  targetMedian: amount,
  buy: z.int().nullable(),
  hold: z.int().nullable(),
  sell: z.int().nullable(),
});

export const targetsSchema = z.strictObject({
  data: z.array(
    z.strictObject({
      analystName: z.string().nullable(),
      firm: z.string(),
      target: z.number(),
      rating: z.string().nullable(),
      publishedAt: dateTime,
    }),
  ),
});

export const ratingsPageSchema = pageSchema(
  z.strictObject({
    symbol: z.string(),
    firm: z.string(),
    analystName: z.string().nullable(),
    action: z.enum(RATING_ACTIONS),
    fromGrade: z.string().nullable(),
    toGrade: z.string().nullable(),
    publishedAt: dateTime,
  }),
);

export const expirationsSchema = z.strictObject({ data: z.array(z.iso.date()) });

export const earningsPageSchema = pageSchema(
  z.strictObject({
    symbol: z.string(),
    companyName: z.string().nullable(),
    date: z.iso.date(),
    fiscalQuarter: z
      .string()
      .regex(/^\d{4}-Q[1-4]$/)
      .nullable(),
    time: z.enum(['before_market', 'after_market', 'during_market', 'unknown']),
    epsEstimate: amount,
    revenueEstimate: amount,
  }),
);
