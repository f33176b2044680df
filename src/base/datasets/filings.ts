/** Datasets of filings: statements, balance sheets, shares outstanding, insider transactions. */

import { MILLIS_PER_DAY } from '../bars.ts';
import { choice, optional, optionalFlag, required, symbol } from './columns.ts';
import type { Dataset, DatasetRow } from './dataset.ts';

const PERIODS = ['annual', 'quarterly'] as const;
const FILED = ['2025-10-31T10:01:26Z', '2026-01-30T11:01:32Z'] as const;

/** First columns of both kinds of report. */
const period = [
  symbol(),
  required('date', 'date', 'last day of the period', ['2025-09-27', '2025-12-27']),
  choice('period', PERIODS, 'how long it is', PERIODS),
  required('filedAt', 'moment', 'when it was filed; a restatement is a row of its own', FILED),
  optional('fiscalYear', 'integer', 'the company’s own', ['2025', '2026']),
  optional('fiscalQuarter', 'integer', '1 to 4, of a quarter', ['', '1'], {
    atLeast: 1,
    atMost: 4,
  }),
] as const;

/** Last columns of both kinds of report. */
const filing = [
  optional('currency', 'text', 'ISO 4217 code of the amounts', 'USD'),
  optional('form', 'text', 'kind of the filing', ['10-K', '10-Q']),
  optional('accession', 'text', 'number of the filing', [
    '0000320193-25-000079',
    '0000320193-26-000006',
  ]),
] as const;

function conflictOfPeriod(row: DatasetRow): string | undefined {
  if (row.period === 'annual' && row.fiscalQuarter !== null) return 'a year has no fiscalQuarter';
  return filedTooEarly(row);
}

function filedTooEarly({ date, filedAt }: DatasetRow): string | undefined {
  // One day of tolerance: filedAt is in UTC, and the day ends earlier in the east.
  const isTooEarly = Number(filedAt) < (Number(date) - 1) * MILLIS_PER_DAY;
  return isTooEarly ? 'filedAt is before date' : undefined;
}

const PUBLISHED_REPORTS = {
  scope: 'fundamentals:read',
  event: 'fundamentals.statement_created',
  list: { order: 'newest' },
  isFile: true,
} as const;

const PERIOD_KEY = ['symbol', 'date', 'period', 'filedAt'] as const;

export const statements = {
  name: 'statements',
  title: 'Statements of companies',
  table: 'statements',
  path: 'fundamentals/$/statements?period=ttm',
  ...PUBLISHED_REPORTS,
  columns: [
    ...period,
    optional('revenue', 'number', 'total revenue', ['416161000000', '143756000000']),
    optional('costOfRevenue', 'number', 'what was sold cost', ['220960000000', '74525000000']),
    optional('grossProfit', 'number', 'revenue less its cost', ['195201000000', '69231000000']),
    optional('operatingIncome', 'number', 'before interest and tax', [
      '133050000000',
      '50852000000',
    ]),
    optional('netIncome', 'number', 'profit, a loss below zero', ['112010000000', '42097000000']),
    optional('eps', 'number', 'earnings per share, basic', ['7.49', '2.85']),
    optional('epsDiluted', 'number', 'earnings per share, diluted', ['7.46', '2.84']),
    optional('netIncomeToCommon', 'number', 'net income left for common shares', [
      '112010000000',
      '42097000000',
    ]),
    optional('sharesBasic', 'number', 'weighted mean of the period', [
      '14948500000',
      '14748158000',
    ]),
    optional('sharesDiluted', 'number', 'the same, diluted', ['15004697000', '14810356000']),
    optional(
      'dividendsPerShare',
      'number',
      'declared for a common share in the period',
      ['1.02', '0.26'],
      { atLeast: 0 },
    ),
    ...filing,
  ],
  key: PERIOD_KEY,
  time: 'filedAt',
  conflict: conflictOfPeriod,
} as const satisfies Dataset;

