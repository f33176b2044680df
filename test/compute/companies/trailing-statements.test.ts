import { describe, expect, it } from 'vitest';
import { statements } from '../../../src/base/datasets/filings.ts';
import { dayFromDate } from '../../../src/base/time/dates.ts';
import { perShareMoments } from '../../../src/compute/companies/share-bases.ts';
import {
  type StatementRow,
  type SummedRow,
  trailingStatements,
  trailingSums,
} from '../../../src/compute/companies/trailing-statements.ts';

/** A row of nulls. */
const BLANK = Object.fromEntries(statements.columns.map(({ name }) => [name, null])) as object;

function row(date: string, filedAt: string, values: Partial<StatementRow> = {}): StatementRow {
  return {
    ...(BLANK as StatementRow),
    symbol: 'AAPL',
    date: dayFromDate(date),
    period: 'quarterly',
    filedAt: Date.parse(filedAt),
    ...values,
  };
}

const ENDS = ['2025-03-31', '2025-06-30', '2025-09-30', '2025-12-31'];
const FILED = ['2025-05-01', '2025-08-01', '2025-11-01', '2026-02-01'];

function fourQuarters(values: (quarter: number) => Partial<StatementRow>): StatementRow[] {
  return ENDS.map((end, i) => row(end, FILED[i], values(i + 1)));
}

