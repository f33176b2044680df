import { describe, expect, it } from 'vitest';
import type { Basis, Dividend, Split } from '../../../src/base/bars.ts';
import { dividendYield } from '../../../src/compute/companies/dividend-yield.ts';
import { markedFacts, unlikelyDividends } from '../../../src/compute/quality/unlikely-dividends.ts';

const FIRST_DAY = 19_800;
const DAYS = Int32Array.of(0, 1, 2, 3, 4, 5).map((day) => FIRST_DAY + day);

function barsOf(closes: number[]) {
  const close = Float64Array.from(closes);
  const timestampUs = BigInt64Array.from(DAYS, (day) => BigInt(day) * 86_400_000_000n);
  return { timestampUs, open: close, high: close, low: close, close, volume: close };
}

/** Ex-dates of unlikely dividends, from the first day on. */
function unlikelyOf(
  closes: number[],
  dividends: [number, number][],
  { basis = 'raw', splits = [] }: { basis?: Basis; splits?: Split[] } = {},
) {
  const paid = dividends.map(([day, amount]): Dividend => ({ exDay: FIRST_DAY + day, amount }));
  const source = { basis, splits, dividends: paid };
  return unlikelyDividends(barsOf(closes), DAYS, source).map(({ dividend, value, expected }) => [
    dividend.exDay - FIRST_DAY,
    value,
    expected,
  ]);
}

describe('a dividend', () => {
  // A yield of 138 % was served.
  it('is unlikely if it is large and the price does not show it', () => {
    expect(unlikelyOf([50, 50, 49, 49, 49, 49], [[2, 69]])).toEqual([[2, 0.98, 0]]);
    expect(unlikelyOf([50, 50, 49, 49, 49, 49], [[2, 20]])).toEqual([[2, 0.98, 0.6]]);
    expect(unlikelyOf([50, 50, 52, 52, 52, 52], [[2, 10]])).toEqual([[2, 1.04, 0.8]]);
  });

  it('is likely if it is small, or the price falls by a quarter of it', () => {
    // Costco's 15 dollars at 660, and a fund that pays out nearly everything.
    expect(unlikelyOf([660, 660, 664, 664, 664, 664], [[2, 15]])).toEqual([]);
    expect(unlikelyOf([10, 10, 0.6, 0.6, 0.6, 0.6], [[2, 9.5]])).toEqual([]);
    expect(unlikelyOf([50, 50, 43, 43, 43, 43], [[2, 20]])).toEqual([]);
  });

  it('may fall a day before or after its stated ex-date', () => {
    expect(unlikelyOf([50, 50, 50, 30, 30, 30], [[2, 20]])).toEqual([]);
    expect(unlikelyOf([50, 50, 30, 30, 30, 30], [[3, 20]])).toEqual([]);
  });

  it('is compared on the basis of its day', () => {
    const splits = [{ exDay: FIRST_DAY + 4, numerator: 4, denominator: 1 }];
    // 60 of 200 as declared is 15 of 50 on the split basis.
    expect(unlikelyOf([50, 50, 35, 35, 35, 35], [[2, 60]], { basis: 'split', splits })).toEqual([]);
    expect(unlikelyOf([200, 200, 200, 200, 50, 50], [[2, 60]], { splits })).toHaveLength(1);
    expect(unlikelyOf([200, 200, 200, 200, 50, 50], [[4, 20]], { splits })).toHaveLength(1);
    expect(unlikelyOf([200, 200, 200, 200, 35, 35], [[4, 15]], { splits })).toEqual([]);
    expect(unlikelyOf([50, 50, 50, 50, 50, 50], [[2, 20]], { basis: 'all' })).toEqual([]);
  });

  it('is in no yield if it is unlikely', () => {
    const dividends = [
      { exDay: FIRST_DAY + 1, amount: 0.5 },
      { exDay: FIRST_DAY + 2, amount: 69 },
    ];
    const actionCoverage = { fromDay: 0, toDay: 99_999 };
    const facts = { basis: 'raw' as const, splits: [], dividends, actionCoverage };
    const marked = markedFacts(barsOf([50, 50, 50, 50, 50, 50]), facts);
    expect(marked.dividends).toEqual([dividends[0], { ...dividends[1], isUnlikely: true }]);
    expect(dividendYield(marked, FIRST_DAY + 5, 50)).toBe(0.01);
  });
});
