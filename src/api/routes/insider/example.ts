import type { RouteExample } from '../../contract/route.ts';
import { firstPage } from '../../responses/pages.ts';

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
};

export const insiderExample: RouteExample = {
  title: 'The newest sale or purchase',
  path,
  query: { transaction_type: 'buy,sell', limit: '1' },
  response: firstPage([TRANSACTION], 20),
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
    mostRecentTransaction: TRANSACTION,
  },
};
