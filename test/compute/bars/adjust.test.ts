import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { BarColumns, Dividend } from '../../../src/base/bars.ts';
import { dayFromDate } from '../../../src/base/time/dates.ts';
import {
  adjustBars,
  type DerivableSource,
  defaultBasis,
  derivableBases,
  unusableDividend,
} from '../../../src/compute/bars/adjust.ts';
import { hasRealdata, realdata } from '../../support/realdata.ts';

const microsFromDate = (date: string) => BigInt(dayFromDate(date)) * 86_400_000_000n;

/** Bars whose four prices are the close, with a volume of 1,000. */
function closes(byDate: Record<string, number>): BarColumns {
  const close = Float64Array.from(Object.values(byDate));
  return {
    timestampUs: BigInt64Array.from(Object.keys(byDate), microsFromDate),
    open: close,
    high: close,
    low: close,
    close,
    volume: new Float64Array(close.length).fill(1000),
  };
}

const split = (date: string, numerator: number, denominator: number) => ({
  exDay: dayFromDate(date),
  numerator,
  denominator,
});
const dividend = (date: string, amount: number): Dividend => ({ exDay: dayFromDate(date), amount });

const week = closes({
  '2026-11-16': 100,
  '2026-11-17': 102,
  '2026-11-18': 34,
  '2026-11-19': 33,
  '2026-11-20': 330,
});
const threeForOne = split('2026-11-18', 3, 1);
const oneForTen = split('2026-11-20', 1, 10);

describe('adjustBars for splits', () => {
  it('brings prices before a split to the newest basis, volume inversely', () => {
    const from = { basis: 'raw' as const, splits: [oneForTen, threeForOne], dividends: [] };
    const adjusted = adjustBars(week, from, 'split');
    expect(adjusted.close).toEqual(Float64Array.of(1000 / 3, 340, 340, 330, 330));
    expect(adjusted.volume).toEqual(Float64Array.of(300, 300, 100, 100, 1000));
    expect(adjusted.open).toEqual(adjusted.close);
    expect(adjusted.timestampUs).toBe(week.timestampUs);
  });

  it('takes the vendor’s split basis back to raw', () => {
    const splits = [threeForOne, oneForTen];
    const adjusted = adjustBars(week, { basis: 'raw', splits, dividends: [] }, 'split');
    const raw = adjustBars(adjusted, { basis: 'split', splits, dividends: [] }, 'raw');
    expect(raw.close).toEqual(week.close);
    expect(raw.volume).toEqual(week.volume);
  });

  it('gives the same columns back when nothing changes', () => {
    const none = { basis: 'raw' as const, splits: [], dividends: [] };
    expect(adjustBars(week, none, 'raw')).toBe(week);
    expect(adjustBars(week, none, 'split')).toBe(week);
    expect(adjustBars(week, none, 'all')).toBe(week);
    const early = { ...none, splits: [split('2026-11-16', 2, 1)] };
    expect(adjustBars(week, early, 'split')).toBe(week);
  });

  it('leaves out a split that has not happened yet, unless the vintage knows it', () => {
    const monday = split('2026-11-23', 2, 1);
    const from = { basis: 'raw' as const, splits: [monday], dividends: [] };
    expect(adjustBars(week, from, 'split')).toBe(week);
    const onSunday = { ...from, asOfUs: BigInt(Date.parse('2026-11-23T04:59:00Z')) * 1000n };
    expect(adjustBars(week, onSunday, 'split')).toBe(week);
    const onMonday = { ...from, asOfUs: BigInt(Date.parse('2026-11-23T05:01:00Z')) * 1000n };
    expect(adjustBars(week, onMonday, 'split').close[4]).toBe(165);
    const fileOfMonday = { ...from, asOfUs: microsFromDate('2026-11-23') };
    expect(adjustBars(week, fileOfMonday, 'split').close[4]).toBe(165);
  });

  it('refuses to undo dividends', () => {
    const from = { basis: 'all' as const, splits: [], dividends: [] };
    expect(() => adjustBars(week, from, 'raw')).toThrow(/cannot be brought/);
  });

  it('gives nothing for nothing', () => {
    const none = closes({});
    expect(adjustBars(none, { basis: 'raw', splits: [threeForOne], dividends: [] }, 'all')).toBe(
      none,
    );
  });
});

