import { describe, expect, it } from 'vitest';
import type { Split } from '../../../src/base/bars.ts';
import { dayFromDate } from '../../../src/base/time/dates.ts';
import {
  type CompanyFacts,
  declaredYield,
  marketCap,
  newestFacts,
  peRatio,
} from '../../../src/compute/companies/company-facts.ts';
import { companyHistory, type ShareRow } from '../../../src/compute/companies/company-history.ts';
import type { StatementRow } from '../../../src/compute/companies/trailing-statements.ts';

const day = dayFromDate;
const NOTHING: CompanyFacts = {
  shares: null,
  sharesDay: null,
  epsDiluted: null,
  epsDay: null,
  dividends: null,
  dividendsDay: null,
};

function companyFacts(
  counts: readonly ShareRow[],
  statements: readonly StatementRow[],
  splits: readonly Split[],
): CompanyFacts {
  return newestFacts(companyHistory({ counts, statements, balances: [], cashFlows: [] }, splits));
}

function count(kind: ShareRow['kind'], date: string, shares: number, filed = date): ShareRow {
  return { symbol: 'A', date: day(date), filedAt: Date.parse(filed), kind, shares };
}

function year(date: string, filed: string, values: Partial<StatementRow>): StatementRow {
  return {
    ...({ symbol: 'A', period: 'annual', currency: null } as StatementRow),
    date: day(date),
    filedAt: Date.parse(filed),
    ...values,
  };
}

function split(exDate: string, numerator: number): Split {
  return { exDay: day(exDate), numerator, denominator: 1 };
}

describe('the count of shares', () => {
  it('is the newest of the cover page, else of the balance sheet, else the mean', () => {
    const mean = count('weighted', '2026-04-30', 3);
    const balance = count('balance', '2026-03-31', 2);
    const covers = [count('cover', '2026-01-20', 9), count('cover', '2026-04-20', 1)];
    const of = (...rows: ShareRow[]) => companyFacts(rows, [], []).shares;
    expect(of(mean, balance, ...covers)).toBe(1);
    expect(of(mean, balance)).toBe(2);
    expect(of(mean)).toBe(3);
    expect(of()).toBe(null);
  });

  it('of one day is the last one filed', () => {
    const first = count('cover', '2026-04-20', 1, '2026-04-25');
    const mended = count('cover', '2026-04-20', 2, '2026-05-25');
    expect(companyFacts([first, mended], [], []).shares).toBe(2);
  });

  it('is not one that the company has ceased to state', () => {
    const cover = count('cover', '2014-04-20', 1);
    const balance = count('balance', '2026-03-31', 2);
    expect(companyFacts([cover, balance], [], []).shares).toBe(2);
  });

  it('of a cover is on the basis of its day, of a statement on that of its filing', () => {
    const cover = count('cover', '2022-07-10', 1, '2022-07-26');
    const balance = count('balance', '2022-06-30', 1, '2022-07-26');
    expect(companyFacts([cover], [], []).sharesDay).toBe(day('2022-07-10'));
    expect(companyFacts([balance], [], []).sharesDay).toBe(day('2022-07-26'));
  });
});

describe('earnings per share', () => {
  it('are diluted ones of the newest twelve months, not of the newest filing', () => {
    const rows = [
      year('2025-12-31', '2026-02-01', { epsDiluted: 5 }),
      year('2024-12-31', '2026-03-01', { epsDiluted: 4 }),
    ];
    const facts = companyFacts([], rows, []);
    expect(facts).toEqual({ ...NOTHING, epsDiluted: 5, epsDay: day('2026-02-01') });
  });

  it('in another currency than the price are unknown', () => {
    const rows = [year('2025-12-31', '2026-02-01', { epsDiluted: 5, currency: 'TWD' })];
    expect(companyFacts([], rows, [])).toEqual(NOTHING);
  });
});

