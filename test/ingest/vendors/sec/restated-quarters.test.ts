/**
 * Computed quarters next to restatements and slips of filers, with cases from 2009 to 2018. Apple
 * restated a year while the nine months before it stayed as they were. Nvidia gave a quarter with
 * the first day of a half year.
 */

import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { newestFacts, peRatio } from '../../../../src/compute/companies/company-facts.ts';
import { companyHistory } from '../../../../src/compute/companies/company-history.ts';
import { trailingStatements } from '../../../../src/compute/companies/trailing-statements.ts';
import { type CompanyRows, companyRows } from '../../../../src/ingest/vendors/sec/company-rows.ts';
import { parseCompanyFacts } from '../../../../src/ingest/vendors/sec/concepts/parse-companyfacts.ts';
import { hasRealdata, realdata } from '../../../support/realdata.ts';
import { balance, day, income, rowsOf, type TestFiling } from './support/facts-json.ts';

/** Revenue, operating income and net income in millions, as in one report. */
function statement(start: string, end: string, [revenue, operating, net]: number[]) {
  return income(start, end, {
    SalesRevenueNet: revenue * 1e6,
    ...(!Number.isNaN(operating) && { OperatingIncomeLoss: operating * 1e6 }),
    NetIncomeLoss: net * 1e6,
  });
}

/** Reports that Apple filed on its fiscal 2009, which ended on 26 September. */
const APPLE: TestFiling[] = [
  {
    form: '10-Q',
    filed: '2009-07-22',
    fy: 2009,
    fp: 'Q3',
    facts: statement('2008-09-28', '2009-06-27', [26_667, 5_465, 4_039]),
  },
  {
    form: '10-K',
    filed: '2009-10-27',
    fy: 2009,
    fp: 'FY',
    facts: statement('2008-09-28', '2009-09-26', [36_537, 7_658, 5_704]),
  },
  {
    form: '10-K/A',
    filed: '2010-01-25',
    fy: 2009,
    fp: 'FY',
    facts: statement('2008-09-28', '2009-09-26', [42_905, 11_740, 8_235]),
  },
  {
    form: '10-Q',
    filed: '2010-07-21',
    fy: 2010,
    fp: 'Q3',
    facts: [
      ...statement('2008-09-28', '2009-06-27', [30_698, 8_056, 5_703]),
      ...statement('2009-09-27', '2010-06-26', [44_882, 12_938, 9_705]),
    ],
  },
  {
    form: '10-K',
    filed: '2010-10-27',
    fy: 2010,
    fp: 'FY',
    facts: [
      ...statement('2008-09-28', '2009-09-26', [42_905, 11_740, 8_235]),
      ...statement('2009-06-28', '2009-09-26', [12_207, Number.NaN, 2_532]),
      ...statement('2009-09-27', '2010-09-25', [65_225, 18_385, 14_013]),
    ],
  },
];

function quartersEnding(end: string, rows: ReturnType<typeof rowsOf>) {
  return rows.statements
    .filter(({ period, date }) => period === 'quarterly' && date === day(end))
    .map(({ filedAt, revenue, operatingIncome, netIncome }) => [
      new Date(filedAt).toISOString().slice(0, 10),
      ...[revenue, operatingIncome, netIncome].map((value) => value && value / 1e6),
    ]);
}

describe('a fourth quarter of a year that was restated', () => {
  it('stays as it was until the nine months before it are restated too', () => {
    expect(quartersEnding('2009-09-26', rowsOf(APPLE))).toEqual([
      ['2009-10-27', 9_870, 2_193, 1_665],
      ['2010-10-27', 12_207, 3_684, 2_532],
    ]);
  });

  it('follows the restatement though no filing states the quarter', () => {
    const facts = APPLE[4].facts.filter(({ start }) => start !== '2009-06-28');
    const filings = [...APPLE.slice(0, 4), { ...APPLE[4], facts }];
    expect(quartersEnding('2009-09-26', rowsOf(filings)).at(-1)).toEqual([
      '2010-10-27',
      12_207,
      3_684,
      2_532,
    ]);
  });

  it('has no computed figure that contradicts a stated one', () => {
    // The nine months have the old basis, and the year first appears on the new one.
    const stated = statement('2009-06-28', '2009-09-26', [12_207, Number.NaN, 2_532]);
    const annual = { ...APPLE[2], form: '10-K', facts: [...APPLE[2].facts, ...stated] };
    expect(quartersEnding('2009-09-26', rowsOf([APPLE[0], annual]))).toEqual([
      ['2010-01-25', 12_207, null, 2_532],
    ]);
  });

  it('is computed from a part that was restated before its year was first reported', () => {
    const amended = { ...APPLE[3], form: '10-Q/A', filed: '2009-08-20' };
    amended.facts = amended.facts.slice(0, 3);
    expect(quartersEnding('2009-09-26', rowsOf([APPLE[0], amended, APPLE[2]]))).toEqual([
      ['2010-01-25', 12_207, 3_684, 2_532],
    ]);
  });
});

