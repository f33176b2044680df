import { describe, expect, it } from 'vitest';
import type { Split } from '../../../src/base/bars.ts';
import type { CompanyFigures } from '../../../src/base/companies/figures.ts';
import { dayFromDate } from '../../../src/base/time/dates.ts';
import {
  type BalanceRow,
  type CashFlowRow,
  companyHistory,
  type Filings,
  type ShareRow,
} from '../../../src/compute/companies/company-history.ts';
import {
  type StatementRow,
  trailingStatements,
} from '../../../src/compute/companies/trailing-statements.ts';
import { scaled } from '../../faults/scale.ts';
import { seededRandom } from '../support/hostile-series.ts';
import { plainHistory, plainTrailing } from './plain-history.ts';

function count(date: string, filed: string, shares: number): ShareRow {
  return {
    symbol: 'A',
    date: dayFromDate(date),
    filedAt: Date.parse(filed),
    kind: 'cover',
    shares,
  };
}

function year(date: string, filed: string, values: Partial<StatementRow>): StatementRow {
  return {
    ...({ symbol: 'A', period: 'annual', currency: 'USD' } as StatementRow),
    date: dayFromDate(date),
    filedAt: Date.parse(filed),
    ...values,
  };
}

function balance(date: string, filed: string, values: Partial<BalanceRow>): BalanceRow {
  return {
    ...({ symbol: 'A', period: 'annual', currency: 'USD' } as BalanceRow),
    date: dayFromDate(date),
    filedAt: Date.parse(filed),
    ...values,
  };
}

const NONE: Filings = { counts: [], statements: [], balances: [], cashFlows: [] };

/** Some figures after each filing that changed them. */
function figuresOf(filings: Partial<Filings>, names: readonly (keyof CompanyFigures)[]) {
  return companyHistory({ ...NONE, ...filings }, []).map(({ knownMs, figures }) => [
    new Date(knownMs).toISOString().slice(0, 10),
    ...names.map((name) => figures[name]),
  ]);
}

const SPLITS: readonly Split[] = [
  { exDay: dayFromDate('2023-06-01'), numerator: 4, denominator: 1 },
  { exDay: dayFromDate('2024-03-01'), numerator: 1, denominator: 3 },
];

describe('a security whose name in the directory says nothing of a class', () => {
  const sharesOf = (form: string, ratio?: number | null, date = '2023-01-03') => {
    const isNamed = ratio !== undefined;
    const ratios = isNamed ? [{ day: dayFromDate(date), ratio, isNamed }] : [];
    const counts = [count('2024-01-31', '2024-02-10', 100)];
    const statements = [year('2023-12-31', '2024-02-10', { form, epsDiluted: 2 })];
    return figuresOf({ counts, statements, ratios }, ['shares', 'epsDiluted', 'adsRatio']);
  };

  // Taiwan Semiconductor's receipt stands for five shares: its market cap was five times too high.
  it('has no figures of a share if its company is foreign', () => {
    expect(sharesOf('20-F', null)).toEqual([['2024-02-10', NaN, NaN, NaN]]);
    expect(sharesOf('20-F', null, '2026-01-02')).toEqual([['2024-02-10', NaN, NaN, NaN]]);
    // Petrobras, in a store without a directory.
    expect(sharesOf('20-F')).toEqual([['2024-02-10', NaN, NaN, NaN]]);
  });

  it('is priced as a share otherwise, and where a name says one share', () => {
    expect(sharesOf('10-K', null)).toEqual([['2024-02-10', 100, 2, NaN]]);
    expect(sharesOf('10-K')).toEqual([['2024-02-10', 100, 2, NaN]]);
    expect(sharesOf('20-F', 1)).toEqual([['2024-02-10', 100, 2, NaN]]);
    expect(sharesOf('20-F', 5)).toEqual([['2024-02-10', 100, 2, 5]]);
  });
});

