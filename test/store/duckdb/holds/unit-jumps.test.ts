/**
 * A history of which a half was in cents was loaded without a word when it was the first one of its
 * symbol: no stored bars contradicted it.
 */

import { expect, test } from 'vitest';
import type { Basis } from '../../../../src/base/bars.ts';
import {
  load,
  minuteBars,
  oneFile,
  type SegmentOptions,
  segmentOf,
  type TestBar,
  withStore,
} from '../support/fixtures.ts';
import { heldSymbols, holdSymbolsAlone, loadGuarded, reasonOf } from '../support/held-symbols.ts';

holdSymbolsAlone();

/** Sessions from 2024-01-01 on; from `from` to `to` prices are `times` those of the others. */
function history({ from, to = 60, times, volumes = 1 }: Span): TestBar[] {
  return Array.from({ length: 60 }, (_, i) => {
    const isIn = i >= from && i < to;
    const close = (50 + (i % 7) / 2) * (isIn ? times : 1);
    const volume = (1000 + 100 * (i % 3)) * (isIn ? volumes : 1);
    return [new Date(Date.UTC(2024, 0, 1 + i)).toISOString().slice(0, 10), close, volume];
  });
}

interface Span {
  from: number;
  to?: number;
  times: number;
  volumes?: number;
}

const firstLoad = (bars: TestBar[], options: SegmentOptions = {}) =>
  withStore((market) => reasonOf(market, oneFile(bars, options)));

/** Histories of a first load, each of one symbol: `S0`, `S1` … */
const loadOf = (spans: readonly Span[], basis: Basis = 'all') =>
  segmentOf(
    spans.map((span, i) => ({ symbol: `S${i}`, bars: history(span) })),
    { basis },
  );

test.each(['raw', 'split', 'all'] as const)('a first %s history is held', async (basis) => {
  const spans: Record<string, Span> = {
    'whose second half is a hundredfold': { from: 30, times: 100 },
    'whose first seven days are a thousandfold': { from: 0, to: 7, times: 1000 },
    'with two days in cents': { from: 20, to: 22, times: 100 },
    'that ends hundredfold': { from: 59, times: 100 },
    'without volume': { from: 30, times: 100, volumes: 0 },
    'and no other one': { from: 60, times: 1 },
  };
  const reasons = await withStore((market) =>
    heldSymbols(market, loadOf(Object.values(spans), basis)),
  );
  const isHeld = Object.keys(spans).filter((_, i) => reasons.get(`S${i}`)?.match(/^another unit/));
  expect(isHeld).toEqual(Object.keys(spans).slice(0, -1));
});

// Inuvo fell from 2.80 to 0.29 in 2010 with a like volume, in a file of real adjusted prices.
test.each(['raw', 'split'] as const)('loads a tenth of %s prices, which happens', async (basis) => {
  expect(await firstLoad(history({ from: 30, times: 0.1 }), { basis })).toBeUndefined();
});

test('names the bars on both sides', async () => {
  const reason = await firstLoad(history({ from: 30, times: 100 }));
  expect(reason).toContain('1 series goes on in another unit');
  expect(reason).toContain('SPY from 50.5 on 2024-01-30 to 5100 on 2024-01-31 (× 100)');
});

test('loads splits, news and one wrong bar', async () => {
  const spans: Record<string, Span> = {
    'a split of 100:1, whose volume is a hundredfold': { from: 30, times: 0.01, volumes: 100 },
    'a reverse split of 1:100': { from: 30, times: 100, volumes: 0.01 },
    'news that multiply the volume': { from: 30, times: 100, volumes: 50_000 },
    'one wrong bar, which goes back': { from: 30, to: 31, times: 100 },
  };
  const segment = loadOf(Object.values(spans));
  expect(await withStore((market) => reasonOf(market, segment))).toBeUndefined();
});

test('loads what a known split explains, without volume too', async () => {
  const segment = oneFile(history({ from: 30, times: 0.01, volumes: 0 }), { basis: 'raw' });
  const split = { exDay: Date.UTC(2024, 0, 31) / 86_400_000, numerator: 100, denominator: 1 };
  const actions = [
    { symbol: 'SPY', splits: [split], dividends: [], coverageFromDay: 0, coverageToDay: 30_000 },
  ];
  await withStore(async (market) => {
    expect(await reasonOf(market, segment)).toMatch(/another unit/);
    expect(await reasonOf(market, { ...segment, actions })).toBeUndefined();
  });
});

