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

/** The newest version of each row. */
function shown(filings: readonly TestFiling[]): string[] {
  const rows = rowsOf(filings).statements.map((row) => [`${row.period} ${row.date}`, row] as const);
  return [...new Map(rows).values()].map(({ date, period, revenue, epsDiluted }) =>
    [dateFromDay(date), period, revenue, epsDiluted].join(' '),
  );
}

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

/** Figures that other programs show for such filings, and the filings themselves do not. */
describe('figures that look like those of a period', () => {
  const FLOWS = {
    NetCashProvidedByUsedInInvestingActivities: -40,
    NetCashProvidedByUsedInFinancingActivities: -10,
  };
  const ENDS = ['03-31', '06-30', '09-30', '12-31'];
  /** A filing of 2024: its quarter, if not the last one, and its months from the start of the year. */
  const filing = (
    nth: number,
    revenue: Record<string, number>,
    flows: Record<string, number> = {},
    isOfQuarter = nth < 4,
  ): TestFiling => ({
    form: nth === 4 ? '10-K' : '10-Q',
    filed: nth === 4 ? '2025-02-20' : `2024-${String(3 * nth + 1).padStart(2, '0')}-25`,
    fy: 2024,
    fp: nth === 4 ? 'FY' : `Q${nth}`,
    facts: [
      ...(isOfQuarter
        ? income(`2024-${['01-01', '04-01', '07-01'][nth - 1]}`, `2024-${ENDS[nth - 1]}`, revenue)
        : income('2024-01-01', `2024-${ENDS[nth - 1]}`, revenue)),
      ...income('2024-01-01', `2024-${ENDS[nth - 1]}`, { ...FLOWS, ...flows }),
      ...balance(`2024-${ENDS[nth - 1]}`, { Assets: 900 }),
    ],
  });
  const sales = (revenue: number) => ({ Revenues: revenue, NetIncomeLoss: revenue / 10 });
  const paid = (operating: number, capex: number) => ({
    NetCashProvidedByUsedInOperatingActivities: operating,
    PaymentsToAcquirePropertyPlantAndEquipment: capex,
  });
  const named = (rows: readonly { period: string; date: number }[]) =>
    rows.map(({ period, date }) => `${period} ${dateFromDay(date)}`);

  it('are no twelve months over a gap', () => {
    const { statements } = rowsOf([1, 2].map((nth) => filing(nth, sales(nth))));
    const after = rowsOf([
      filing(1, sales(1)),
      filing(2, sales(2)),
      { ...filing(3, sales(3)), facts: balance('2024-09-30', { Assets: 900 }) },
    ]);
    expect(named(after.statements)).toEqual(named(statements));
    expect(
      trailingStatements([...after.statements].map((row) => ({ ...row, symbol: 'T' }))),
    ).toEqual([]);
  });

  it('are no quarter where they are of the year to date', () => {
    const flows = [filing(1, sales(10), paid(5, 1)), filing(2, sales(11), paid(12, 4))];
    expect(rowsOf(flows).cashFlows.map((row) => row.operatingCashFlow)).toEqual([5, 7]);
    const alone = rowsOf([filing(2, sales(21), paid(12, 4), false)]);
    expect([...named(alone.statements), ...named(alone.cashFlows)]).not.toContain(
      'quarterly 2024-06-30',
    );
  });

  it('are no fourth quarter where they are of the year', () => {
    const { statements, cashFlows } = rowsOf([filing(4, sales(46), paid(24, 8))]);
    expect(named(statements)).toEqual(['annual 2024-12-31']);
    expect(named(cashFlows)).toEqual(['annual 2024-12-31']);
  });

  it.each([8, -8])('are payments whatever their sign: %d', (capex) => {
    const [row] = rowsOf([filing(4, sales(46), paid(24, capex))]).cashFlows;
    expect([row.capitalExpenditure, row.freeCashFlow]).toEqual([8, 16]);
  });

  it('are no earnings before depreciation where that is dropped', () => {
    const pretax = {
      IncomeLossFromContinuingOperationsBeforeIncomeTaxesExtraordinaryItemsNoncontrollingInterest: 9,
      InterestExpense: 1,
    };
    const ebitda = (flows: Record<string, number>) =>
      rowsOf([filing(4, { ...sales(46), ...pretax }, { ...paid(24, 8), ...flows })]).statements[0]
        .ebitda;
    expect(ebitda({ DepreciationDepletionAndAmortization: 5 })).toBe(15);
    expect(ebitda({})).toBeNull();
  });

  it('are no fourth quarter of two definitions of revenue', () => {
    const part = 'RevenueFromContractWithCustomerExcludingAssessedTax';
    const quarters = [1, 2, 3].map((nth) => filing(nth, { ...sales(100), [part]: 90 }));
    const year = filing(4, { [part]: 370, NetIncomeLoss: 42 });
    const last = rowsOf([...quarters, year]).statements.find(
      (row) => row.period === 'quarterly' && dateFromDay(row.date) === '2024-12-31',
    );
    expect([last?.revenue ?? null, last?.netIncome]).toEqual([null, 12]);
  });
});
