/**
 * Amazon's report of 2012 names the quarters of both years the wrong way round: the first one of
 * 2011 had the revenue of 2012. Walmart's table has net sales without fees, and Boeing tags the
 * effect of a settlement on the fourth quarter's tax as the tax.
 */

import { describe, expect, it } from 'vitest';
import { income, rowsOf, type TestFiling } from '../support/facts-json.ts';

type Amounts = Record<string, number>;

const STARTS = ['01-01', '04-01', '07-01', '10-01'];
const ENDS = ['03-31', '06-30', '09-30', '12-31'];

const quarter = (year: number, n: number, lines: Amounts) =>
  income(`${year}-${STARTS[n]}`, `${year}-${ENDS[n]}`, lines);

const wholeYear = (year: number, lines: Amounts) => income(`${year}-01-01`, `${year}-12-31`, lines);

const SOLD = [100, 110, 120];

const FILED: TestFiling[] = SOLD.map((revenue, n) => ({
  form: '10-Q',
  filed: `2024-${['04', '07', '10'][n]}-25`,
  fy: 2024,
  fp: `Q${n + 1}`,
  facts: quarter(2024, n, { Revenues: revenue, NetIncomeLoss: 10, IncomeTaxExpenseBenefit: 4 }),
}));

const report = (filed: string, fy: number, facts: TestFiling['facts']): TestFiling => {
  return { form: '10-K', filed, fy, fp: 'FY', facts };
};

const YEAR = wholeYear(2024, { Revenues: 500, NetIncomeLoss: 45, IncomeTaxExpenseBenefit: 14 });

/** Figures of the quarters of 2024 in the newest version of each. */
function quartersOf(filings: TestFiling[], field: 'revenue' | 'netIncome' | 'incomeTax') {
  const rows = rowsOf(filings).statements.filter(
    ({ period, fiscalYear }) => period === 'quarterly' && fiscalYear === 2024,
  );
  return [...Map.groupBy(rows, ({ date }) => date).values()].map((all) => all.at(-1)![field]);
}

describe('quarters in an annual report', () => {
  it('are left out if they are of another year', () => {
    const exchanged = [200, 210, 220, 230].flatMap((revenue, n) =>
      quarter(2024, n, { Revenues: revenue, NetIncomeLoss: 20 }),
    );
    const filings = [...FILED, report('2025-02-20', 2024, [...YEAR, ...exchanged])];
    expect(quartersOf(filings, 'revenue')).toEqual([100, 110, 120, 170]);
    expect(quartersOf(filings, 'netIncome')).toEqual([10, 10, 10, 15]);
  });

  it('are left out if a later report has a part of them', () => {
    const sales = [95, 104, 114, 162].flatMap((revenue, n) =>
      quarter(2024, n, { Revenues: revenue, NetIncomeLoss: [10, 10, 10, 15][n] }),
    );
    const later = report('2026-02-20', 2025, [
      ...wholeYear(2025, { Revenues: 600, NetIncomeLoss: 50 }),
      ...[...YEAR, ...sales],
    ]);
    const filings = [...FILED, report('2025-02-20', 2024, YEAR), later];
    expect(quartersOf(filings, 'revenue')).toEqual([100, 110, 120, 170]);
  });

  it('leave out tax that is the effect of a settlement', () => {
    const last = quarter(2024, 3, { Revenues: 170, NetIncomeLoss: 15, IncomeTaxExpenseBenefit: 9 });
    const filings = [...FILED, report('2025-02-20', 2024, [...YEAR, ...last])];
    expect(quartersOf(filings, 'incomeTax')).toEqual([4, 4, 4, 2]);
  });

  it('count if they are restated with their year', () => {
    const recast = [90, 100, 110, 150].flatMap((revenue, n) =>
      quarter(2024, n, { Revenues: revenue, NetIncomeLoss: [10, 10, 10, 15][n] }),
    );
    const later = report('2026-02-20', 2025, [
      ...wholeYear(2025, { Revenues: 600, NetIncomeLoss: 50 }),
      ...wholeYear(2024, { Revenues: 450, NetIncomeLoss: 45 }),
      ...recast,
    ]);
    const filings = [...FILED, report('2025-02-20', 2024, YEAR), later];
    expect(quartersOf(filings, 'revenue')).toEqual([90, 100, 110, 150]);
  });
});