describe('adjustBars for dividends', () => {
  const flat = closes({ '2026-11-16': 50, '2026-11-17': 40, '2026-11-18': 39, '2026-11-19': 38 });
  const raw = { basis: 'raw' as const, splits: [] };

  it('lowers earlier prices by the share of the close before, and leaves their volume', () => {
    const dividends = [dividend('2026-11-18', 1)];
    const adjusted = adjustBars(flat, { ...raw, dividends }, 'all');
    expect(adjusted.close).toEqual(Float64Array.of(50 * 0.975, 40 * 0.975, 39, 38));
    expect(adjusted.volume).toEqual(flat.volume);
  });

  it('counts several dividends of one day together', () => {
    const dividends = [dividend('2026-11-18', 1), dividend('2026-11-18', 3)];
    expect(adjustBars(flat, { ...raw, dividends }, 'all').close[1]).toBe(36);
  });

  it('has no effect in another currency, unless the vendor states its factor', () => {
    const [known] = [dividend('2026-11-18', 1)];
    const foreign = { ...known, currency: 'KRW', amount: 361 };
    expect(adjustBars(flat, { ...raw, dividends: [foreign] }, 'all')).toBe(flat);
    const both = adjustBars(flat, { ...raw, dividends: [known, foreign] }, 'all');
    expect(both.close[1]).toBe(39);
    const stated = [{ ...foreign, factor: 0.9 }];
    expect(adjustBars(flat, { ...raw, dividends: stated }, 'all').close[1]).toBe(36);
  });

  it('has no effect without an earlier bar, in the future, or when it reaches the price', () => {
    const dates = ['2026-11-02', '2026-11-16', '2026-12-01'];
    for (const date of dates) {
      expect(adjustBars(flat, { ...raw, dividends: [dividend(date, 1)] }, 'all')).toBe(flat);
    }
    const tooLarge = [dividend('2026-11-18', 40)];
    expect(adjustBars(flat, { ...raw, dividends: tooLarge }, 'all')).toBe(flat);
  });

  it('measures against the close on the basis of the ex-date when a split falls on it too', () => {
    const bars = closes({ '2026-11-17': 80, '2026-11-18': 39 });
    const splits = [split('2026-11-18', 2, 1)];
    const dividends = [dividend('2026-11-18', 1)];
    const fromRaw = adjustBars(bars, { basis: 'raw', splits, dividends }, 'all');
    expect(fromRaw.close).toEqual(Float64Array.of(40 * 0.975, 39));
  });

  it('reads amounts as declared, so that raw and split-adjusted bars give the same', () => {
    const splits = [threeForOne, oneForTen];
    const dividends = [dividend('2026-11-17', 2), dividend('2026-11-19', 0.5)];
    const fromRaw = adjustBars(week, { basis: 'raw', splits, dividends }, 'all');
    const splitBars = adjustBars(week, { basis: 'raw', splits, dividends }, 'split');
    const fromSplit = adjustBars(splitBars, { basis: 'split', splits, dividends }, 'all');
    expect(fromRaw.close[0]).toBeCloseTo((1000 / 3) * (1 - 2 / 100) * (1 - 0.5 / 34), 10);
    expect(fromSplit.close).toEqual(fromRaw.close);
    expect(fromRaw.volume).toEqual(splitBars.volume);
    expect(fromSplit.volume).toEqual(splitBars.volume);
  });
});

describe('derivableBases', () => {
  const source: DerivableSource = {
    basis: 'raw',
    firstBarUs: microsFromDate('2020-01-02'),
    lastBarUs: microsFromDate('2026-11-20'),
    asOfUs: microsFromDate('2026-11-20'),
    actionCoverage: { fromDay: dayFromDate('2020-01-02'), toDay: dayFromDate('2026-11-20') },
  };

  it('is all three for raw and split series whose actions are known', () => {
    expect(derivableBases(source)).toEqual(['raw', 'split', 'all']);
    expect(derivableBases({ ...source, basis: 'split' })).toEqual(['raw', 'split', 'all']);
  });

  it('is the stored one alone where actions are unknown, or dividends are in the prices', () => {
    expect(derivableBases({ ...source, actionCoverage: undefined })).toEqual(['raw']);
    expect(derivableBases({ ...source, basis: 'all' })).toEqual(['all']);
    const late = { fromDay: dayFromDate('2020-01-03'), toDay: dayFromDate('2026-11-20') };
    expect(derivableBases({ ...source, actionCoverage: late })).toEqual(['raw']);
    const ended = { fromDay: dayFromDate('2020-01-02'), toDay: dayFromDate('2026-11-19') };
    expect(derivableBases({ ...source, actionCoverage: ended })).toEqual(['raw']);
  });

  it('lacks all where dividends are not known for all of its days', () => {
    const coverage = source.actionCoverage!;
    const basesWith = (dividends: { fromDay: number; toDay: number } | null) =>
      derivableBases({ ...source, actionCoverage: { ...coverage, dividends } });
    expect(basesWith(null)).toEqual(['raw', 'split']);
    expect(basesWith({ ...coverage, fromDay: coverage.fromDay + 1 })).toEqual(['raw', 'split']);
    expect(basesWith({ ...coverage, toDay: coverage.toDay - 1 })).toEqual(['raw', 'split']);
    expect(basesWith({ fromDay: 0, toDay: 99_999 })).toEqual(['raw', 'split', 'all']);
  });

  it('lacks raw where a split between last bar and vintage may be in the prices', () => {
    const later = { ...source, basis: 'split' as const, asOfUs: microsFromDate('2026-11-25') };
    expect(derivableBases(later)).toEqual(['split', 'all']);
  });

  // A Canadian dividend of 0.915 CAD took 0.915 US dollars from the prices before it.
  it('lacks all where a dividend in force is in another currency, unless its factor is stated', () => {
    const paid = (date: string, more: object) => [{ exDay: dayFromDate(date), amount: 1, ...more }];
    const foreign = { currency: 'CAD' };
    const basesWith = (dividends: readonly Dividend[]) => derivableBases({ ...source, dividends });
    expect(basesWith(paid('2024-03-01', foreign))).toEqual(['raw', 'split']);
    expect(basesWith(paid('2024-03-01', { ...foreign, factor: 0.98 }))).toHaveLength(3);
    expect(basesWith(paid('2020-01-02', foreign))).toHaveLength(3);
    expect(basesWith(paid('2026-11-21', foreign))).toHaveLength(3);
    expect(unusableDividend({ ...source, dividends: paid('2024-03-01', foreign) })).toEqual({
      exDay: dayFromDate('2024-03-01'),
      amount: 1,
      currency: 'CAD',
    });
  });

  it('defaults to split where it can be had, else to the stored basis', () => {
    expect(defaultBasis(source)).toBe('split');
    expect(defaultBasis({ ...source, actionCoverage: undefined })).toBe('raw');
    expect(defaultBasis({ ...source, basis: 'all' })).toBe('all');
  });
});

