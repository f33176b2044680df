/**
 * A history that is loaded again is compared with the stored one, whatever it contains. Seven
 * sessions of which four were tenfold replaced the stored ones, and a screen fired.
 */

import { describe, expect, test } from 'vitest';
import type { CandleSegment } from '../../../../src/store/duckdb/connection/candle-segment.ts';
import type { MarketDb } from '../../../../src/store/duckdb/connection/open.ts';
import { loadCandleBatch } from '../../../../src/store/duckdb/load/load-candles.ts';
import { someOf } from '../../../support/store-runs.ts';
import {
  minuteBars,
  NOW_MS,
  oneFile,
  risingBars,
  segmentOf,
  type TestBar,
  withStore,
} from '../support/fixtures.ts';

const GUARD = { isScheduled: false, published: undefined, earlyRows: () => 0 };

async function reasonOf(market: MarketDb, segment: CandleSegment): Promise<string | undefined> {
  return loadCandleBatch(market, [{ segment, guard: GUARD }], NOW_MS).then(
    () => undefined,
    (error: Error) => error.message,
  );
}

/** Sessions of a series that moves by up to 3 % a day, from 2024-01-01 on. */
function history(count: number): TestBar[] {
  return Array.from({ length: count }, (_, i) => [
    new Date(Date.UTC(2024, 0, 1 + i)).toISOString().slice(0, 10),
    Number((100 + 20 * Math.sin(i / 7) + (i % 5)).toFixed(2)),
  ]);
}

const changed = (bars: readonly TestBar[], by: (close: number, i: number) => number): TestBar[] =>
  bars.map(([date, close, volume], i) => [date, Number(by(close, i).toFixed(4)), volume]);

async function reloaded(
  before: TestBar[],
  after: TestBar[],
  { basis, interval = '1d' }: { basis: 'raw' | 'split' | 'all'; interval?: '1d' | '1m' },
): Promise<string | undefined> {
  return withStore(async (market) => {
    const first = oneFile(before, { basis, interval, asOf: '2026-01-01' });
    await loadCandleBatch(market, [{ segment: first }], NOW_MS);
    return reasonOf(market, oneFile(after, { basis, interval, asOf: '2026-01-02', name: 'again' }));
  });
}

const OLD = history(240);

// Split-adjusted ones are compared as all adjusted ones are.
describe.each(someOf(['raw', 'split', 'all'] as const, 2))('a %s history loaded again', (basis) => {
  const again = (after: TestBar[], before = OLD) => reloaded(before, after, { basis });

  test('is held where a half of it is a hundredfold', async () => {
    expect(await again(changed(OLD, (close, i) => (i < 120 ? close * 100 : close)))).toMatch(
      /SPY goes from 8477 on 2024-04-29 to 80.18 on 2024-04-30, and the stored bars from 84.77 to 80.18/,
    );
  });

  test('is held where some days in its middle are a hundredth', async () => {
    const after = changed(OLD, (close, i) => (i >= 60 && i < 66 ? close / 100 : close));
    expect(await again(after)).toMatch(/1 series contradicts the stored bars: SPY/);
  });

  // Three weekdays a day off are sessions, too: only the stored bars tell.
  test('is held where its days have the prices of the days beside them', async () => {
    const moved = (from: number, to: number, by: number) =>
      OLD.slice(from, to).map(([date], i): TestBar => [date, OLD[from + i + by][1]]);
    // Adjusted ones have no constant factor then.
    const text = (side: string) =>
      basis === 'raw' ? `the prices of the stored bar ${side} each` : 'no constant factor';
    expect(await again(moved(100, 103, 1))).toContain(text('after'));
    expect(await again(moved(100, 103, -1))).toContain(text('before'));
    expect(await again(moved(0, 239, 1))).toContain(text('after'));
    expect(await again(changed(OLD, (close, i) => close + (i === 100 ? 0.3 : 0)))).toBe(undefined);
  });

  test('is held where one day is tenfold', async () => {
    expect(await again(changed(OLD, (close, i) => (i === 77 ? close * 10 : close)))).toMatch(
      /1 series contradicts the stored bars: SPY/,
    );
  });

  test('is held where it is longer, shorter, or short at all, and tenfold in part', async () => {
    const bad = changed(OLD, (close, i) => (i % 40 < 12 ? close * 10 : close));
    expect(await again(bad, OLD.slice(0, 200))).toMatch(/contradicts/);
    expect(await again(bad.slice(0, 200))).toMatch(/contradicts|no constant factor/);
    expect(await again(bad.slice(8, 16), OLD.slice(8, 15))).toMatch(/contradicts/);
  });

  test('is held where all of it is a hundredfold', async () => {
    expect(await again(changed(OLD, (close) => close * 100))).toMatch(
      /another price level in 240 of 240 bars; on 2024-01-01 it closes at 10000, stored is 100/,
    );
  });

  test('is held where it is of another security', async () => {
    const other = changed(OLD, (_, i) => 40 + 15 * Math.cos(i / 3) + (i % 7));
    expect(await again(other)).toMatch(/contradicts|no constant factor/);
  });

  test('loads where it is equal, is more precise, or corrects some bars', async () => {
    expect(await again(OLD)).toBeUndefined();
    expect(await again(changed(OLD, (close, i) => close + 0.004 * Math.sin(i)))).toBeUndefined();
    const corrected = changed(OLD, (close, i) => (i % 50 === 3 ? close * 1.07 : close));
    expect(await again(corrected)).toBeUndefined();
  });

  test('loads where its last bar is completed', async () => {
    expect(await again(changed(OLD, (close, i) => (i === 239 ? close * 0.8 : close)))).toBe(
      undefined,
    );
  });

  test('loads where it takes away what was wrong before', async () => {
    const wrong = changed(OLD, (close, i) => (i >= 60 && i < 200 ? close * 100 : close));
    expect(await again(OLD, wrong)).toBeUndefined();
    expect(
      await again(
        OLD,
        changed(OLD, (close, i) => (i < 50 ? close / 10 : close)),
      ),
    ).toBe(undefined);
  });
});

