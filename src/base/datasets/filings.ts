/** Datasets of filings: statements, balance sheets, shares outstanding, insider transactions. */

import { MILLIS_PER_DAY } from '../bars.ts';
import { decimalProduct, decimalSum } from '../prices/decimals.ts';
import {
  choice,
  figure,
  optional,
  optionalChoice,
  optionalFlag,
  required,
  symbol,
} from './columns.ts';
import type { Dataset, DatasetRow } from './dataset.ts';
import { FILED, filedTooEarly, filing, period, REPORT } from './report.ts';
import { balanceLines, incomeLines } from './statement-lines.ts';

const TOTAL = { isTotal: true };
const DRAWN_TOTAL = { isTotal: true, isDrawn: true };
const perShare = (description: string) => ({ unit: 'usdPerShare' as const, description });

const EXAMPLE = { date: '2026-02-28', period: 'annual' } as const;

export const statements = {
  ...REPORT,
  name: 'statements',
  title: 'Statements of companies',
  table: 'statements',
  path: 'fundamentals/$/statements?period=ttm',
  statement: {
    noun: 'income statement',
    listed: 'statements',
    title: 'Income',
    example: {
      ...EXAMPLE,
      revenue: 482576000,
      costOfRevenue: 229723000,
      grossProfit: 252853000,
      operatingIncome: 66493000,
      netIncome: 52530000,
      eps: 5.95,
      epsDiluted: 5.93,
      researchDevelopment: 57909000,
      sellingGeneralAdministrative: 128451000,
      interestExpense: 4100000,
      pretaxIncome: 62393000,
      incomeTax: 9863000,
      ebit: 66493000,
      ebitda: 84200000,
      minorityIncome: null,
    },
  },
  columns: [
    ...period,
    figure('revenue', 'Revenue', 'total revenue', ['416161000000', '143756000000'], DRAWN_TOTAL),
    figure('costOfRevenue', 'Cost of revenue', 'what was sold cost', [
      '220960000000',
      '74525000000',
    ]),
    figure(
      'grossProfit',
      'Gross profit',
      'revenue less its cost',
      ['195201000000', '69231000000'],
      { ...TOTAL, parts: ['revenue', 'costOfRevenue'] },
    ),
    figure('operatingIncome', 'Operating income', 'before interest and tax', [
      '133050000000',
      '50852000000',
    ]),
    figure(
      'netIncome',
      'Net income',
      'profit, a loss below zero',
      ['112010000000', '42097000000'],
      DRAWN_TOTAL,
    ),
    figure(
      'eps',
      'Earnings per share, as filed',
      'earnings per share, basic',
      ['7.49', '2.85'],
      perShare('Basic earnings per share, as filed.'),
    ),
    figure(
      'epsDiluted',
      'Diluted, as filed',
      'earnings per share, diluted',
      ['7.46', '2.84'],
      perShare('Diluted earnings per share, as filed.'),
    ),
    ...incomeLines,
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
  complete(row: DatasetRow) {
    row.ebit ??= earningsBefore(row, null).ebit;
  },
} as const satisfies Dataset;

/** Earnings before interest and tax, and before depreciation and amortization too. */
export function earningsBefore(
  { pretaxIncome, interestExpense }: Readonly<Partial<Record<string, unknown>>>,
  depreciation: number | null,
): { ebit: number | null; ebitda: number | null } {
  const isKnown = typeof pretaxIncome === 'number' && typeof interestExpense === 'number';
  const ebit = isKnown ? decimalSum([pretaxIncome, interestExpense]) : null;
  const isWhole = ebit !== null && depreciation !== null;
  return { ebit, ebitda: isWhole ? decimalSum([ebit, depreciation]) : null };
}

export const balanceSheet = {
  ...REPORT,
  name: 'balance-sheet',
  title: 'Balance sheets',
  table: 'balance_sheet',
  path: 'fundamentals/$/balance-sheet',
  statement: {
    noun: 'balance sheet',
    title: 'Balance sheet',
    isOfMoment: true,
    example: {
      ...EXAMPLE,
      totalAssets: 488079000,
      totalLiabilities: 354230000,
      totalEquity: 133849000,
      cash: 79592000,
      totalDebt: 150320000,
      netDebt: 70728000,
      currentAssets: 213400000,
      currentLiabilities: 118700000,
      shortTermInvestments: 21500000,
      receivables: 61200000,
      inventory: 38900000,
      goodwill: 74300000,
      intangibleAssets: 22800000,
      accountsPayable: 47100000,
      retainedEarnings: 91600000,
      shortTermDebt: 12400000,
      longTermDebt: 137920000,
      leaseLiabilities: 18300000,
      minorityInterest: null,
      preferredEquity: null,
      temporaryEquity: null,
      unexplainedAssets: 0,
    },
  },
  columns: [
    ...period,
    figure(
      'totalAssets',
      'Total assets',
      'all that it has',
      ['359241000000', '379297000000'],
      DRAWN_TOTAL,
    ),
    figure(
      'totalLiabilities',
      'Total liabilities',
      'all that it owes',
      ['285508000000', '291107000000'],
      { isDrawn: true },
    ),
    figure(
      'totalEquity',
      'Total equity',
      'assets less liabilities',
      ['73733000000', '88190000000'],
      TOTAL,
    ),
    figure(
      'cash',
      'Cash',
      'cash and cash equivalents, without marketable securities',
      ['35934000000', '45317000000'],
      { description: 'Cash and cash equivalents without marketable securities.' },
    ),
    figure(
      'totalDebt',
      'Total debt',
      'short and long borrowings, without operating leases',
      ['98657000000', '90509000000'],
      { description: 'Short and long borrowings without operating leases.' },
    ),
    figure(
      'netDebt',
      'Net debt',
      'totalDebt less cash; worked out where it is missing',
      ['62723000000', '45192000000'],
      {
        description: '`totalDebt` minus `cash`.',
        isDerived: true,
        parts: ['totalDebt', 'cash'],
      },
    ),
    ...balanceLines,
    ...filing,
  ],
  complete(row: DatasetRow) {
    row.unexplainedAssets ??= unexplainedAssets(row);
    if (row.totalDebt === null || row.cash === null) return;
    row.netDebt ??= decimalSum([Number(row.totalDebt), -Number(row.cash)]);
  },
} as const satisfies Dataset;

/** Returns assets less liabilities and all equity: 0 if they add up; null where one is unknown. */
export function unexplainedAssets(row: Readonly<Partial<Record<string, unknown>>>): number | null {
  const sides = [row.totalAssets, row.totalLiabilities, row.totalEquity];
  if (sides.some((side) => side === null || side === undefined)) return null;
  const [assets, ...others] = [...sides, row.temporaryEquity ?? 0].map(Number);
  return decimalSum([assets, ...others.map((side) => -side)]);
}

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

export const DIRECTIONS = ['acquired', 'disposed'] as const;
export const OWNERSHIPS = ['direct', 'indirect'] as const;

/** Version of the store's schema that has the titles of securities first. */
const TITLES_SINCE = 11;

function transactionTime({ transactionDate, filedAt }: DatasetRow): string | undefined {
  if (transactionDate === null) return undefined;
  // One day of tolerance: filedAt is in UTC, and the day begins earlier in the east.
  const isFuture = (Number(transactionDate) - 1) * MILLIS_PER_DAY > Number(filedAt);
  return isFuture ? 'transactionDate is after filedAt' : undefined;
}

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
    {
      ...optional('securityTitle', 'text', 'name of the security in the filing', 'Common Stock'),
      since: TITLES_SINCE,
    },
    {
      ...optionalChoice('direction', DIRECTIONS, 'which of the two', 'disposed'),
      since: TITLES_SINCE,
    },
    {
      ...optionalChoice('ownership', OWNERSHIPS, 'whose the shares are', 'direct'),
      since: TITLES_SINCE,
    },
    { ...optionalFlag('isPlanned', 'by a plan under rule 10b5-1', 'true'), since: TITLES_SINCE },
    {
      ...optional('issuerCik', 'integer', 'the SEC’s number of the company', '320193', {
        atLeast: 1,
      }),
      since: 17,
    },
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
    row.totalValue ??= decimalProduct(Number(row.shares), Number(row.price));
  },
  conflict: transactionTime,
} as const satisfies Dataset;