describe('a receipt that stands for another number of shares from a day on', () => {
  const sharesAfter = (splits: readonly Split[], ratio: number | null = 2) => {
    const ratios = [
      { day: dayFromDate('2023-01-03'), ratio: 5 },
      { day: dayFromDate('2024-08-05'), ratio },
    ];
    const counts = ['2024-01-31', '2024-12-31'].map((date) => count(date, `${date}T22:00Z`, 100));
    return companyHistory({ ...NONE, counts, ratios }, splits).map(({ knownMs, figures }) => [
      ...[new Date(knownMs).toISOString().slice(0, 10), figures.shares, figures.adsRatio],
    ]);
  };
  const split = (numerator: number, denominator: number) => [
    { exDay: dayFromDate('2024-08-05'), numerator, denominator },
  ];

  // The market cap was that of five shares for a price of two until the next filing.
  it('has no figures until the next filing', () => {
    const [before, after] = [
      ['2024-01-31', 100, 5],
      ['2024-12-31', 100, 2],
    ];
    expect(sharesAfter([])).toEqual([before, ['2024-08-05', NaN, NaN], after]);
    expect(sharesAfter(split(2, 1))).toEqual([before, ['2024-08-05', NaN, NaN], after]);
    expect(sharesAfter([], null)[1]).toEqual(['2024-08-05', NaN, NaN]);
  });

  it('keeps them over a split of the receipts alone, and of the shares', () => {
    expect(sharesAfter(split(5, 2)).slice(0, 2)).toEqual([
      ['2024-01-31', 100, 5],
      ['2024-12-31', 100, 2],
    ]);
    expect(sharesAfter(split(2, 1), 5)).toEqual([['2024-01-31', 100, 5], expect.anything()]);
  });
});

/** Filings of few moments and periods, so that many restate, in any order of periods. Synthetic. */
function randomFilings(random: () => number): Filings {
  const pick = (from: number, to: number) => from + Math.floor(random() * (to - from + 1));
  const orNull = (value: number) => (random() < 0.1 ? null : value);
  const filed = () => (dayFromDate('2022-01-15') + 30 * pick(0, 40)) * 86_400_000;
  const rowsOf = <T extends { filedAt: number }>(length: number, row: () => T) =>
    Array.from({ length }, row).sort((a, b) => a.filedAt - b.filedAt);
  const end = (quarter: number) =>
    dayFromDate('2021-03-31') + 91 * quarter + pick(0, 8) * pick(0, 1);
  const ends = Array.from({ length: 14 }, (_, quarter) => end(quarter));
  return {
    counts: rowsOf(30, () => ({
      ...count('2022-01-01', '2022-01-01', pick(1, 9)),
      date: dayFromDate('2022-01-01') + pick(0, 1000),
      kind: (['cover', 'balance', 'weighted'] as const)[pick(0, 2)],
      filedAt: filed(),
    })),
    cashFlows: rowsOf(60, () => {
      const date = ends[pick(0, 13)];
      const period = pick(0, 4) === 0 ? ('annual' as const) : ('quarterly' as const);
      const operatingCashFlow = orNull(pick(1, 9));
      return { date, period, filedAt: filed(), operatingCashFlow } as CashFlowRow;
    }),
    statements: rowsOf(80, () => {
      const netIncome = orNull(pick(1, 3) * 100);
      const sharesDiluted = [null, 100, 110, 400][pick(0, 3)];
      return {
        ...year('2022-01-01', '2022-01-01', {
          ...{ costOfRevenue: 1, grossProfit: 2, operatingIncome: orNull(3) },
          ...{ revenue: orNull(pick(1, 9)), netIncome, netIncomeToCommon: null },
          eps: orNull(pick(1, 4)),
          epsDiluted: orNull(netIncome === null ? 1 : netIncome / (sharesDiluted ?? 50)),
          sharesBasic: orNull(100),
          sharesDiluted,
          dividendsPerShare: orNull(pick(1, 2) / 4),
          currency: random() < 0.02 ? 'TWD' : 'USD',
        }),
        ...(random() < 0.8 && { period: 'quarterly' as const }),
        date: ends[pick(0, ends.length - 1)],
        filedAt: filed(),
      };
    }),
    balances: rowsOf(30, () => ({
      ...balance('2022-01-01', '2022-01-01', { totalAssets: orNull(pick(1, 9)) }),
      date: ends[pick(0, ends.length - 1)],
      filedAt: filed(),
    })),
  };
}

