/** Companies with classes of stock whose figures per share are of one of them, or of all. */

import { describe, expect, it } from 'vitest';
import { FIGURE_NAMES } from '../../../src/base/companies/figures.ts';
import { companyHistory, type ShareRow } from '../../../src/compute/companies/company-history.ts';
import { type ClassFigures, isOfFigures } from '../../../src/compute/companies/share-classes.ts';
import type { StatementRow } from '../../../src/compute/companies/trailing-statements.ts';

/** Figures of a million shares that earn 5 dollars each and have a book value of 50. */
const FIGURES = {
  ...{ adsRatio: Number.NaN, isCounted: 0, isInDollars: 1 },
  ...{ eps: 5, netIncome: 5e6, shares: 1e6, totalEquity: 5e7 },
};
const COUNTED = { isCounted: 1 };

/** @param prices By symbol; NaN for a class without a price. */
function proved(prices: Record<string, number>, figures: Partial<ClassFigures> = {}): string {
  const classes = Object.entries(prices).map(([symbol, price]) => ({ symbol, price, day: 20_000 }));
  return classes
    .filter(({ price }) => price > 0)
    .filter((own) => {
      const others = classes.filter((one) => one !== own);
      return isOfFigures({ ...FIGURES, ...figures }, own, others);
    })
    .map(({ symbol }) => symbol)
    .join(' ');
}

describe('figures per share are of', () => {
  it.each([
    ['one class without a symbol of a class', { V: 300 }, {}, 'V'],
    ['classes at one price', { GOOG: 100, GOOGL: 101 }, {}, 'GOOG GOOGL'],
    ['a class without votes, at a discount', { HEI: 100, 'HEI.A': 78 }, {}, 'HEI HEI.A'],
    ['three classes at like prices', { LA: 30, LB: 33, LK: 31 }, {}, 'LA LB LK'],
    [
      'the dear class, whose book value fits',
      { 'K.A': 90_000, 'K.B': 60 },
      { eps: 4000, netIncome: 4e9, totalEquity: 4e10 },
      'K.A',
    ],
    ['the cheap class, whose book value fits', { 'K.A': 90_000, 'K.B': 60 }, {}, 'K.B'],
    ['no class, if one is five times the other', { BH: 100, 'BH.A': 500 }, {}, ''],
    [
      'no class, if one is five times the other and counts agree',
      { BH: 100, 'BH.A': 500 },
      COUNTED,
      '',
    ],
    ['no class of stocks that track several businesses', { FWON: 70, LSXM: 25, LLYV: 40 }, {}, ''],
    ['no class, without a price of each', { 'K.A': 90, 'K.B': Number.NaN }, {}, ''],
    [
      'classes whose counts agree, without a price of each',
      { G: 90, GL: Number.NaN },
      COUNTED,
      'G',
    ],
    [
      'no class that no book value allows, whatever is counted',
      { 'K.B': 0.04, 'K.A': Number.NaN },
      COUNTED,
      '',
    ],
    ['no single class of a symbol with a class', { 'K.B': 60 }, {}, ''],
    ['a single class of a symbol with a class, if counts agree', { 'BF.B': 60 }, COUNTED, 'BF.B'],
    [
      'no single class whose share earns thousands',
      { KB: 60 },
      { eps: 37_000, netIncome: 8e10 },
      '',
    ],
    ['a dear share that the cover page counts', { NVR: 8000 }, { ...COUNTED, eps: 1400 }, 'NVR'],
    [
      'classes with a stated number of shares',
      { 'K.A': 90_000, 'K.B': 60 },
      { adsRatio: 1 },
      'K.A K.B',
    ],
    [
      'no class in another currency, if prices differ',
      { 'K.A': 90_000, 'K.B': 60 },
      { isInDollars: 0 },
      '',
    ],
    [
      'no class without equity, if prices differ',
      { 'K.A': 90_000, 'K.B': 60 },
      { totalEquity: -5 },
      '',
    ],
  ])('%s', (_, prices, figures, expected) => {
    expect(proved(prices as Record<string, number>, figures)).toBe(expected);
  });

  it('no class beside one whose last price is older', () => {
    const own = { symbol: 'K.A', price: 60, day: 20_000 };
    expect(isOfFigures(FIGURES, own, [{ symbol: 'K.B', price: 60, day: 19_900 }])).toBe(false);
    expect(isOfFigures(FIGURES, own, [{ symbol: 'K.B', price: 60, day: 19_993 }])).toBe(true);
  });
});

describe('a count of shares', () => {
  const filedAt = Date.parse('2026-02-01');
  const day = Math.floor(filedAt / 86_400_000);
  const statement = { symbol: 'A', period: 'annual', currency: null, date: day - 40, filedAt };
  const counted = (kind: ShareRow['kind'], shares: number) => {
    const row = Object.fromEntries(FIGURE_NAMES.map((name) => [name, null]));
    const statements = [
      { ...row, ...statement, eps: 2, netIncome: 2000 } as unknown as StatementRow,
    ];
    const counts = [{ symbol: 'A', date: day, filedAt, kind, shares }];
    const history = companyHistory({ counts, statements, balances: [], cashFlows: [] }, []);
    return history.at(-1)!.figures.isCounted;
  };

  it('of a cover page or balance sheet is compared with income over earnings per share', () => {
    expect(counted('cover', 1100)).toBe(1);
    expect(counted('balance', 900)).toBe(1);
    expect(counted('weighted', 1000)).toBe(0);
    expect(counted('cover', 1600)).toBe(0);
    expect(counted('cover', 600)).toBe(0);
  });
});