describe('twelve months', () => {
  it('have the decimals of their quarters', () => {
    const [year] = trailingStatements(
      fourQuarters((quarter) => ({ eps: quarter === 1 ? 0.1 : 0.2, dividendsPerShare: 0.07 })),
    );
    // In float64, the sums are 0.7000000000000001 and 0.28 or its neighbour.
    expect([year.eps, year.dividendsPerShare]).toEqual([0.7, 0.28]);
  });

  it('leave figures out of which a filing restated some quarters, as after a business was sold', () => {
    const year = row('2025-12-31', FILED[3], { period: 'annual', revenue: 400, netIncome: 40 });
    const own = fourQuarters(() => ({ revenue: 100, netIncome: 10 }));
    const next = row('2026-03-31', '2026-05-01', { revenue: 110, netIncome: 11 });
    const first = (revenue: number) => row(ENDS[0], '2026-05-01', { revenue, netIncome: 10 });
    const newest = (rows: StatementRow[]) => trailingStatements(rows).at(-1);
    const told = [...own, year];
    expect(newest([...told, next])).toMatchObject({ revenue: 410, netIncome: 41 });
    expect(newest([...told, first(99.5), next])).toMatchObject({ revenue: 410, netIncome: 41 });
    // The quarters between still hold the business that the first and the last one have not.
    expect(newest([...told, first(80), next])).toMatchObject({ revenue: null, netIncome: 41 });
    const restated = { ...year, filedAt: Date.parse('2026-05-01'), revenue: 320 };
    expect(newest([...told, restated, next])).toMatchObject({ revenue: null, netIncome: 41 });
    const all = ENDS.map((end) => row(end, '2026-05-01', { revenue: 80, netIncome: 10 }));
    expect(newest([...told, restated, ...all, next])).toMatchObject({ revenue: 350 });
  });

  it('leave figures out of which the last quarter has what an earlier filing gave', () => {
    const year = row('2025-12-31', FILED[3], { period: 'annual', revenue: 400, incomeTax: 40 });
    const own = fourQuarters(() => ({ revenue: 100, incomeTax: 10 }));
    // Microsoft's report of 2018 restated 2017, but not the tax of its last quarter.
    const restatedYear = row('2025-12-31', '2027-02-01', {
      ...{ period: 'annual', revenue: 420, incomeTax: 60 },
    });
    const evidence = JSON.stringify({ incomeTax: { verdict: 'stated', accession: 'of-2025' } });
    const restated = ENDS.map((end, i) => {
      const last = { accession: 'of-2026', incomeTax: 10, evidence };
      return row(end, i === 3 ? '2027-02-01' : '2026-11-01', {
        ...{ revenue: 105, incomeTax: 15 },
        ...(i === 3 && last),
      });
    });
    const next = row('2026-03-31', '2026-05-01', { revenue: 110, incomeTax: 15 });
    const rows = [...own, year, next, ...restated.slice(0, 3), restatedYear, restated[3]];
    const newest = trailingStatements(rows).findLast(({ date }) => date === next.date);
    expect(newest).toMatchObject({ revenue: 425, incomeTax: null });
  });

  it('are left open when a year inside them is restated without its quarters', () => {
    const profit = { netIncome: 10, eps: 0.5, sharesBasic: 20 };
    const whole = { revenue: 400, netIncome: 40 };
    const year = row('2025-12-31', FILED[3], { period: 'annual', ...whole });
    const next = row('2026-03-31', '2027-05-01', { revenue: 110, ...profit });
    const rows = [...fourQuarters(() => ({ revenue: 100, ...profit })), year, next];
    const newest = (all: StatementRow[]) =>
      trailingStatements(all).findLast(({ date }) => date === next.date);
    expect(newest(rows)).toMatchObject({ revenue: 410, netIncome: 40, eps: 2 });
    const restated = { ...year, filedAt: Date.parse('2028-02-01'), revenue: 450 };
    expect(newest([...rows, restated])).toMatchObject({ revenue: null, netIncome: 40, eps: 2 });
    // Microsoft's twelve months to March 2017 had earnings of a share of two definitions.
    const all = [...rows, { ...restated, netIncome: 50 }];
    expect(newest(all)).toMatchObject({ revenue: null, netIncome: null, eps: null });
  });

  it('are four quarters that follow one another, known when the last one is', () => {
    const rows = fourQuarters((quarter) => ({ revenue: quarter, eps: 0.25, epsDiluted: 0.5 }));
    expect(trailingStatements(rows)).toMatchObject([
      {
        date: dayFromDate('2025-12-31'),
        filedAt: Date.parse('2026-02-01'),
        revenue: 10,
        costOfRevenue: null,
        eps: 1,
        epsDiluted: 2,
        dividendsPerShare: null,
      },
    ]);
  });

  it('are unknown for a figure whose definition changes within them', () => {
    const evidence = JSON.stringify({ revenue: { verdict: 'stated', isApart: true } });
    const yearOf = (marked: number) => {
      const rows = fourQuarters((quarter) => ({
        revenue: quarter,
        netIncome: 1,
        evidence: quarter === marked ? evidence : null,
      }));
      return trailingStatements(rows)[0];
    };
    expect(yearOf(3)).toMatchObject({ revenue: null, netIncome: 4 });
    // The first quarter differs from the one before the twelve months.
    expect(yearOf(1)).toMatchObject({ revenue: 10, netIncome: 4 });
  });

  it('are not three quarters, nor four with a hole', () => {
    const rows = fourQuarters(() => ({ revenue: 1 }));
    expect(trailingStatements(rows.slice(1))).toEqual([]);
    const older = row('2024-12-31', '2025-02-01', { revenue: 1 });
    expect(trailingStatements([older, rows[0], rows[1], rows[3]])).toEqual([]);
  });

  it('are the year itself where one ends', () => {
    const year = row('2025-12-31', '2026-02-01', { period: 'annual', revenue: 11, eps: 1.01 });
    const [trailing] = trailingStatements([...fourQuarters(() => ({ revenue: 1, eps: 1 })), year]);
    expect([trailing.revenue, trailing.eps]).toEqual([11, 1.01]);
  });

  it('have another version when one of their quarters is restated', () => {
    const rows = fourQuarters(() => ({ revenue: 1 }));
    const restated = row('2025-06-30', '2026-04-01', { revenue: 5 });
    expect(
      trailingStatements([...rows, restated]).map(({ date, filedAt, revenue }) => [
        date,
        filedAt,
        revenue,
      ]),
    ).toEqual([
      [dayFromDate('2025-12-31'), Date.parse('2026-02-01'), 4],
      [dayFromDate('2025-12-31'), Date.parse('2026-04-01'), 8],
    ]);
  });

  it('are on the split basis of their newest filing', () => {
    const rows = fourQuarters((quarter) => ({ eps: quarter < 3 ? 4 : 1 }));
    const splits = [{ exDay: dayFromDate('2025-09-01'), numerator: 4, denominator: 1 }];
    expect(trailingStatements(rows, splits)[0].eps).toBe(4);
    // Later versions that leave figures per share as they were.
    const label = row('2025-03-31', '2026-03-01', { eps: 4, fiscalYear: 2025 });
    const again = row('2025-03-31', '2026-04-01', { eps: 4, fiscalYear: 2025, revenue: 7 });
    const all = [...rows, label, again];
    expect(trailingStatements(all, splits).map(({ eps }) => eps)).toEqual([4, 4, 4]);
    expect(all.map((one) => perShareMoments(all).get(one)).slice(-2)).toEqual(
      [0, 0].map(() => Date.parse('2025-05-01')),
    );
  });

  it('take the shares of a quarter that states none from its income and earnings per share', () => {
    // As of Alphabet in 2022, which counted each class apart and split twenty for one in July.
    const millions = (netIncome: number) => ({ netIncome, netIncomeToCommon: netIncome });
    const told = [
      { ...millions(18_936), epsDiluted: 27.99 },
      millions(20_642),
      { ...millions(16_436), epsDiluted: 24.62 },
      { ...millions(16_002), epsDiluted: 1.21 },
    ];
    const rows = fourQuarters((quarter) => told[quarter - 1]);
    const split = { exDay: dayFromDate('2026-01-18'), numerator: 20, denominator: 1 };
    const [{ epsDiluted, eps }] = trailingStatements(rows, [split]);
    // The quarters' own are 1.40, 1.53, 1.23 and 1.21.
    expect(epsDiluted).toBeCloseTo(5.387, 3);
    expect(eps).toBe(null);
    // Without the split old and new shares would be mixed; a cent is too rough to divide by.
    expect(trailingStatements(rows)[0].epsDiluted).toBe(null);
    const small = fourQuarters((quarter) => ({
      ...millions(10),
      epsDiluted: quarter === 2 ? null : 0.01,
    }));
    expect(trailingStatements(small)[0].epsDiluted).toBe(null);
    // Roughness is that of the figure as filed, not of what a split made of it.
    const after = (numerator: number) => [
      { exDay: dayFromDate('2026-01-18'), numerator, denominator: 1 },
    ];
    const rough = small.map((one, i) => (i === 3 ? { ...one, epsDiluted: null } : one));
    expect(trailingStatements(rough, after(1 / 100))[0].epsDiluted).toBe(null);
    const exact = small.map((one, i) => ({
      ...one,
      epsDiluted: [2.5, null, 2.5, 0.25][i],
    }));
    expect(trailingStatements(exact, after(10))[0].epsDiluted).toBeCloseTo(1, 9);
  });

  it('have earnings per share by mean shares where a quarter has none', () => {
    const rows = fourQuarters((quarter) => ({
      netIncome: 30,
      epsDiluted: quarter === 4 ? null : 3,
      sharesDiluted: quarter === 4 ? null : 10,
    }));
    expect(trailingStatements(rows)[0].epsDiluted).toBe(12);
    // Preferred shares have a part of the profit, or it is unknown of one quarter.
    const shared = rows.map((one) => (one.epsDiluted ? { ...one, epsDiluted: 2.7 } : one));
    expect(trailingStatements(shared)[0].epsDiluted).toBe(null);
    const told = rows.map((one) => (one.epsDiluted ? { ...one, netIncomeToCommon: 30 } : one));
    expect(trailingStatements(told)[0].epsDiluted).toBe(null);
  });
});

