import { z } from 'zod';
import type { RouteExample } from '../../contract/route.ts';
import { amount } from '../../responses/schema-fields.ts';

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