export const balanceSheet = {
  name: 'balance-sheet',
  title: 'Balance sheets',
  table: 'balance_sheet',
  path: 'fundamentals/$/balance-sheet',
  ...PUBLISHED_REPORTS,
  columns: [
    ...period,
    optional('totalAssets', 'number', 'all that it has', ['359241000000', '379297000000']),
    optional('totalLiabilities', 'number', 'all that it owes', ['285508000000', '291107000000']),
    optional('totalEquity', 'number', 'assets less liabilities', ['73733000000', '88190000000']),
    optional('cash', 'number', 'cash and cash equivalents, without marketable securities', [
      '35934000000',
      '45317000000',
    ]),
    optional('totalDebt', 'number', 'short and long borrowings, without operating leases', [
      '98657000000',
      '90509000000',
    ]),
    optional('netDebt', 'number', 'totalDebt less cash; worked out where it is missing', [
      '62723000000',
      '45192000000',
    ]),
    ...filing,
  ],
  key: PERIOD_KEY,
  time: 'filedAt',
  complete(row: DatasetRow) {
    if (row.totalDebt === null || row.cash === null) return;
    row.netDebt ??= Number(row.totalDebt) - Number(row.cash);
  },
  conflict: conflictOfPeriod,
} as const satisfies Dataset;

export const shares = {
  name: 'shares',
  title: 'Numbers of shares',
  table: 'shares',
  columns: [
    symbol(),
    required('date', 'date', 'day that the count is of', '2025-10-17'),
    required('filedAt', 'moment', 'when it was filed', FILED[0]),
    choice(
      'kind',
      ['cover', 'balance', 'weighted'],
      'from the cover page, the balance sheet, or a weighted mean of the period',
      'cover',
    ),
    required('shares', 'number', 'shares outstanding', '14776353000', { above: 0 }),
  ],
  key: ['symbol', 'date', 'kind', 'filedAt'],
  time: 'filedAt',
  conflict: filedTooEarly,
} as const satisfies Dataset;

export const TRANSACTION_TYPES = [
  'buy',
  'sell',
  'award',
  'exercise',
  'conversion',
  'tax',
  'gift',
  'return',
  'other',
] as const;

export const insider = {
  name: 'insider',
  title: 'Insider transactions',
  table: 'insider',
  path: 'insider/$',
  scope: 'insider:read',
  event: 'insider.transaction_created',
  list: { order: 'newest' },
  isFile: true,
  columns: [
    symbol(),
    required('insiderName', 'text', 'who', 'COOK TIMOTHY D'),
    optional('title', 'text', 'the officer’s title, else Director or 10% Owner', 'CEO'),
    choice('transactionType', TRANSACTION_TYPES, 'what it is', 'sell'),
    optional('transactionCode', 'text', 'the letter in the filing', 'S'),
    optional('transactionDate', 'date', 'day of it', '2025-10-02'),
    optional('shares', 'number', 'how many', '129963', { atLeast: 0 }),
    optional('price', 'number', 'per share', '256.41', { atLeast: 0 }),
    optional('totalValue', 'number', 'worked out where it is missing', '', { atLeast: 0 }),
    optional('sharesOwnedAfter', 'number', 'what the insider then had', '3280180', { atLeast: 0 }),
    required('filedAt', 'moment', 'when it was filed', '2025-10-03T22:30:09Z'),
    optionalFlag('isDerivative', 'options and the like', 'false'),
    required('accession', 'text', 'number of the filing', '0000320193-25-000071'),
    required('line', 'integer', 'its row in the filing', '1', { atLeast: 0 }),
    optional(
      'amends',
      'text',
      'number, or date of filing, of the filing that it replaces; `unnamed` where it does not say',
      '',
    ),
  ],
  key: ['symbol', 'accession', 'line'],
  time: 'filedAt',
  complete(row: DatasetRow) {
    if (row.shares === null || row.price === null) return;
    row.totalValue ??= Number(row.shares) * Number(row.price);
  },
} as const satisfies Dataset;