/** Stories of companies whose splits no source states: only their filings show them. */
describe('twelve months over a split that filings show', () => {
  // Apple split seven for one in June 2014. Its 10-Q of July and its 10-K of October restate.
  const apple = [
    row('2012-06-30', '2013-07-23', { netIncome: 8824, epsDiluted: 9.32, sharesDiluted: 947 }),
    row('2012-09-29', '2013-10-29', { netIncome: 8223, epsDiluted: 8.67 }),
    row('2012-12-29', '2014-01-27', { netIncome: 13_078, epsDiluted: 13.81, sharesDiluted: 947 }),
    row('2013-03-30', '2014-04-23', { netIncome: 9547, epsDiluted: 10.09, sharesDiluted: 946 }),
    row('2013-06-29', '2013-07-24', { netIncome: 6900, epsDiluted: 7.47, sharesDiluted: 924 }),
    row('2013-06-29', '2014-07-23', { netIncome: 6900, epsDiluted: 1.07, sharesDiluted: 6468 }),
    row('2012-12-29', '2014-10-27', { netIncome: 13_078, epsDiluted: 1.97 }),
    row('2013-03-30', '2014-10-27', { netIncome: 9547, epsDiluted: 1.44 }),
  ].sort((a, b) => a.filedAt - b.filedAt);
  const ofMarch2013 = ({ date }: { date: number }) => date === dayFromDate('2013-03-30');

  it('have earnings per share on the new basis from the first filing after it', () => {
    const versions = trailingStatements(apple).filter(ofMarch2013);
    expect(versions.map(({ epsDiluted }) => epsDiluted?.toFixed(2))).toEqual(['41.89', '5.98']);
  });

  it('are the same where the split is stated too', () => {
    const split = { exDay: dayFromDate('2014-06-09'), numerator: 7, denominator: 1 };
    const stated = trailingStatements(apple, [split]);
    expect(stated.filter(ofMarch2013).at(-1)?.epsDiluted).toBeCloseTo(5.98, 2);
    expect(stated).toHaveLength(trailingStatements(apple).length);
  });

  it('tell a split from earnings per share where no shares are counted', () => {
    // Alphabet split twenty for one in 2022.
    const rows = [
      ...fourQuarters((quarter) => ({
        netIncome: 18_525,
        epsDiluted: quarter === 4 ? 1.36 : 27.26,
      })),
      row('2025-06-30', '2026-02-01', { netIncome: 18_525, epsDiluted: 1.36 }),
    ];
    expect(trailingStatements(rows).at(-1)?.epsDiluted).toBeCloseTo(1.36 * 2 + (27.26 * 2) / 20, 6);
  });

  it('leave a filing that repeats old figures on the old basis', () => {
    const old = { netIncome: 100, epsDiluted: 1, sharesDiluted: 100 };
    const split = { netIncome: 100, epsDiluted: 0.1, sharesDiluted: 1000 };
    const rows = [
      ...fourQuarters((quarter) => (quarter === 4 ? split : old)),
      row('2025-01-01', '2025-01-02', old),
      row('2025-01-01', '2026-02-01', split),
      // Restates revenue only: all else is carried forward.
      row('2025-06-30', '2026-03-01', { ...old, revenue: 5 }),
    ].sort((a, b) => a.filedAt - b.filedAt);
    expect(trailingStatements(rows).at(-1)).toMatchObject({ epsDiluted: 0.4 });
  });

  it('take no change of figures for a split that income does not explain', () => {
    const figures = { netIncome: 100, epsDiluted: 1, sharesDiluted: 100 };
    const rows = [
      ...fourQuarters(() => figures),
      row('2025-06-30', '2026-03-01', { ...figures, netIncome: 50, epsDiluted: 0.5 }),
    ];
    expect(trailingStatements(rows).map(({ epsDiluted }) => epsDiluted)).toEqual([4, 3.5]);
  });

  it('have no figures per share where shares multiply and no filing restates', () => {
    const told = (quarter: number) =>
      quarter === 4
        ? { netIncome: 100, epsDiluted: 0.1, sharesDiluted: 1000, dividendsPerShare: 0.01 }
        : { netIncome: 100, epsDiluted: 1, sharesDiluted: 100, dividendsPerShare: 0.1 };
    expect(trailingStatements(fourQuarters(told))[0]).toMatchObject({
      netIncome: 400,
      epsDiluted: null,
      dividendsPerShare: null,
    });
  });
});

describe('sums of a statement without figures per share', () => {
  const row = (date: string, filedAt: number, spent: number | null, period = 'quarterly') =>
    ({ date: dayFromDate(date), filedAt, period, spent }) as SummedRow;
  const quarters = [
    row('2025-03-31', 1, 10),
    row('2025-06-30', 2, 20),
    row('2025-09-30', 3, 30),
    row('2025-12-31', 4, 40),
  ];

  it('are those of four quarters, or of the year as filed', () => {
    expect(trailingSums(quarters, ['spent'])).toEqual([
      { date: dayFromDate('2025-12-31'), filedAt: 4, period: 'annual', spent: 100 },
    ]);
    const year = row('2025-12-31', 5, 101, 'annual');
    expect(trailingSums([...quarters, year], ['spent']).at(-1)).toMatchObject({ spent: 101 });
  });

  it('are null where a quarter lacks the figure, and none over a gap', () => {
    const [first, ...rest] = quarters;
    const lacking = [row('2025-03-31', 1, null), ...rest];
    expect(trailingSums(lacking, ['spent'])).toMatchObject([{ spent: null }]);
    expect(trailingSums([first, ...rest.slice(1), row('2026-03-31', 5, 5)], ['spent'])).toEqual([]);
  });
});
