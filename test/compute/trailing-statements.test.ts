import { describe, expect, it } from 'vitest';
import { type StatementRow, trailingStatements } from '../../src/compute/trailing-statements.ts';
import { dayFromDate } from '../../src/dates.ts';

function row(date: string, filedAt: string, values: Partial<StatementRow> = {}): StatementRow {
  return {
    symbol: 'AAPL',
    date: dayFromDate(date),
    period: 'quarterly',
    filedAt: Date.parse(filedAt),
    fiscalYear: null,
    fiscalQuarter: null,
    revenue: null,
    costOfRevenue: null,
    grossProfit: null,
    operatingIncome: null,
    netIncome: null,
    eps: null,
    epsDiluted: null,
    netIncomeToCommon: null,
    sharesBasic: null,
    sharesDiluted: null,
    dividendsPerShare: null,
    currency: null,
    form: null,
    accession: null,
    ...values,
  };
}

const ENDS = ['2025-03-31', '2025-06-30', '2025-09-30', '2025-12-31'];
const FILED = ['2025-05-01', '2025-08-01', '2025-11-01', '2026-02-01'];

function fourQuarters(values: (quarter: number) => Partial<StatementRow>): StatementRow[] {
  return ENDS.map((end, i) => row(end, FILED[i], values(i + 1)));
}

describe('twelve months', () => {
  it('are four quarters that follow one another, known when the last one is', () => {
    const rows = fourQuarters((quarter) => ({ revenue: quarter, eps: 0.25, epsDiluted: 0.5 }));
    expect(trailingStatements(rows)).toEqual([
      {
        date: dayFromDate('2025-12-31'),
        filedAt: Date.parse('2026-02-01'),
        revenue: 10,
        costOfRevenue: null,
        grossProfit: null,
        operatingIncome: null,
        netIncome: null,
        eps: 1,
        epsDiluted: 2,
        dividendsPerShare: null,
      },
    ]);
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
  });

  it('have earnings per share by mean shares where a quarter has none', () => {
    const rows = fourQuarters((quarter) => ({
      netIncome: 30,
      epsDiluted: quarter === 4 ? null : 3,
      sharesDiluted: quarter === 4 ? null : 10,
    }));
    expect(trailingStatements(rows)[0].epsDiluted).toBe(12);
  });
});