describe('an adjusted history loaded again', () => {
  const again = (after: TestBar[], before = OLD) => reloaded(before, after, { basis: 'all' });

  test('loads on the basis of a later split or dividend', async () => {
    expect(await again(changed(OLD, (close) => close / 2))).toBeUndefined();
    const tenfold = changed(OLD, (close) => close * 10);
    expect(await again(tenfold, OLD.slice(0, 239))).toBeUndefined();
    // A split lies after the last stored day, of which the file has nothing.
    expect(await again(tenfold)).toMatch(/another price level in 240 of 240 bars/);
    expect(await again(changed(OLD, (close) => close * 0.9873))).toBeUndefined();
  });

  test('loads where dividends that were not known are in it now', async () => {
    const factor = (i: number) => 0.99 ** Math.max(0, 4 - Math.floor(i / 60));
    expect(await again(changed(OLD, (close, i) => close * factor(i)))).toBeUndefined();
  });

  test('loads where it takes the jump of a split away, and is held where it brings one', async () => {
    const cliff = changed(OLD, (close, i) => (i < 100 ? close * 3 : close));
    expect(await again(OLD, cliff)).toBeUndefined();
    expect(await again(cliff)).toMatch(/contradicts/);
  });
});

test('minutes loaded again are compared too', async () => {
  const old = minuteBars('2024-06-03', 120);
  const bad = changed(old, (close, i) => (i < 50 ? close * 100 : close));
  for (const basis of ['raw', 'split'] as const) {
    expect(await reloaded(old, bad, { basis, interval: '1m' })).toMatch(/contradicts/);
    expect(await reloaded(old, old, { basis, interval: '1m' })).toBeUndefined();
  }
});

// A newer file's odd row of an old day was served, as a correction of one bar.
describe('one bar at another level', () => {
  const odd = (close: number): TestBar[] => [['2024-03-11', close], ...risingBars('2024-08-28', 2)];
  const text = 'SPY closes on 2024-03-11 at 570 in "SPY-1", which is far from the bars next to it';

  test('is held in a second load', async () => {
    expect(await reloaded(OLD, odd(570), { basis: 'raw' })).toContain('on 2024-03-11');
  });

  test('is held between two files of one load, unless the other file is the odd one', async () => {
    const reason = (files: TestBar[][]) =>
      withStore((market) => {
        const named = files.map((bars, at) => ({ symbol: 'SPY', bars, path: `SPY-${at}` }));
        return reasonOf(market, segmentOf(named, { basis: 'raw' }));
      });
    expect(await reason([OLD, odd(570)])).toContain(text);
    const spoiled = changed(OLD, (close, i) => (OLD[i][0] === '2024-03-11' ? 570 : close));
    expect(await reason([spoiled, odd(103)])).toBeUndefined();
  });
});