describe('a quarter that a report gives with the first day of a half year', () => {
  const quarter = (start: string, end: string, revenue: number, net: number) =>
    income(start, end, { Revenues: revenue, NetIncomeLoss: net });
  const reports: TestFiling[] = [
    {
      form: '10-Q',
      filed: '2017-05-23',
      facts: quarter('2017-01-30', '2017-04-30', 1937, 507),
    },
    {
      form: '10-Q',
      filed: '2017-08-23',
      facts: [
        ...quarter('2017-05-01', '2017-07-30', 2230, 583),
        ...quarter('2017-01-30', '2017-07-30', 4167, 1090),
      ],
    },
    {
      filed: '2018-02-28',
      facts: quarter('2017-01-30', '2017-07-30', 2230, 583),
    },
  ];

  it('does not replace stated figures', () => {
    const rows = rowsOf(reports).statements.filter(({ date }) => date === day('2017-07-30'));
    expect(rows.map(({ revenue, netIncome }) => [revenue, netIncome])).toEqual([[2230, 583]]);
  });
});

describe('periods that filings end on neighbouring days', () => {
  const first = {
    form: '10-Q',
    filed: '2010-08-30',
    facts: [
      ...income('2010-05-03', '2010-08-01', { Revenues: 811, NetIncomeLoss: -141 }),
      ...balance('2010-08-01', { Assets: 3400 }),
    ],
  };
  const later = {
    form: '10-Q',
    filed: '2011-08-30',
    facts: [
      ...income('2010-05-03', '2010-07-31', { Revenues: 812, NetIncomeLoss: -141 }),
      ...income('2011-05-02', '2011-07-31', { Revenues: 1017, NetIncomeLoss: 152 }),
      ...balance('2010-07-31', { Assets: 3401 }),
      ...balance('2011-07-31', { Assets: 4000 }),
    ],
  };
  const isOfEnd = ({ date }: { date: number }) => Math.abs(date - day('2010-08-01')) < 5;

  it('are one, on the day of the report about it', () => {
    const { statements, balanceSheets } = rowsOf([first, later]);
    expect(statements.filter(isOfEnd).map(({ date, revenue }) => [date, revenue])).toEqual([
      [day('2010-08-01'), 811],
      [day('2010-08-01'), 812],
    ]);
    expect(
      balanceSheets.filter(isOfEnd).map(({ date, totalAssets }) => [date, totalAssets]),
    ).toEqual([
      [day('2010-08-01'), 3400],
      [day('2010-08-01'), 3401],
    ]);
  });
});

describe('shares in thousands', () => {
  const quarter = (shares: number): TestFiling => ({
    form: '10-Q',
    filed: '2010-12-07',
    facts: [
      ...income('2010-08-02', '2010-10-31', {
        NetIncomeLoss: 84_862_000,
        EarningsPerShareDiluted: 0.15,
        WeightedAverageNumberOfDilutedSharesOutstanding: shares,
        Revenues: 843_912_000,
      }),
      { ...balance('2010-10-31', { CommonStockSharesOutstanding: shares })[0], unit: 'shares' },
    ],
  });

  it.each([582_648, 582_648_000])('are shares: %d', (shares) => {
    const rows = rowsOf([quarter(shares)]);
    expect(rows.statements[0].sharesDiluted).toBe(582_648_000);
    expect(rows.shares.map((row) => row.shares)).toEqual([582_648_000, 582_648_000]);
  });

  it('stay as they are if another factor separates them', () => {
    expect(rowsOf([quarter(5_826_480)]).statements[0].sharesDiluted).toBe(5_826_480);
  });
});

describe.skipIf(!hasRealdata)('quarters of Nvidia', () => {
  let rows: CompanyRows;
  // The body of a skipped group runs too.
  beforeAll(() => {
    const json = readFileSync(realdata('sec/companyfacts/CIK0001045810.json'), 'utf8');
    rows = companyRows(parseCompanyFacts(JSON.parse(json)), new Map());
  });

  it('have a stated revenue of 2,230 million where a year-to-date slip gave 293', () => {
    expect(quartersEnding('2017-07-30', rows)).toEqual([['2017-08-23', 2230, 688, 583]]);
  });

  it('add up over the split of 2024, and over shares in thousands, with no split stated', () => {
    const statements = rows.statements
      .map((row) => ({ symbol: 'NVDA', ...row }))
      .sort((a, b) => a.filedAt - b.filedAt);
    const months = trailingStatements(statements);
    const ofDay = (date: string) =>
      months
        .filter((one) => one.date === day(date))
        .map(({ epsDiluted }) => epsDiluted?.toFixed(2));
    expect(new Set(ofDay('2024-07-28'))).toEqual(new Set(['2.13']));
    expect(new Set(ofDay('2009-10-25'))).toEqual(new Set(['-0.63']));
    expect(rows.shares.filter((row) => row.shares < 1e8)).toEqual([]);
    // Checked against a price of 2024-08-28.
    const known = statements.filter(({ filedAt }) => filedAt < Date.parse('2024-09-01'));
    const facts = newestFacts(
      companyHistory({ counts: [], statements: known, balances: [], cashFlows: [] }, []),
    );
    expect(peRatio(facts, [], 125.61, day('2024-08-29'))).toBeCloseTo(58.97, 1);
  });

  it('end once in each season', () => {
    const quarterly = rows.statements.filter(({ period }) => period === 'quarterly');
    const ends = [...new Set(quarterly.map(({ date }) => date))].sort((a, b) => a - b);
    expect(ends.slice(1).filter((end, i) => end - ends[i] < 75)).toEqual([]);
    const sheets = [...new Set(rows.balanceSheets.map(({ date }) => date))].sort((a, b) => a - b);
    expect(sheets.slice(1).filter((end, i) => end - sheets[i] < 75)).toEqual([]);
  });
});
