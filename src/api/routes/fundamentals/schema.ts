import { z } from 'zod';
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
