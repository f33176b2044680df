/** Income statements from company facts: periods, fourth quarters, restatements. */

import { describe, expect, it } from 'vitest';
import { evidenceOf } from '../../../../../src/base/datasets/evidence.ts';
import { accessionOf, day, income, rowsOf, type TestFiling } from '../support/facts-json.ts';

const NET = { Revenues: 100, NetIncomeLoss: 10 };

/** Date, label and figures of the statements of one kind, with versions of a period in order. */
function told(rows: ReturnType<typeof rowsOf>, period: 'annual' | 'quarterly') {
  return rows.statements
    .filter((row) => row.period === period)
    .map(({ date, fiscalYear, fiscalQuarter, revenue, netIncome }) => ({
      date,
      label: fiscalQuarter === null ? `${fiscalYear}` : `${fiscalYear}-Q${fiscalQuarter}`,
      revenue,
      netIncome,
    }));
}

/** A fiscal year that ends in January, with periods from its start, as in its four reports. */
const FISCAL_2025 = [
  {
    form: '10-Q',
    filed: '2024-06-01',
    fy: 2025,
    fp: 'Q1',
    facts: income('2024-02-01', '2024-04-30', {
      Revenues: 100,
      NetIncomeLoss: 10,
      EarningsPerShareDiluted: 1,
    }),
  },
  {
    form: '10-Q',
    filed: '2024-09-01',
    fy: 2025,
    fp: 'Q2',
    facts: income('2024-02-01', '2024-07-31', { Revenues: 210, NetIncomeLoss: 25 }),
  },
  {
    form: '10-Q',
    filed: '2024-12-01',
    fy: 2025,
    fp: 'Q3',
    facts: income('2024-02-01', '2024-10-31', { Revenues: 330, NetIncomeLoss: 45 }),
  },
  {
    filed: '2025-03-15',
    fy: 2025,
    fp: 'FY',
    facts: income('2024-02-01', '2025-01-31', {
      Revenues: 460,
      NetIncomeLoss: 70,
      EarningsPerShareDiluted: 7,
      WeightedAverageNumberOfDilutedSharesOutstanding: 10,
    }),
  },
];

