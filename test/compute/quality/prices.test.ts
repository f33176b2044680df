import { describe, expect, it } from 'vitest';
import type { BarColumns, Split } from '../../../src/base/bars.ts';
import { limits } from '../../../src/base/limits.ts';
import {
  mayHavePriceFlags,
  priceJumps,
  repeatedBars,
  strayPrices,
  unchangedRuns,
} from '../../../src/compute/quality/prices.ts';
import { qualityFlags } from '../../../src/compute/quality/quality.ts';
import { seededRandom } from '../support/hostile-series.ts';
import { quietSeries, scaledRows } from '../support/quality-series.ts';

const daysOf = ({ timestampUs }: BarColumns) =>
  Int32Array.from(timestampUs, (us) => Number(us / 86_400_000_000n));

function jumps(bars: BarColumns, splits: Split[] = []): string[] {
  return priceJumps(bars, daysOf(bars), splits).map(({ row, flag, expected }) =>
    [row, flag, Number(expected.toPrecision(3))].join(' '),
  );
}

const quiet = quietSeries(300);
const splitOn = (row: number, numerator: number, denominator = 1): Split => ({
  exDay: daysOf(quiet)[row],
  numerator,
  denominator,
});

describe('priceJumps', () => {
  it('takes a jump to an n-th with n times the volume for a split', () => {
    for (const times of [1.5, 2, 3, 4, 5, 10, 20, 100]) {
      const bars = scaledRows(quiet, 100, 300, { price: 1 / times, volume: times });
      expect(jumps(bars)).toEqual([`100 missing-split ${Number((1 / times).toPrecision(3))}`]);
    }
  });

  it('takes a jump to n times the price with an n-th of the volume for a reverse split', () => {
    for (const times of [1.5, 2, 5, 10, 50]) {
      const bars = scaledRows(quiet, 100, 300, { price: times, volume: 1 / times });
      expect(jumps(bars)).toEqual([`100 missing-split ${times}`]);
    }
  });

  it('takes a fall by half on ten times the volume for news', () => {
    const fallen = scaledRows(quiet, 100, 300, { price: 0.5 });
    expect(jumps(scaledRows(fallen, 100, 104, { volume: 10 }))).toEqual([]);
    // Also when the days after are quieter, so that only the first shows it.
    const once = scaledRows(fallen, 100, 101, { volume: 10 });
    expect(jumps(scaledRows(once, 101, 300, { volume: 2 }))).toEqual([]);
  });

  it('takes 3:2 for a move of trading where volume stays, or other moves are as large', () => {
    const split = scaledRows(quiet, 100, 300, { price: 2 / 3, volume: 1.5 });
    expect(jumps(scaledRows(quiet, 100, 300, { price: 2 / 3 }))).toEqual([]);
    expect(jumps(scaledRows(split, 105, 300, { price: 1.3 }))).toEqual([]);
    expect(jumps(scaledRows(split, 140, 300, { price: 1.3 }))).toEqual(['100 missing-split 0.667']);
  });

  it('says nothing of moves that no integer explains', () => {
    for (const price of [0.72, 0.4, 1.6, 2.4]) {
      expect(jumps(scaledRows(quiet, 100, 300, { price, volume: 1 / price }))).toEqual([]);
    }
  });

  it('takes the ratio of a declared split nearby for it, whatever the volume does', () => {
    const bars = scaledRows(quiet, 100, 300, { price: 2 / 3, volume: 0 });
    expect(jumps(bars, [splitOn(110, 3, 2)])).toEqual(['100 missing-split 0.667']);
    expect(jumps(bars, [splitOn(90, 2, 3)])).toEqual(['100 doubled-split 0.667']);
    expect(jumps(bars, [splitOn(200, 3, 2)])).toEqual([]);
  });

  it('finds both edges of bars in other units', () => {
    expect(jumps(scaledRows(quiet, 100, 130, { price: 100 }))).toEqual([
      '100 unit-jump 100',
      '130 unit-jump 0.01',
    ]);
    expect(jumps(scaledRows(quiet, 100, 101, { price: 0.1 }))).toEqual([
      '100 unit-jump 0.1',
      '101 unit-jump 10',
    ]);
  });

  it('finds a single wrong price in a bar whose close is sound', () => {
    const low = quiet.low.slice();
    low[100] /= 100;
    expect(jumps({ ...quiet, low })).toEqual(['100 unit-jump 0.01']);
  });

  it('passes over bars without a price', () => {
    const gap = scaledRows(quiet, 100, 101, { price: Number.NaN });
    expect(jumps(gap)).toEqual([]);
  });

  // Ingest refuses such rows; here they must not pass for a split of any ratio.
  it('takes prices of zero for wrong ones', () => {
    const zeros = scaledRows(quiet, 100, 101, { price: 0 });
    expect(jumps(zeros)).toEqual(['100 unit-jump 0', '101 unit-jump Infinity']);
  });
});

