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

  it('keep a small count of a company with few shares', () => {
    expect(countsOf({ [MEAN]: 900 }, 1000)).toEqual([1000, 900]);
  });
});