describe.skipIf(!hasRealdata)('the vendors’ own adjusted columns', () => {
  const table = (path: string) =>
    readFileSync(realdata(path), 'utf8')
      .trim()
      .split(/\r?\n/)
      .map((line) => line.split(','));

  /** Largest |ours ÷ theirs − 1|. */
  function worst(ours: Float64Array, theirs: number[]): number {
    return Math.max(...theirs.map((value, i) => Math.abs(ours[i] / value - 1)));
  }

  it.each(['CALM', 'EWG'])('equal ours for %s of yfinance, to their float32', (name) => {
    const rows = table(`daily/yfinance_csv/${name}-1d-no-bad-divs.csv`).slice(1);
    const bars = closes(Object.fromEntries(rows.map((row) => [row[0].slice(0, 10), +row[4]])));
    const dividends = rows
      .filter((row) => +row[7] > 0)
      .map((row) => dividend(row[0].slice(0, 10), +row[7]));
    expect(dividends.length).toBeGreaterThan(4);
    const ours = adjustBars(bars, { basis: 'split', splits: [], dividends }, 'all').close;
    expect(
      worst(
        ours,
        rows.map((row) => +row[5]),
      ),
    ).toBeLessThan(2e-6);
  });

  it.each(['AAPL', 'COKE'])('equal ours for %s of Quandl, once amounts are restated', (name) => {
    // Quandl's factor is close ÷ (close + amount), both of the ex-date, where ours is
    // 1 − amount ÷ the close before. The amount that makes ours theirs is put in its place.
    const rows = table('daily/other/dash-stock-ticker-demo.csv')
      .filter((row) => row[14] === name)
      .reverse();
    const bars = closes(Object.fromEntries(rows.map((row) => [row[1], +row[5]])));
    const restated: Dividend[] = [];
    const declared: Dividend[] = [];
    rows.forEach(([, date, , , , close, , amount], i) => {
      if (+amount === 0) return;
      declared.push(dividend(date, +amount));
      restated.push(dividend(date, (+rows[i - 1][5] * +amount) / (+close + +amount)));
    });
    expect(declared.length).toBeGreaterThan(8);
    const theirs = rows.map((row) => +row[12]);
    const ours = (dividends: Dividend[]) =>
      adjustBars(bars, { basis: 'raw', splits: [], dividends }, 'all').close;
    expect(worst(ours(restated), theirs)).toBeLessThan(1e-9);
    expect(worst(ours(declared), theirs)).toBeLessThan(1e-3);
  });

  it('equal ours across the 4:1 split of AAPL on 2020-08-31, to their four decimals', () => {
    const raw = table('intraday/marketstore/aapl_raw.csv').slice(1);
    const adjusted = table('intraday/marketstore/aapl_adj.csv').slice(1);
    const bars = closes(Object.fromEntries(raw.map((row) => [row[0].slice(0, 10), +row[4]])));
    const splits = [split('2020-08-31', 4, 1)];
    const ours = adjustBars(bars, { basis: 'raw', splits, dividends: [] }, 'split').close;
    expect(raw.length).toBe(adjusted.length);
    adjusted.forEach((row, i) => {
      expect(Math.abs(ours[i] - +row[4])).toBeLessThan(0.000_051);
    });
  });
});
