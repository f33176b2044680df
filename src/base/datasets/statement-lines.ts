/** Single lines of income statements and balance sheets. */

import { figure } from './columns.ts';
import type { DatasetColumn, ShownFigure } from './dataset.ts';

/** Version of the store's schema that has these lines first. */
const LINES_SINCE = 12;

/** Version that has temporary equity first. */
const SIDES_SINCE = 16;

function line<const N extends string>(
  name: N,
  title: string,
  meaning: string,
  examples: readonly string[],
  more: Partial<ShownFigure> = {},
) {
  const column = figure(name, title, meaning, examples, more);
  return { ...column, since: LINES_SINCE } satisfies DatasetColumn;
}

export const incomeLines = [
  line('researchDevelopment', 'Research and development', 'spent on research', [
    '34550000000',
    '10887000000',
  ]),
  line(
    'sellingGeneralAdministrative',
    'Selling, general and administrative',
    'spent on sales and administration',
    ['27601000000', '7492000000'],
  ),
  line('interestExpense', 'Interest expense', 'paid or owed to lenders for the period', ['', '']),
  line('pretaxIncome', 'Pretax income', 'of continuing operations, before income tax', [
    '132729000000',
    '51002000000',
  ]),
  line('incomeTax', 'Income tax', 'a benefit below zero', ['20719000000', '8905000000']),
  line(
    'ebit',
    'EBIT',
    'pretaxIncome plus interestExpense; worked out where it is missing',
    ['', ''],
    {
      description: '`pretaxIncome` plus `interestExpense`.',
      parts: ['pretaxIncome', 'interestExpense'],
    },
  ),
  line('ebitda', 'EBITDA', 'EBIT plus depreciation and amortization', ['', ''], {
    description: '`ebit` plus `depreciationAmortization` of the cash flow statement.',
    parts: ['ebit', 'depreciationAmortization'],
  }),
  line('minorityIncome', 'Income of minorities', 'part of the profit that is not in netIncome', [
    '',
    '',
  ]),
] as const;

export const balanceLines = [
  line('currentAssets', 'Current assets', 'assets due within a year', [
    '147957000000',
    '158104000000',
  ]),
  line('currentLiabilities', 'Current liabilities', 'liabilities due within a year', [
    '165631000000',
    '162367000000',
  ]),
  line('shortTermInvestments', 'Short-term investments', 'current securities besides cash', [
    '18763000000',
    '21590000000',
  ]),
  line('receivables', 'Receivables', 'owed by customers, current', ['39777000000', '39921000000']),
  line('inventory', 'Inventory', 'goods and materials', ['5718000000', '5875000000']),
  line('goodwill', 'Goodwill', 'paid for companies beyond their net assets', ['', '']),
  line('intangibleAssets', 'Intangible assets', 'without goodwill', ['13301000000', '']),
  line('accountsPayable', 'Accounts payable', 'owed to suppliers', ['69860000000', '70587000000']),
  line('retainedEarnings', 'Retained earnings', 'a deficit below zero', [
    '-14264000000',
    '-2177000000',
  ]),
  line('shortTermDebt', 'Short-term debt', 'part of totalDebt that is due within a year', [
    '20329000000',
    '13824000000',
  ]),
  line('longTermDebt', 'Long-term debt', 'the rest of totalDebt', ['78328000000', '76685000000']),
  line('leaseLiabilities', 'Lease liabilities', 'of operating and finance leases', [
    '13720000000',
    '',
  ]),
  line('minorityInterest', 'Minority interest', 'part of totalEquity that is not the parent’s', [
    '',
    '',
  ]),
  line('preferredEquity', 'Preferred equity', 'preferred shares in equity', ['', '']),
  {
    ...line('temporaryEquity', 'Temporary equity', 'redeemable shares and minorities', ['', ''], {
      description: 'Redeemable shares and minorities, between liabilities and equity.',
    }),
    since: SIDES_SINCE,
  },
  {
    ...line(
      'unexplainedAssets',
      'Unexplained assets',
      'totalAssets less totalLiabilities, totalEquity and temporaryEquity; worked out where it is missing',
      ['0', '0'],
      {
        description:
          '`totalAssets` less liabilities, equity and temporary equity: 0 if they add up.',
        isDerived: true,
        parts: ['totalAssets', 'totalLiabilities', 'totalEquity', 'temporaryEquity'],
      },
    ),
    since: SIDES_SINCE,
  },
] as const;
