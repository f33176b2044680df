import { describe, expect, it } from 'vitest';
import { qualityFlags } from '../../../src/compute/quality/quality.ts';
import { strayPrices } from '../../../src/compute/quality/stray-prices.ts';
import { quietSeries, scaledRows } from '../support/quality-series.ts';

const UNKNOWN = { basis: 'all', splits: [], dividends: [] } as const;
const quiet = quietSeries(200);

describe('strayPrices', () => {
  // XOP on 2012-08-27: a low of 5.56 between lows of 49.6 and 49.8, below every bound of a jump.
  it('finds a low that is a fifth or a ninth of the closes before and after', () => {
    for (const times of [3.2, 5, 8.9]) {
      const low = quiet.low.slice();
      low[100] /= times;
      expect(qualityFlags({ ...quiet, low }, UNKNOWN)).toEqual([
        { row: 100, flag: 'stray-price', value: low[100] / quiet.close[99], expected: 1 },
      ]);
    }
  });

  it('finds a high alike, and a whole bar that returns at once', () => {
    const high = quiet.high.slice();
    high[100] *= 5;
    expect(strayPrices({ ...quiet, high })).toMatchObject([{ row: 100, flag: 'stray-price' }]);
    const bar = scaledRows(quiet, 100, 101, { price: 5 });
    expect(strayPrices(bar)).toMatchObject([{ row: 100, flag: 'stray-price' }]);
  });

  it('leaves prices alone that stay where they went', () => {
    expect(strayPrices(scaledRows(quiet, 100, 200, { price: 1 / 5 }))).toEqual([]);
    expect(strayPrices(scaledRows(quiet, 100, 102, { price: 5 }))).toEqual([]);
  });

  it('leaves moves within a factor of three alone', () => {
    const low = quiet.low.slice();
    low[100] = quiet.close[99] / 2.8;
    expect(strayPrices({ ...quiet, low })).toEqual([]);
  });

  it('waits for the bar after the newest one', () => {
    expect(strayPrices(scaledRows(quiet, 199, 200, { price: 5 }))).toEqual([]);
  });

  it('gives a bar beyond nine times one flag, as a change of units', () => {
    const low = quiet.low.slice();
    low[100] /= 100;
    expect(qualityFlags({ ...quiet, low }, UNKNOWN)).toMatchObject([
      { row: 100, flag: 'unit-jump' },
    ]);
  });
});