describe('income statements', () => {
  it('compute quarters from periods since the start of the year', () => {
    expect(told(rowsOf(FISCAL_2025), 'quarterly')).toEqual([
      { date: day('2024-04-30'), label: '2025-Q1', revenue: 100, netIncome: 10 },
      { date: day('2024-07-31'), label: '2025-Q2', revenue: 110, netIncome: 15 },
      { date: day('2024-10-31'), label: '2025-Q3', revenue: 120, netIncome: 20 },
      { date: day('2025-01-31'), label: '2025-Q4', revenue: 130, netIncome: 25 },
    ]);
  });

  it('compute quarters of dividends from longer periods, unless a split came between', () => {
    const perShare = (declared: readonly number[]) =>
      rowsOf(
        FISCAL_2025.map((report, i) => {
          const [{ start = '', end }] = report.facts;
          const concept = { CommonStockDividendsPerShareDeclared: declared[i] };
          return { ...report, facts: [...report.facts, ...income(start, end, concept)] };
        }),
      )
        .statements.filter(({ period }) => period === 'quarterly')
        .map(({ dividendsPerShare }) => dividendsPerShare);
    expect(perShare([0.25, 0.5, 0.75, 1])).toEqual([0.25, 0.25, 0.25, 0.25]);
    // Ten new shares for one: the year is restated, and the nine months before are not.
    expect(perShare([0.25, 0.5, 0.75, 0.1])).toEqual([0.25, 0.25, 0.25, null]);
  });

  it('give a fourth quarter no earnings per share unless they are stated', () => {
    const ofYear = rowsOf(FISCAL_2025).statements.find(({ period }) => period === 'annual');
    expect(ofYear).toMatchObject({ epsDiluted: 7, sharesDiluted: 10 });
    const last = rowsOf(FISCAL_2025).statements.at(-1);
    expect(last).toMatchObject({ fiscalQuarter: 4, epsDiluted: null, sharesDiluted: null });
    const stated = income('2024-11-01', '2025-01-31', {
      EarningsPerShareDiluted: 2.5,
      WeightedAverageNumberOfDilutedSharesOutstanding: 10,
    });
    const [q1, q2, q3, annual] = FISCAL_2025;
    const filings = [q1, q2, q3, { ...annual, facts: [...annual.facts, ...stated] }];
    expect(rowsOf(filings).statements.at(-1)).toMatchObject({
      revenue: 130,
      epsDiluted: 2.5,
      sharesDiluted: 10,
    });
  });

  // Amazon's loss of 2012 left 434 million diluted shares for the last quarter, below 456 basic ones.
  it.each<[string, number[], (number | null)[]]>([
    ['with the dilution of all', [12, 12, 12, 12.5], [14, 1.4]],
    ['without dilution where a quarter has none', [10, 12, 12, 12], [null, null]],
    ['without dilution where the year has none', [12, 12, 12, 10], [null, null]],
    [
      'without dilution where less than the basic shares are left',
      [12, 12, 12, 10.5],
      [null, null],
    ],
  ])('derive shares of a fourth quarter %s', (_, diluted, [shares, eps]) => {
    const [q1, q2, q3, annual] = FISCAL_2025;
    const filings = [q1, q2, q3, annual].map((report, i) => {
      const ends = ['2024-04-30', '2024-07-31', '2024-10-31', '2025-01-31'];
      const start = ['2024-02-01', '2024-05-01', '2024-08-01', '2024-02-01'][i];
      const counts = {
        WeightedAverageNumberOfSharesOutstandingBasic: 10,
        WeightedAverageNumberOfDilutedSharesOutstanding: diluted[i],
      };
      const facts = report.facts.filter(({ concept }) => !concept.includes('Diluted'));
      return { ...report, facts: [...facts, ...income(start, ends[i], counts)] };
    });
    const last = rowsOf(filings).statements.at(-1)!;
    expect([last.fiscalQuarter, last.sharesBasic, last.eps]).toEqual([4, 10, 2.5]);
    expect([last.sharesDiluted, last.epsDiluted]).toEqual([shares, eps && 25 / shares!]);
  });

  it('compute earnings per share of a fourth quarter if its shares are stated', () => {
    const shares = { WeightedAverageNumberOfDilutedSharesOutstanding: 5 };
    const basic = { WeightedAverageNumberOfSharesOutstandingBasic: 4 };
    const sales = { CostOfRevenue: 90 };
    const stated = income('2024-11-01', '2025-01-31', { ...shares, ...basic, ...sales });
    const [q1, q2, q3, annual] = FISCAL_2025;
    const filings = [q1, q2, q3, { ...annual, facts: [...annual.facts, ...stated] }];
    const row = rowsOf(filings).statements.at(-1)!;
    expect(row).toMatchObject({ netIncome: 25, eps: 6.25, epsDiluted: 5, grossProfit: 40 });
    expect(evidenceOf({ ...row }).grossProfit).toEqual({
      verdict: 'difference',
      lines: [
        ['revenue', null, 130],
        ['costOfRevenue', null, 90],
      ],
    });
  });

  it('take the last quarter before the first report from comparisons in the next year', () => {
    // A company that goes public in its fiscal 2025.
    const before = {
      '10-Q': income('2023-02-01', '2023-10-31', { Revenues: 200, NetIncomeLoss: 4 }),
      '10-K': income('2023-02-01', '2024-01-31', { Revenues: 290, NetIncomeLoss: 7 }),
    };
    const [, , q3, annual] = FISCAL_2025;
    const shown = [
      { ...q3, facts: [...q3.facts, ...before['10-Q']] },
      { ...annual, facts: [...annual.facts, ...before['10-K']] },
    ];
    expect(told(rowsOf(shown), 'quarterly')).toEqual([
      { date: day('2025-01-31'), label: '2025-Q4', revenue: 130, netIncome: 25 },
      { date: day('2024-01-31'), label: '2024-Q4', revenue: 90, netIncome: 3 },
    ]);
    // Not if the quarter is known: a year that was restated later has another basis.
    const own = { form: '10-K', filed: '2024-03-15', fy: 2024, fp: 'FY' };
    const facts = income('2023-11-01', '2024-01-31', { Revenues: 80, NetIncomeLoss: 2 });
    const [first] = told(rowsOf([{ ...own, facts }, ...shown]), 'quarterly');
    expect(first).toMatchObject({ date: day('2024-01-31'), revenue: 80, netIncome: 2 });
  });

  it('compute the fourth quarter from three quarters without a longer period', () => {
    const quarters = [
      ['2024-02-01', '2024-04-30', '2024-06-01'],
      ['2024-05-01', '2024-07-31', '2024-09-01'],
      ['2024-08-01', '2024-10-31', '2024-12-01'],
    ].map(([start, end, filed]) => ({ form: '10-Q', filed, facts: income(start, end, NET) }));
    const rows = rowsOf([...quarters, FISCAL_2025[3]]);
    expect(told(rows, 'quarterly').at(-1)).toEqual({
      date: day('2025-01-31'),
      label: '2025-Q4',
      revenue: 160,
      netIncome: 40,
    });
  });

  it('date rows by acceptance, else by 17:30 in New York on the day of filing', () => {
    const acceptedMs = new Map([[accessionOf(0), Date.parse('2024-05-31T20:05:00Z')]]);
    const filedAt = rowsOf(FISCAL_2025, acceptedMs).statements.map((row) => row.filedAt);
    expect(filedAt.map((ms) => new Date(ms).toISOString())).toEqual([
      '2025-03-15T21:30:00.000Z',
      '2024-05-31T20:05:00.000Z',
      '2024-09-01T21:30:00.000Z',
      '2024-12-01T22:30:00.000Z',
      '2025-03-15T21:30:00.000Z',
    ]);
  });

  it('keep each restatement, and do not change quarters that were not restated', () => {
    const later = {
      filed: '2026-03-15',
      fy: 2026,
      fp: 'FY',
      facts: [
        ...income('2024-02-01', '2025-01-31', { Revenues: 400, NetIncomeLoss: 70 }),
        ...income('2025-02-01', '2026-01-31', { Revenues: 500, NetIncomeLoss: 80 }),
      ],
    };
    const rows = rowsOf([...FISCAL_2025, later]);
    expect(told(rows, 'annual')).toEqual([
      { date: day('2025-01-31'), label: '2025', revenue: 460, netIncome: 70 },
      { date: day('2025-01-31'), label: '2025', revenue: 400, netIncome: 70 },
      { date: day('2026-01-31'), label: '2026', revenue: 500, netIncome: 80 },
    ]);
    expect(rows.statements[1]).toMatchObject({ epsDiluted: 7, sharesDiluted: 10 });
    expect(told(rows, 'quarterly').map(({ date }) => date)).not.toContain(day('2026-01-31'));
    expect(told(rows, 'quarterly').filter(({ date }) => date === day('2025-01-31'))).toHaveLength(
      1,
    );
  });

  it('add no version if a filing repeats known figures', () => {
    const again = { ...FISCAL_2025[0], filed: '2025-06-01' };
    const rows = rowsOf([...FISCAL_2025, again]);
    expect(rows.statements).toHaveLength(5);
  });

  it('do not carry counts of shares to earnings per share on another basis', () => {
    const afterSplit = {
      filed: '2026-03-15',
      facts: income('2024-02-01', '2025-01-31', {
        Revenues: 460,
        NetIncomeLoss: 70,
        EarningsPerShareDiluted: 0.35,
      }),
    };
    const rows = rowsOf([...FISCAL_2025, afterSplit]).statements;
    expect(rows[1]).toMatchObject({ epsDiluted: 0.35, sharesDiluted: null });
  });

  it('take no last twelve months of a quarterly report for a year', () => {
    const utility = {
      form: '10-Q',
      filed: '2024-08-01',
      fp: 'Q2',
      facts: [
        ...income('2024-04-01', '2024-06-30', NET),
        ...income('2023-07-01', '2024-06-30', { Revenues: 400, NetIncomeLoss: 40 }),
      ],
    };
    expect(told(rowsOf([utility]), 'annual')).toEqual([]);
  });

  it('read quarters of twelve and sixteen weeks', () => {
    const filings = [
      {
        form: '10-Q',
        filed: '2023-12-20',
        fy: 2024,
        fp: 'Q1',
        facts: income('2023-09-04', '2023-11-26', NET),
      },
      {
        form: '10-Q',
        filed: '2024-06-06',
        fy: 2024,
        fp: 'Q3',
        facts: income('2023-09-04', '2024-05-12', { Revenues: 300, NetIncomeLoss: 30 }),
      },
      {
        filed: '2024-10-09',
        fy: 2024,
        fp: 'FY',
        facts: income('2023-09-04', '2024-09-01', { Revenues: 460, NetIncomeLoss: 46 }),
      },
    ];
    expect(told(rowsOf(filings), 'quarterly')).toEqual([
      { date: day('2023-11-26'), label: '2024-Q1', revenue: 100, netIncome: 10 },
      { date: day('2024-09-01'), label: '2024-Q4', revenue: 160, netIncome: 16 },
    ]);
  });

  it('take the first concept of a list, and leave pay tables of proxies out', () => {
    const annual = income('2024-01-01', '2024-12-31', {
      RevenueFromContractWithCustomerExcludingAssessedTax: 90,
      Revenues: 100,
      CostOfRevenue: 60,
      NetIncomeLoss: 10,
      PreferredStockDividendsIncomeStatementImpact: 2,
    });
    const proxy = income('2024-01-01', '2024-12-31', { NetIncomeLoss: 11, ProfitLoss: 11 });
    const { statements } = rowsOf([
      { filed: '2025-02-01', fy: 2024, fp: 'FY', facts: annual },
      { form: 'DEF 14A', filed: '2025-04-01', facts: proxy },
    ]);
    expect(statements).toHaveLength(1);
    expect(statements[0]).toMatchObject({
      revenue: 100,
      costOfRevenue: 60,
      grossProfit: 40,
      netIncome: 10,
      netIncomeToCommon: 8,
      currency: 'USD',
    });
  });

  it('take no profit of all shares for that of common ones in a fourth quarter', () => {
    const ends = ['2024-03-31', '2024-06-30', '2024-09-30', '2024-12-31'];
    const starts = ['2024-01-01', '2024-04-01', '2024-07-01', '2024-10-01'];
    const shares = { WeightedAverageNumberOfSharesOutstandingBasic: 100 };
    // Preferred shares have 1 of 100 in each quarter, which only the year has a line of.
    const of = (nth: number) =>
      income(starts[nth], ends[nth], { Revenues: 500, NetIncomeLoss: 100 });
    const quarters = [0, 1, 2].map((nth) => {
      const own = income(starts[nth], ends[nth], { EarningsPerShareBasic: 0.99, ...shares });
      return { form: '10-Q', filed: `2024-1${nth}-05`, facts: [...of(nth), ...own] };
    });
    const year = (toCommon: number) => ({
      filed: '2025-02-20',
      facts: income('2024-01-01', '2024-12-31', {
        ...{ Revenues: 2000, NetIncomeLoss: 400, EarningsPerShareBasic: toCommon / 100 },
        ...{ NetIncomeLossAvailableToCommonStockholdersBasic: toCommon, ...shares },
      }),
    });
    const fourth = (filings: TestFiling[]) =>
      rowsOf(filings).statements.find(
        ({ date, period }) => period === 'quarterly' && date === day(ends[3]),
      );
    expect(fourth([...quarters, year(400)])).toMatchObject({ netIncomeToCommon: 100, eps: 1 });
    const open = { netIncome: 100, netIncomeToCommon: null, eps: null };
    expect(fourth([...quarters, year(396)])).toMatchObject(open);
    // A quarter whose earnings per share leave 10 % to others.
    const ofTenth = income(starts[0], ends[0], { EarningsPerShareBasic: 0.9, ...shares });
    const [unlike] = rowsOf([{ ...quarters[0], facts: [...of(0), ...ofTenth] }]).statements;
    // Quarters that the report of the year gives without earnings per share.
    const report = year(396);
    const all = { ...report, facts: [...report.facts, ...[0, 1, 2].flatMap(of)] };
    const { statements } = rowsOf([all]);
    const told = statements.filter(({ period }) => period === 'quarterly');
    expect(told.map((row) => row.netIncomeToCommon)).toEqual([null, null, null, null]);
    const reason = 'others, as preferred shares, may have a part of the profit that no line gives';
    const rows = [fourth([...quarters, year(396)])!, ...told.slice(0, 3), unlike];
    expect(rows.map((row) => evidenceOf(row).netIncomeToCommon?.reason)).toEqual(
      rows.map(() => reason),
    );
  });

  it('turn a cost and a loss per share that lack their signs', () => {
    const facts = income('2024-01-01', '2024-12-31', {
      Revenues: 100,
      CostOfRevenue: -60,
      GrossProfit: 40,
      NetIncomeLoss: -50,
      EarningsPerShareBasic: 0.5,
      WeightedAverageNumberOfSharesOutstandingBasic: 100,
    });
    expect(rowsOf([{ filed: '2025-02-01', facts }]).statements[0]).toMatchObject({
      costOfRevenue: 60,
      eps: -0.5,
    });
  });

  it('take a dividend below zero for what was paid', () => {
    const facts = income('2024-02-01', '2025-01-31', NET);
    const paid = { concept: 'CommonStockDividendsPerShareDeclared', unit: 'USD/shares', val: -0.5 };
    const own = { ...paid, start: '2024-02-01', end: '2025-01-31' };
    const [row] = rowsOf([
      { filed: '2025-03-15', fy: 2025, fp: 'FY', facts: [...facts, own] },
    ]).statements;
    expect(row).toMatchObject({ revenue: 100, dividendsPerShare: 0.5 });
  });

  it('add up the revenue of a bank', () => {
    const facts = income('2024-01-01', '2024-12-31', {
      InterestIncomeExpenseNet: 70,
      NoninterestIncome: 30,
      NetIncomeLoss: 20,
    });
    expect(rowsOf([{ filed: '2025-02-01', facts }]).statements[0]).toMatchObject({ revenue: 100 });
  });

  it('read IFRS in the currency of most amounts, not in its translation', () => {
    const facts = [
      ...['2023', '2024'].flatMap((year) => [
        {
          concept: 'ifrs-full:Revenue',
          unit: 'EUR',
          start: `${year}-01-01`,
          end: `${year}-12-31`,
          val: 90,
        },
        {
          concept: 'ifrs-full:ProfitLoss',
          unit: 'EUR',
          start: `${year}-01-01`,
          end: `${year}-12-31`,
          val: 9,
        },
      ]),
      {
        concept: 'ifrs-full:Revenue',
        unit: 'USD',
        start: '2024-01-01',
        end: '2024-12-31',
        val: 99,
      },
    ];
    const filing = { form: '20-F', filed: '2025-04-01', fy: 2024, fp: 'FY', facts };
    expect(rowsOf([filing]).statements).toMatchObject([
      { revenue: 90, netIncome: 9, currency: 'EUR', fiscalYear: 2023 },
      { revenue: 90, netIncome: 9, currency: 'EUR', fiscalYear: 2024 },
    ]);
  });

  it('give years different numbers if filings counted in two ways', () => {
    // Nvidia is such a company: two of its five years to January are named by the year in which
    // they start.
    const filings = [2010, 2010, 2011, 2013, 2014].map((fy, i) => ({
      filed: `${2010 + i}-03-15`,
      fy,
      fp: 'FY',
      facts: income(`${2009 + i}-02-01`, `${2010 + i}-01-31`, NET),
    }));
    const labels = rowsOf(filings).statements.map((row) => [row.date, row.fiscalYear] as const);
    expect([...new Map(labels).values()]).toEqual([2010, 2011, 2012, 2013, 2014]);
    // As the filings up to each one count them.
    expect(labels.map(([, year]) => year)).toEqual([
      2010, 2009, 2010, 2010, 2011, 2011, 2012, 2013, 2014,
    ]);
  });

  it('label quarters before the first year as their reports do', () => {
    expect(told(rowsOf(FISCAL_2025.slice(0, 1)), 'quarterly')).toMatchObject([
      { label: '2025-Q1' },
    ]);
  });
});
describe('a change of the fiscal year', () => {
  const report = (
    start: string,
    end: string,
    filed: string,
    fy: number,
    fp: string,
    form: string,
  ) => ({
    ...{ form, filed, fy, fp },
    facts: income(start, end, { Revenues: 100, NetIncomeLoss: 10 }),
  });
  const filings = [
    report('2022-07-01', '2023-06-30', '2023-08-20', 2023, 'FY', '10-K'),
    report('2023-07-01', '2023-09-30', '2023-11-01', 2024, 'Q1', '10-Q'),
    report('2023-10-01', '2023-12-31', '2024-02-25', 2023, 'FY', '10-KT'),
    report('2024-01-01', '2024-03-31', '2024-05-01', 2024, 'Q1', '10-Q'),
    report('2024-01-01', '2024-12-31', '2025-02-20', 2024, 'FY', '10-K'),
  ];
  const labelsOf = (count: number) => {
    const rows = rowsOf(filings.slice(0, count)).statements;
    const newest = Map.groupBy(rows, ({ date, period }) => `${period} ${date}`);
    return [...newest.values()].map((versions) => {
      const { fiscalYear, fiscalQuarter } = versions.at(-1)!;
      return `${fiscalYear} ${fiscalQuarter ?? 'year'}`;
    });
  };

  it('labels no quarter between the two calendars, as soon as a filing shows them', () => {
    expect(labelsOf(2)).toEqual(['2023 year', '2024 1']);
    expect(labelsOf(3)).toEqual(['2023 year', 'null year', 'null year']);
    expect(labelsOf(4)).toEqual(['2023 year', 'null year', 'null year', '2024 1']);
    expect(labelsOf(5)).toEqual(['2023 year', '2024 year', 'null year', 'null year', '2024 1']);
  });

  it('leaves the label that a row had before the filing', () => {
    const ofQuarter = rowsOf(filings).statements.filter(({ date }) => date === day('2023-09-30'));
    expect(ofQuarter.map((row) => [row.form, row.fiscalQuarter, row.revenue])).toEqual([
      ['10-Q', 1, 100],
      ['10-KT', null, 100],
    ]);
  });
});
