/** Half years: of Form 10-S, and of 20-F with 6-K. */

import { describe, expect, it } from 'vitest';
import { dateFromDay } from '../../../../../src/base/time/dates.ts';
import { trailingStatements } from '../../../../../src/compute/companies/trailing-statements.ts';
import { balance, income, rowsOf, type TestFiling } from '../support/facts-json.ts';

const figures = (revenue: number, shares = 50) => ({
  Revenues: revenue,
  NetIncomeLoss: revenue / 10,
  EarningsPerShareDiluted: revenue / 10 / shares,
  WeightedAverageNumberOfDilutedSharesOutstanding: shares,
});

const year = (of: number, revenue: number, form = '20-F'): TestFiling => ({
  form,
  filed: `${of + 1}-03-01`,
  fy: of,
  fp: 'FY',
  facts: [
    ...income(`${of}-01-01`, `${of}-12-31`, figures(revenue)),
    ...balance(`${of}-12-31`, { Assets: 900 }),
  ],
});

const half = (of: number, revenue: number, before?: number, form = '6-K'): TestFiling => ({
  form,
  filed: `${of}-08-01`,
  facts: [
    ...income(`${of}-01-01`, `${of}-06-30`, figures(revenue)),
    ...(before === undefined ? [] : income(`${of - 1}-01-01`, `${of - 1}-06-30`, figures(before))),
    ...balance(`${of}-06-30`, { Assets: 1000 }),
  ],
});

const shown = (filings: readonly TestFiling[]) =>
  rowsOf(filings).statements.map(({ date, period, revenue, epsDiluted }) =>
    [dateFromDay(date), period, revenue, epsDiluted].join(' '),
  );

/** The newest version of each twelve months. */
function trailing(filings: readonly TestFiling[]): string[] {
  const rows = rowsOf(filings).statements.map((row) => ({ symbol: 'TST', ...row }));
  const versions = trailingStatements(rows.sort((a, b) => a.filedAt - b.filedAt));
  return [...new Map(versions.map((one) => [one.date, one])).values()].map(
    ({ date, revenue, epsDiluted }) => [dateFromDay(date), revenue, epsDiluted].join(' '),
  );
}

describe.each([
  ['20-F', '6-K'],
  ['10-K', '10-S'],
])('half years of %s and %s', (annual, semiannual) => {
  it('are rows of their own, the second one as the rest of the year', () => {
    const filings = [half(2024, 400, undefined, semiannual), year(2024, 1000, annual)];
    expect(shown(filings)).toEqual([
      '2024-12-31 annual 1000 2',
      '2024-06-30 semiannual 400 0.8',
      '2024-12-31 semiannual 600 1.2',
    ]);
  });

  it('make twelve months with the rest of the year before', () => {
    const filings = [year(2024, 1000, annual), half(2025, 500, 400, semiannual)];
    expect(trailing(filings)).toEqual(['2024-12-31 1000 2', '2025-06-30 1100 2.2']);
  });

  it('make none without the half between', () => {
    const filings = [year(2024, 1000, annual), half(2025, 500, undefined, semiannual)];
    expect(trailing(filings)).toEqual(['2024-12-31 1000 2']);
    const gap = [half(2023, 300, undefined, semiannual), half(2025, 500, undefined, semiannual)];
    expect(trailing(gap)).toEqual([]);
  });

  it('have no earnings per share over an unknown split', () => {
    const split = half(2025, 500, undefined, semiannual);
    split.facts = split.facts.map((fact) =>
      fact.unit === 'shares' ? { ...fact, val: 500 } : fact,
    );
    const filings = [half(2024, 400, undefined, semiannual), year(2024, 1000, annual), split];
    expect(trailing(filings).at(-1)).toBe('2025-06-30 1100 ');
  });
});

it('a company that files quarters has no half years', () => {
  const quarter = (start: string, end: string, revenue: number) =>
    income(start, end, figures(revenue));
  const filings = [
    { form: '10-Q', filed: '2025-05-01', facts: quarter('2025-01-01', '2025-03-31', 200) },
    {
      form: '10-Q',
      filed: '2025-08-01',
      facts: [
        ...quarter('2025-04-01', '2025-06-30', 300),
        ...quarter('2025-01-01', '2025-06-30', 500),
      ],
    },
  ];
  expect(rowsOf(filings).statements.map(({ period }) => period)).toEqual([
    'quarterly',
    'quarterly',
  ]);
});