describe('the history of a company', () => {
  it('has a row for each filing that changes a figure', () => {
    const counts = [
      count('2025-01-20', '2025-02-01', 10),
      count('2025-01-20', '2025-03-01', 10),
      count('2025-04-20', '2025-05-01', 11),
    ];
    expect(figuresOf({ counts }, ['shares', 'sharesDay'])).toEqual([
      ['2025-02-01', 10, dayFromDate('2025-01-20')],
      ['2025-05-01', 11, dayFromDate('2025-04-20')],
    ]);
  });

  it('keeps what was known before an amendment', () => {
    const statements = [
      year('2024-12-31', '2025-02-01', { revenue: 100, netIncome: 9 }),
      year('2024-12-31', '2025-06-01', { revenue: 90, netIncome: 5 }),
    ];
    expect(figuresOf({ statements }, ['revenue', 'netIncome'])).toEqual([
      ['2025-02-01', 100, 9],
      ['2025-06-01', 90, 5],
    ]);
  });

  it('compares with the year before as it was known', () => {
    const statements = [
      year('2023-12-30', '2024-02-01', { revenue: 80, netIncome: 4 }),
      year('2024-12-28', '2025-02-01', { revenue: 100, netIncome: 9 }),
      year('2023-12-30', '2025-02-02', { revenue: 70, netIncome: 3 }),
    ];
    expect(figuresOf({ statements }, ['revenue', 'revenueBefore', 'netIncomeBefore'])).toEqual([
      ['2024-02-01', 80, Number.NaN, Number.NaN],
      ['2025-02-01', 100, 80, 4],
      ['2025-02-02', 100, 70, 3],
    ]);
  });

  it('takes the newest balance sheet, and of one day the one filed last', () => {
    const balances = [
      balance('2024-12-31', '2025-02-01', { totalAssets: 10, cash: 1 }),
      balance('2025-03-31', '2025-05-01', { totalAssets: 12, cash: null }),
      balance('2024-12-31', '2025-05-02', { totalAssets: 11 }),
      balance('2025-03-31', '2025-06-01', { totalAssets: 13 }),
    ];
    expect(figuresOf({ balances }, ['totalAssets', 'cash'])).toEqual([
      ['2025-02-01', 10, 1],
      ['2025-05-01', 12, Number.NaN],
      ['2025-06-01', 13, Number.NaN],
    ]);
  });

  it('has no earnings in dollars of a company that reports in another currency', () => {
    const values = { currency: 'TWD', revenue: 5, epsDiluted: 2, eps: 2, sharesDiluted: 1 };
    const statements = [year('2024-12-31', '2025-02-01', values)];
    expect(figuresOf({ statements }, ['isInDollars', 'revenue', 'eps', 'epsDiluted'])).toEqual([
      ['2025-02-01', 0, 5, 2, Number.NaN],
    ]);
  });

  it('up to a moment follows from the filings up to it alone', () => {
    const random = seededRandom(7);
    const all = randomFilings(random);
    const whole = companyHistory(all, SPLITS);
    expect(whole.length).toBeGreaterThan(20);
    for (const { filedAt: momentMs } of all.statements.slice(0, 20)) {
      const known = <T extends { filedAt: number }>(rows: readonly T[]) =>
        rows.filter(({ filedAt }) => filedAt <= momentMs);
      const then = {
        counts: known(all.counts),
        statements: known(all.statements),
        balances: known(all.balances),
        cashFlows: known(all.cashFlows),
      };
      expect(companyHistory(then, SPLITS)).toEqual(
        whole.filter(({ knownMs }) => knownMs <= momentMs),
      );
    }
  });

  it('is the one that all rows known by each moment give', () => {
    const random = seededRandom(11);
    let sums = 0;
    for (let i = 0; i < scaled(12, 500); i++) {
      const filings = randomFilings(random);
      const splits = i % 2 === 0 ? SPLITS : [];
      const trailing = trailingStatements(filings.statements, splits);
      expect(trailing).toEqual(plainTrailing(filings.statements, splits));
      expect(companyHistory(filings, splits)).toEqual(plainHistory(filings, splits));
      sums += trailing.length;
    }
    expect(sums).toBeGreaterThan(300);
  });
});
