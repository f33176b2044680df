import { describe, expect, it } from 'vitest';
import type { ScreenerColumns } from '../../../src/compute/screener/filters.ts';
import {
  matchingRows,
  type ScreenerConditions,
  screenerFilters,
} from '../../../src/compute/screener/filters.ts';

const NONE = new Float64Array(4).fill(Number.NaN);
const CODES = new Uint16Array(4);

const COLUMNS: ScreenerColumns = {
  price: Float64Array.of(10, 20, 30, Number.NaN),
  changePct: NONE,
  volume: NONE,
  rsi14: NONE,
  marketCap: NONE,
  peRatio: NONE,
  dividendYield: NONE,
  sector: Uint16Array.of(1, 2, 2, 0),
  industry: CODES,
  country: CODES,
  exchange: CODES,
  lastBarDay: Int32Array.of(5, 6, 7, 8),
};

const TEXTS = {
  sector: [null, 'Energy', 'Technology'],
  industry: [null],
  country: [null],
  exchange: [null],
};

function rowsOf(conditions: Partial<ScreenerConditions>): number[] {
  const all = { ranges: [], texts: [], activeSinceDay: undefined, ...conditions };
  return [...matchingRows(COLUMNS, screenerFilters(all, TEXTS))];
}

describe('conditions of a screen', () => {
  it('match every row if there are none', () => {
    expect(rowsOf({})).toEqual([0, 1, 2, 3]);
  });

  it('include their bounds, and match no null', () => {
    const price = (min: number, max: number) => rowsOf({ ranges: [{ column: 'price', min, max }] });
    expect(price(20, Number.POSITIVE_INFINITY)).toEqual([1, 2]);
    expect(price(Number.NEGATIVE_INFINITY, 20)).toEqual([0, 1]);
    expect(price(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY)).toEqual([0, 1, 2]);
  });

  it('match any of several texts in any case, and nothing for an unknown text', () => {
    const sector = (...accepted: string[]) => rowsOf({ texts: [{ column: 'sector', accepted }] });
    expect(sector('technology')).toEqual([1, 2]);
    expect(sector('energy', 'technology')).toEqual([0, 1, 2]);
    expect(sector('utilities')).toEqual([]);
  });

  it('must all hold', () => {
    expect(
      rowsOf({
        ranges: [{ column: 'price', min: 15, max: 40 }],
        texts: [{ column: 'sector', accepted: ['technology'] }],
        activeSinceDay: 7,
      }),
    ).toEqual([2]);
  });
});