const UNKNOWN = { basis: 'all', splits: [], dividends: [] } as const;
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
    expect(strayPrices(scaledRows(quiet, 100, 300, { price: 1 / 5 }))).toEqual([]);
    expect(strayPrices(scaledRows(quiet, 100, 102, { price: 5 }))).toEqual([]);
  });

  it('leaves moves within a factor of three alone', () => {
    const low = quiet.low.slice();
    low[100] = quiet.close[99] / 2.8;
    expect(strayPrices({ ...quiet, low })).toEqual([]);
  });

  it('waits for the bar after the newest one', () => {
    expect(strayPrices(scaledRows(quiet, 299, 300, { price: 5 }))).toEqual([]);
  });

  it('gives a bar beyond nine times one flag, as a change of units', () => {
    const low = quiet.low.slice();
    low[100] /= 100;
    expect(qualityFlags({ ...quiet, low }, UNKNOWN)).toMatchObject([
      { row: 100, flag: 'unit-jump' },
    ]);
  });
});

const least = limits.quality.unchangedBarsMin;

/** Row `start` repeated so that `count` bars are alike. */
function repeated(start: number, count: number) {
  const bars = quietSeries(100);
  for (const column of [bars.open, bars.high, bars.low, bars.close]) {
    column.fill(column[start], start, start + count);
  }
  return bars;
}

describe('unchangedRuns', () => {
  it('gives the first bar and the length of a run', () => {
    expect(unchangedRuns(repeated(20, least))).toEqual([
      { row: 20, flag: 'unchanged-run', value: least, expected: 1 },
    ]);
  });

  it('lets shorter runs pass', () => {
    expect(unchangedRuns(repeated(20, least - 1))).toEqual([]);
  });

  it('finds a run at the start and one that lasts to the end', () => {
    expect(unchangedRuns(repeated(0, 15)).map(({ row }) => row)).toEqual([0]);
    expect(unchangedRuns(repeated(70, 30))).toMatchObject([{ row: 70, value: 30 }]);
  });

  it('takes a bar with another high for a change', () => {
    const bars = repeated(20, least);
    bars.high[25] += 0.01;
    expect(unchangedRuns(bars)).toEqual([]);
  });
});

