/** What rows of datasets look like in JSON answers; see `answer-schemas.ts`. */

import { z } from 'zod';
import { RATING_ACTIONS } from '../../../base/datasets/analysts.ts';
import { TRANSACTION_TYPES } from '../../../base/datasets/filings.ts';
import { SENTIMENTS } from '../../../base/datasets/market.ts';
import { NEWS_ID } from '../../../base/datasets/news-id.ts';
import { dateTime, pageSchema } from '../../docs/answer-schemas.ts';

const amount = z.number().nullable();
const period = z.enum(['annual', 'quarterly', 'ttm']);
const lastDay = z.iso.date().describe('Last day of the period.');

export const incomeStatementSchema = z
  .strictObject({
    date: lastDay,
    period,
    revenue: amount,
    costOfRevenue: amount,
    grossProfit: amount,
    operatingIncome: amount,
    netIncome: amount,
    eps: amount.describe('Basic earnings per share, as filed.'),
    epsDiluted: amount.describe('Diluted earnings per share, as filed.'),
  })
  .meta({ id: 'IncomeStatement' });

export const statementsSchema = z
  .strictObject({ data: z.array(incomeStatementSchema) })
  .meta({ id: 'IncomeStatements' });

export const balanceSheetRowSchema = z
  .strictObject({
    date: lastDay,
    period,
    totalAssets: amount,
    totalLiabilities: amount,
    totalEquity: amount,
    cash: amount.describe('Cash and cash equivalents without marketable securities.'),
    totalDebt: amount.describe('Short and long borrowings without operating leases.'),
    netDebt: amount.describe('`totalDebt` minus `cash`.'),
  })
  .meta({ id: 'BalanceSheet' });

export const balanceSheetSchema = z
  .strictObject({ data: z.array(balanceSheetRowSchema) })
  .meta({ id: 'BalanceSheets' });

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

export const articleSchema = z
  .strictObject({
    id: z.string().regex(NEWS_ID),
    title: z.string(),
    summary: z.string().nullable(),
    source: z.string(),
    url: z.string().describe('Address of the article.'),
    publishedAt: dateTime,
    symbols: z.array(z.string()),
    sentiment: z.enum(SENTIMENTS).nullable().describe('Tone of the article, judged by its words.'),
  })
  .meta({ id: 'Article' });

export const newsPageSchema = pageSchema('NewsPage', articleSchema);

export const consensusSchema = z
  .strictObject({
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
  })
  .meta({ id: 'AnalystConsensus' });

export const priceTargetSchema = z
  .strictObject({
    analystName: z.string().nullable(),
    firm: z.string(),
    target: z.number(),
    rating: z.string().nullable(),
    publishedAt: dateTime,
  })
  .meta({ id: 'PriceTarget' });

export const targetsSchema = z
  .strictObject({ data: z.array(priceTargetSchema) })
  .meta({ id: 'PriceTargets' });

export const ratingChangeSchema = z
  .strictObject({
    symbol: z.string(),
    firm: z.string(),
    analystName: z.string().nullable(),
    action: z.enum(RATING_ACTIONS),
    fromGrade: z.string().nullable(),
    toGrade: z.string().nullable(),
    publishedAt: dateTime,
  })
  .meta({ id: 'RatingChange' });

export const ratingsPageSchema = pageSchema('RatingPage', ratingChangeSchema);

export const expirationsSchema = z
  .strictObject({ data: z.array(z.iso.date()).describe('In ascending order.') })
  .meta({ id: 'Expirations' });

export const earningsReportSchema = z
  .strictObject({
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
  })
  .meta({ id: 'EarningsReport' });

export const earningsPageSchema = pageSchema('EarningsPage', earningsReportSchema);
