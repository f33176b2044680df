/** Examples of what is known of companies: statements, insiders, news, analysts, reports. */

import type { RouteExample } from '../openapi/contract.ts';
import { firstPage } from './page.ts';

const SYMBOL = { symbol: 'QXAA' };

export const STATEMENT = {
  date: '2026-02-28',
  period: 'annual',
  revenue: 482576000,
  costOfRevenue: 229723000,
  grossProfit: 252853000,
  operatingIncome: 66493000,
  netIncome: 52530000,
  eps: 5.95,
  epsDiluted: 5.93,
};

export const statementsExample: RouteExample = {
  title: 'The newest year',
  path: SYMBOL,
  query: { limit: '1' },
  answer: {
    data: [STATEMENT],
  },
};

export const balanceSheetExample: RouteExample = {
  title: 'The newest year',
  path: SYMBOL,
  query: { limit: '1' },
  answer: {
    data: [
      {
        date: '2026-02-28',
        period: 'annual',
        totalAssets: 488079000,
        totalLiabilities: 354230000,
        totalEquity: 133849000,
        cash: 79592000,
        totalDebt: 150320000,
        netDebt: 70728000,
      },
    ],
  },
};

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
};

export const insiderExample: RouteExample = {
  title: 'The newest sale or purchase',
  path: SYMBOL,
  query: { transaction_type: 'buy,sell', limit: '1' },
  answer: firstPage([TRANSACTION], 20),
};

export const insiderSummaryExample: RouteExample = {
  title: 'Purchases less sales of a symbol',
  path: SYMBOL,
  answer: {
    symbol: 'QXAA',
    netShares30d: -1236,
    netValue30d: -171989.4,
    netShares90d: -1087,
    netValue90d: -152297.56,
    buyCount90d: 1,
    sellCount90d: 1,
    mostRecentTransaction: TRANSACTION,
  },
};

export const ARTICLE = {
  id: 'news_hjtouvzlpgm7yd3p2epyz7xfam',
  title: 'Insider of Brixadodane Inc. (synthetic) buys 149 shares',
  summary:
    'Kreftadosylt Ochtivorgorn (synthetic), Chief Executive Officer, bought on the open market, ' +
    'as a filing shows, a sign of confidence.',
  source: 'Fenqebra Business (synthetic)',
  url: 'https://news.sandbox.invalid/qxaa/2026-10-12/insider-1',
  publishedAt: '2026-10-12T22:04:00.000Z',
  symbols: ['QXAA'],
  sentiment: 'positive',
};

export const newsExample: RouteExample = {
  title: 'The newest article with a good tone',
  query: { sentiment: 'positive', limit: '1' },
  answer: firstPage([ARTICLE], 607),
};

export const symbolNewsExample: RouteExample = {
  title: 'The newest article of a symbol',
  path: SYMBOL,
  query: { limit: '1' },
  answer: firstPage([ARTICLE], 22),
};

export const articleExample: RouteExample = {
  title: 'One article by its id',
  path: { symbol: ARTICLE.id },
  answer: ARTICLE,
};

export const consensusExample: RouteExample = {
  title: 'What analysts say of a symbol',
  path: SYMBOL,
  answer: {
    symbol: 'QXAA',
    consensus: 'Buy',
    totalAnalysts: 5,
    targetHigh: 167,
    targetLow: 92,
    targetMean: 134.4,
    targetMedian: 147,
    buy: 2,
    hold: 2,
    sell: 1,
  },
};

export const TARGET = {
  analystName: 'Zinduvisylt Ruxyxadane (synthetic)',
  firm: 'Ruxalkdane Capital Markets (synthetic)',
  target: 92,
  rating: 'Strong Sell',
  publishedAt: '2026-09-25T12:39:00.000Z',
};

export const targetsExample: RouteExample = {
  title: 'The newest price target',
  path: SYMBOL,
  query: { limit: '1' },
  answer: {
    data: [TARGET],
  },
};

export const ratingsExample: RouteExample = {
  title: 'The newest change of a rating',
  path: SYMBOL,
  query: { limit: '1' },
  answer: firstPage(
    [
      {
        symbol: 'QXAA',
        firm: 'Ruxalkdane Capital Markets (synthetic)',
        analystName: 'Zinduvisylt Ruxyxadane (synthetic)',
        action: 'downgrade',
        fromGrade: 'Hold',
        toGrade: 'Strong Sell',
        publishedAt: '2026-09-25T12:39:00.000Z',
      },
    ],
    10,
  ),
};

export const expirationsExample: RouteExample = {
  title: 'Expirations that are to come',
  path: SYMBOL,
  answer: { data: ['2026-11-20', '2026-12-18', '2027-01-15'] },
  csv: 'date\r\n2026-11-20\r\n2026-12-18\r\n2027-01-15\r\n',
};

export const REPORT = {
  symbol: 'QXKP',
  companyName: 'Mizzumbetarn Holdings (synthetic)',
  date: '2026-11-18',
  fiscalQuarter: '2027-Q3',
  time: 'after_market',
  epsEstimate: 0.4403,
  revenueEstimate: 91860000,
};

export const earningsExample: RouteExample = {
  title: 'The next report',
  query: { limit: '1' },
  answer: firstPage([REPORT], 8),
};