describe('isOutOfLine', () => {
  const copy = () => ({ ...scaledRows(quiet, 0, 300, {}) });
  const rowsOf = (bars: BarColumns) =>
    qualityFlags(bars, UNKNOWN).map(({ row, flag, value }) => [row, flag, value]);

  it.each([
    // A day that was exchanged with one 40 sessions away has such prices.
    ['a whole bar above', { price: 1.08 }, ['open', 'high', 'low', 'close'], 'high'],
    ['a whole bar below', { price: 0.92 }, ['open', 'high', 'low', 'close'], 'low'],
    ['an open', { price: 1.4 }, ['open', 'high'], 'high'],
    ['a close', { price: 0.7 }, ['low', 'close'], 'low'],
  ] as const)('finds %s', (_, factor, wrong, shown) => {
    const [bars, moved] = [copy(), scaledRows(quiet, 100, 101, factor)];
    for (const name of wrong) bars[name] = moved[name];
    expect(rowsOf(bars)).toEqual([[100, 'out-of-line', bars[shown][100] / bars.close[99]]]);
  });

  it('leaves a price that stays, one that others share, and usual steps alone', () => {
    expect(rowsOf(scaledRows(quiet, 100, 300, { price: 1.2 }))).toEqual([]);
    expect(rowsOf(scaledRows(quiet, 100, 101, { price: 1.04 }))).toEqual([]);
    const wild = copy();
    for (let row = 80; row < 120; row += 10) wild.open[row] *= row % 20 ? 1.39 : 1 / 1.39;
    const rows = rowsOf({
      ...wild,
      high: wild.high.map((p, i) => Math.max(p, wild.open[i])),
      low: wild.low.map((p, i) => Math.min(p, wild.open[i])),
    });
    expect(rows).toEqual([]);
    expect(rowsOf(scaledRows(quiet, 299, 300, { price: 1.2 }))).toEqual([]);
  });
});

describe('mayHavePriceFlags', () => {
  it('is true for every series with a flag', () => {
    const random = seededRandom(41);
    let flagged = 0;
    for (let i = 0; i < 3000; i++) {
      const price = [1.39, 1.4, 1.41, 2.99, 3, 3.01, 8.9, 9, 10][i % 9] ** (i % 2 ? 1 : -1);
      const [from, to] = [100, i % 3 ? 101 : 300];
      const bars = scaledRows(quiet, from, to, { price, volume: random() < 0.5 ? 1 / price : 1 });
      if (i % 5 === 0) bars.high[200] = bars.close[199] * (2.9 + random() * 0.2);
      if (i % 7 === 0) bars.low[200] = bars.close[201] / (2.9 + random() * 0.2);
      const flags = [...priceJumps(bars, daysOf(bars), []), ...strayPrices(bars)];
      if (flags.length > 0) {
        flagged++;
        expect(mayHavePriceFlags(bars)).toBe(true);
      }
    }
    expect(flagged).toBeGreaterThan(300);
    expect(mayHavePriceFlags(quiet)).toBe(false);
  });
});

describe('repeatedBars', () => {
  /** Rows from `start` on with the values of `back` rows before. */
  function shifted(start: number, back: number, shares: number) {
    const bars = quietSeries(60);
    bars.volume.forEach((_, row) => {
      bars.volume[row] = shares + row;
    });
    for (const column of [bars.open, bars.high, bars.low, bars.close, bars.volume]) {
      column.copyWithin(start, start - back, start - back + 8);
    }
    return bars;
  }

  it('gives the rows of a moved block that have values of rows before', () => {
    expect(repeatedBars(shifted(30, 2, 5000))).toEqual([
      { row: 30, flag: 'repeated-bar', value: 2, expected: 0 },
      { row: 31, flag: 'repeated-bar', value: 2, expected: 0 },
    ]);
  });

  it('gives the next bar with four different prices, whatever its volume', () => {
    const bars = shifted(30, 1, 5000);
    bars.volume[30]++;
    const setRow = (row: number, [open, high, low, close]: number[]) =>
      Object.assign(bars.open, { [row]: open }) &&
      Object.assign(bars.high, { [row]: high }) &&
      Object.assign(bars.low, { [row]: low }) &&
      Object.assign(bars.close, { [row]: close });
    for (const row of [29, 30]) setRow(row, [50, 50.2, 49.9, 50.1]);
    expect(repeatedBars(bars)).toMatchObject([{ row: 30, value: 1 }]);
    for (const row of [29, 30]) setRow(row, [50, 50.2, 50, 50.1]);
    expect(repeatedBars(bars)).toEqual([]);
  });

  it('takes equal bars of few shares, and of more than a week before, for chance', () => {
    expect(repeatedBars(shifted(30, 2, 900))).toEqual([]);
    expect(repeatedBars(shifted(30, 6, 5000))).toEqual([]);
  });
});