describe('market cap', () => {
  const facts = { ...NOTHING, shares: 600, sharesDay: day('2022-04-20') };

  it('is price × shares', () => {
    expect(marketCap(facts, [], 2, day('2022-05-02'))).toBe(1200);
  });

  it('takes the splits between the count and the price: GOOGL, twenty for one', () => {
    const splits = [split('2014-04-03', 2), split('2022-07-18', 20)];
    expect(marketCap(facts, splits, 2000, day('2022-07-15'))).toBe(1_200_000);
    expect(marketCap(facts, splits, 100, day('2022-07-18'))).toBe(1_200_000);
  });

  it('of a price from before a split takes the split back', () => {
    // Bars may end before the newest filing does.
    const after = { ...facts, shares: 12_000, sharesDay: day('2022-07-20') };
    const splits = [split('2014-04-03', 2), split('2022-07-18', 20)];
    expect(marketCap(after, splits, 2240, day('2022-07-15'))).toBe(2240 * 600);
  });

  it('is unknown if the price is from years before the count: GOOGL, last bar of 2017', () => {
    const facts = { ...NOTHING, shares: 12e9, sharesDay: day('2026-07-20') };
    expect(marketCap(facts, [], 1040, day('2017-11-10'))).toBeNaN();
    expect(marketCap(facts, [], 100, day('2025-06-14'))).toBeNaN();
    expect(marketCap(facts, [], 100, day('2025-06-16'))).toBe(12e11);
  });

  it('is unknown without shares', () => {
    expect(marketCap(NOTHING, [], 2, day('2022-05-02'))).toBeNaN();
  });
});

describe('the price-earnings ratio', () => {
  const facts = { ...NOTHING, epsDiluted: 20, epsDay: day('2024-05-29') };

  it('takes the splits between the filing and the price: NVDA, ten for one', () => {
    const splits = [split('2024-06-10', 10)];
    expect(peRatio(facts, splits, 1200, day('2024-06-07'))).toBe(60);
    expect(peRatio(facts, splits, 120, day('2024-06-10'))).toBe(60);
  });

  it('is unknown if the price is from years before the filing, or behind it', () => {
    expect(peRatio(facts, [], 10, day('2023-04-24'))).toBeNaN();
    expect(peRatio(facts, [], 10, day('2023-05-01'))).toBe(0.5);
    expect(peRatio(facts, [], 10, day('2025-07-03'))).toBe(0.5);
    expect(peRatio(facts, [], 10, day('2025-07-04'))).toBeNaN();
  });

  it('is unknown without earnings, with none and with a loss', () => {
    for (const epsDiluted of [null, 0, -1]) {
      expect(peRatio({ ...facts, epsDiluted }, [], 10, day('2024-06-07'))).toBeNaN();
    }
  });
});

describe('the yield by what companies declare', () => {
  const quarter = (date: string, filed: string, values: Partial<StatementRow>): StatementRow => ({
    ...year(date, filed, values),
    period: 'quarterly',
  });
  const yieldOf = (rows: StatementRow[], splits: Split[] = [], on = '2026-03-02') =>
    declaredYield(companyFacts([], rows, splits), splits, 50, day(on));

  it('is that of the year, or of four quarters some of which have a dividend', () => {
    expect(yieldOf([year('2025-12-31', '2026-02-01', { dividendsPerShare: 2 })])).toBe(0.04);
    const quarters = [
      quarter('2025-03-31', '2025-05-01', { dividendsPerShare: 0.5 }),
      quarter('2025-06-30', '2025-08-01', { dividendsPerShare: null }),
      quarter('2025-09-30', '2025-11-01', { dividendsPerShare: 0.75 }),
      quarter('2025-12-31', '2026-02-01', { dividendsPerShare: null }),
    ];
    expect(yieldOf(quarters)).toBe(0.025);
    expect(yieldOf(quarters.slice(1))).toBeNaN();
  });

  it('is on the split basis of the price', () => {
    const before = year('2025-12-31', '2026-02-01', { dividendsPerShare: 20 });
    expect(yieldOf([before], [split('2026-02-20', 10)])).toBe(0.04);
    expect(yieldOf([before], [split('2026-03-20', 10)])).toBe(0.4);
  });

  it('is unknown without dividends, of another currency, and years from the filing', () => {
    const said = { dividendsPerShare: 2 };
    expect(yieldOf([year('2025-12-31', '2026-02-01', {})])).toBeNaN();
    expect(yieldOf([year('2025-12-31', '2026-02-01', { ...said, currency: 'EUR' })])).toBeNaN();
    expect(yieldOf([year('2025-12-31', '2026-02-01', said)], [], '2027-06-01')).toBeNaN();
    expect(yieldOf([year('2025-12-31', '2026-02-01', said)], [], '2024-06-01')).toBeNaN();
  });
});
