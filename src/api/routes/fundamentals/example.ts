import type { RouteExample } from '../../contract/route.ts';

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
  path: { symbol: 'QXAA' },
  query: { limit: '1' },
  response: { data: [STATEMENT] },
};

export const balanceSheetExample: RouteExample = {
  ...statementsExample,
  response: {
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
