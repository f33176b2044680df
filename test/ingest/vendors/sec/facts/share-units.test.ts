/** Counts in thousands, counts multiplied twice, and placeholders of cover pages. */

import { describe, expect, it } from 'vitest';
import { income, rowsOf } from '../support/facts-json.ts';

const COVER = 'dei:EntityCommonStockSharesOutstanding';
const MEAN = 'WeightedAverageNumberOfDilutedSharesOutstanding';

function countsOf(lines: Record<string, number>, cover: number) {
  const facts = [
    ...income('2024-01-01', '2024-12-31', { Revenues: 1e9, NetIncomeLoss: 2e8, ...lines }),
    { concept: COVER, unit: 'shares', end: '2025-01-31', val: cover },
  ];
  const { shares } = rowsOf([{ filed: '2025-02-20', facts }]);
  const countOf = (kind: string) => shares.find((row) => row.kind === kind)?.shares;
  return [countOf('cover'), countOf('weighted')];
}

describe('counts of shares', () => {
  const earned = { EarningsPerShareDiluted: 2 };

  it.each([1e-6, 1e-3, 1, 1e3, 1e6])('are single shares where a filing has %s of each', (unit) => {
    const counts = countsOf({ ...earned, [MEAN]: 1e8 * unit }, 1.02e8 * unit);
    expect(counts.map((count) => Math.round(Number(count)))).toEqual([1.02e8, 1e8]);
  });

  it.each([1e-3, 1e3, 1e6])('of a cover follow the weighted mean, %s times', (unit) => {
    expect(countsOf({ [MEAN]: 1e8 }, 1.02e8 * unit)).toEqual([1.02e8, 1e8]);
  });

  it.each([1, 100, 1000])('leave out a cover of %s, which is a placeholder', (cover) => {
    expect(countsOf({ ...earned, [MEAN]: 1e8 }, cover)).toEqual([undefined, 1e8]);
    expect(countsOf({ [MEAN]: 1e8 }, cover)).toEqual([undefined, 1e8]);
  });

  it.each([1, 100, 1000])('leave out a cover of %s where nothing else is counted', (cover) => {
    expect(countsOf({}, cover)).toEqual([undefined, undefined]);
  });

  it.each([1e-3, 1e3, 1e6])('of a weighted mean follow a usual cover, %s times', (unit) => {
    expect(countsOf({ [MEAN]: 1e8 * unit }, 1.02e8)).toEqual([1.02e8, 1e8]);
  });

  it('are left out where two unusual ones contradict each other', () => {
    expect(countsOf({ [MEAN]: 1e5 }, 1e11)).toEqual([undefined, undefined]);
  });

  it('follow a loss per share without its minus', () => {
    const loss = { NetIncomeLoss: -2e8, EarningsPerShareDiluted: 2 };
    expect(countsOf({ ...loss, [MEAN]: 1e11 }, 1.02e8)).toEqual([1.02e8, 1e8]);
  });

  it('go before earnings per share in another unit, which are left out', () => {
    const scaled = { EarningsPerShareDiluted: 2000, [MEAN]: 1e8 };
    expect(countsOf(scaled, 1.02e8)).toEqual([1.02e8, 1e8]);
    // Berkshire Hathaway has few shares that earn much.
    const few = { EarningsPerShareDiluted: 40_000, NetIncomeLoss: 6e10, [MEAN]: 1.5e6 };
    expect(countsOf(few, 1.4e6)).toEqual([1.4e6, 1.5e6]);
  });

  it('follow the earnings of the filing nearest in time', () => {
    const filing = (year: number, lines: Record<string, number>) => ({
      filed: `${year + 1}-02-20`,
      facts: income(`${year}-01-01`, `${year}-12-31`, { Revenues: 1e9, ...lines }),
    });
    const { shares } = rowsOf([
      filing(2023, { NetIncomeLoss: 2e8, ...earned, [MEAN]: 1e8 }),
      filing(2024, { NetIncomeLoss: 2e8, [MEAN]: 1e11 }),
    ]);
    expect(shares.map((row) => row.shares)).toEqual([1e8, 1e8]);
  });

  it('are not changed by a later filing where an earlier one is known', () => {
    const filing = (filed: string, lines: Record<string, number>) => ({
      filed,
      facts: income('2023-01-01', '2023-12-31', { Revenues: 1e9, NetIncomeLoss: 2e8, ...lines }),
    });
    const before = [
      filing('2024-02-20', { ...earned, [MEAN]: 1e8 }),
      filing('2024-12-01', { [MEAN]: 1e11 }),
    ];
    // Shares of a thousandth after a split in reverse, and the earnings that fit them.
    const later = filing('2025-01-10', { EarningsPerShareDiluted: 2000, [MEAN]: 1e5 });
    const counts = (filings: typeof before) => rowsOf(filings).shares.map((row) => row.shares);
    const known = counts(before);
    expect(counts([...before, later]).slice(0, known.length)).toEqual(known);
  });

  it.each([
    ['a cover of millions too many, three times the mean as after a listing', 1e8, 3e14],
    ['a placeholder of five', 1e8, 5],
    ['a cover of billions', 1e8, 0.1],
  ])('leave out %s', (_, mean, cover) => {
    expect(countsOf({ ...earned, [MEAN]: mean }, cover)).toEqual([undefined, mean]);
  });

  it('leave out more than any company has, of one kind or of all', () => {
    expect(countsOf({ [MEAN]: 1e14 }, 1.02e14)).toEqual([undefined, undefined]);
    expect(countsOf({}, 1e14)).toEqual([undefined, undefined]);
  });

  it('leave out so few that each would earn 2,000, where no earnings per share are stated', () => {
    expect(countsOf({ [MEAN]: 1e5 }, 1.02e5)).toEqual([undefined, undefined]);
    expect(countsOf({ NetIncomeLoss: 2e5, [MEAN]: 1e5 }, 1.02e5)).toEqual([1.02e5, 1e5]);
  });

  it('agree against earnings that preferred dividends take', () => {
    const taken = { NetIncomeLoss: 1e5, EarningsPerShareDiluted: -0.5 };
    expect(countsOf({ ...taken, [MEAN]: 1e8 }, 1.02e8)).toEqual([1.02e8, 1e8]);
  });

  it('keep a small count of a company with few shares', () => {
    expect(countsOf({ NetIncomeLoss: 2e5, [MEAN]: 900 }, 1000)).toEqual([1000, 900]);
  });
});