test('loads other levels and prices that go back, and names them', async () => {
  const move = (i: number) =>
    expect.stringMatching(RegExp(`^S${i} from 50.5( on 2024-01-30)? to .+ on 2024-01-31$`));
  const found = await withStore((market) =>
    loadGuarded(
      market,
      loadOf([
        // Two companies under one ticker, without a header or another date between them.
        { from: 30, times: 8 },
        // A split could explain a fifth.
        { from: 30, times: 0.2, volumes: 5 },
        { from: 30, times: 2.5 },
        // A bar at eight times the others, and two at ten times, were loaded without a word.
        { from: 30, to: 31, times: 7.9 },
        { from: 30, to: 32, times: 10 },
        { from: 30, to: 31, times: 0.3 },
        // Three bars of twice the price or of ten times were loaded without a word, or as a level.
        { from: 30, to: 33, times: 2.1 },
        { from: 30, to: 33, times: 10 },
        { from: 30, to: 36, times: 2.1 },
        // Ten days in another currency were loaded without a word.
        { from: 30, to: 40, times: 1.4 },
        { from: 30, times: 1.4 },
        { from: 30, to: 40, times: 1.15 },
      ]),
    ),
  );
  expect(found.levels).toEqual([move(0), move(1)]);
  expect(found.spikes).toEqual([3, 4, 5, 6, 7, 8, 9].map(move));
});

// Such a file was loaded without a word: all of its bars were good ones.
test('holds a series of which open and close are exchanged', async () => {
  const bars = (count: number, isExchanged: boolean): TestBar[] => {
    let price = 50;
    return history({ from: 60, times: 1 })
      .slice(0, count)
      .map(([ts, , volume], i) => {
        const open = price * (1 + ((i % 5) - 2) / 1000);
        price = open * (1 + (((i * 7) % 11) - 5) / 200);
        return isExchanged ? [ts, open, volume, price] : [ts, price, volume, open];
      });
  };
  const files = [bars(60, true), bars(60, false), bars(40, true)];
  const reasons = await withStore((market) =>
    heldSymbols(market, segmentOf(files.map((own, i) => ({ symbol: `S${i}`, bars: own })))),
  );
  expect([...reasons.keys()]).toEqual(['S0']);
  expect(reasons.get('S0')).toBe(
    'open and close exchanged: closes 0.12 % from the open before and opens 1.48 % from the close before',
  );
});

test('compares a file with the published price that it goes on from', async () => {
  const [before, after] = [history({ from: 60, times: 1 }), history({ from: 0, times: 100 })];
  const newestMs = Date.parse('2024-02-19T21:00:00Z');
  const published = {
    newestMs,
    quote: () => ({ price: 50, timestampMs: newestMs }),
    newestSession: () => undefined,
  };
  await withStore(async (market) => {
    await load(market, oneFile(before.slice(0, 50)));
    const segment = oneFile(after.slice(50, 51), { asOf: '2026-01-02', name: 'next' });
    await expect(loadGuarded(market, segment, { published })).rejects.toThrow(
      'SPY from 50 on 2024-02-19 to 5050 on 2024-02-20 (× 100)',
    );
  });
});

test.each(['raw', 'all'] as const)(
  'is not held again for %s bars that are served',
  async (basis) => {
    const bars = history({ from: 30, times: 100 });
    await withStore(async (market) => {
      await load(market, oneFile(bars.slice(0, 58), { basis }));
      const again = oneFile(bars, { basis, asOf: '2026-01-02', name: 'again' });
      expect(await reasonOf(market, again)).toBeUndefined();
    });
  },
);

test('compares minutes by the volume of a session', async () => {
  const minutes = (factor: number, volume: number): TestBar[] => [
    ...minuteBars('2024-06-04', 390),
    ...minuteBars('2024-06-05', 390).map(([ts, close]): TestBar => [ts, close * factor, volume]),
  ];
  const loadMinutes = (bars: TestBar[]) => firstLoad(bars, { interval: '1m' });
  expect(await loadMinutes(minutes(100, 1000))).toMatch(/another unit/);
  expect(await loadMinutes(minutes(0.01, 100_000))).toBeUndefined();
});
