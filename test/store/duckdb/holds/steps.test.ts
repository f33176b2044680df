/**
 * The day after an adjusted history, in a file without a common day. A split passed unless the open
 * was exactly half or double, and one symbol in a thousand passed whatever its size.
 */

import { describe, expect, test } from 'vitest';
import { loadCandleBatch } from '../../../../src/store/duckdb/load/load-candles.ts';
import {
  actionsOf,
  dateAfter,
  NOW_MS,
  segmentOf,
  type TestBar,
  type TestFile,
  withStore,
} from '../support/fixtures.ts';

const GUARD = { isScheduled: false, published: undefined, earlyRows: () => 0 };

const DAYS = Array.from({ length: 12 }, (_, i) => dateAfter('2024-03-04', i));
const NEXT = dateAfter('2024-03-04', 12);

const historyOf = (symbol: string): TestFile => {
  return { symbol, bars: DAYS.map((date): TestBar => [date, 100.5, 1000]) };
};

/** Loads a day with SPY at a price, beside others that stay; returns why it is held. */
function heldBy(price: number, volume: number, { others = 0, splitOn = '' } = {}) {
  return withStore(async (market) => {
    const symbols = Array.from({ length: others }, (_, i) => `S${i}`);
    const actions = splitOn
      ? [actionsOf('SPY', ['2024-01-01', '2024-12-31'], { splits: [splitOn] })]
      : undefined;
    const history = segmentOf(['SPY', ...symbols].map(historyOf), { actions });
    await loadCandleBatch(market, [{ segment: history }], NOW_MS);
    const day = segmentOf([
      { symbol: 'SPY', bars: [[NEXT, price, volume]] },
      ...symbols.map((symbol) => ({ symbol, bars: [[NEXT, 101, 900]] as TestBar[] })),
    ]);
    return loadCandleBatch(market, [{ segment: day, guard: GUARD }], NOW_MS).then(
      () => 'loaded',
      (error: Error) => error.message,
    );
  });
}

describe('the next day of an adjusted history is held', () => {
  test.each([
    ['2:1 with a rise at the open', 50.6, 2100, '2:1, as the volume tells too'],
    ['2:1 with a fall at the open', 48.3, 1500, '2:1, as the volume tells too'],
    ['2:1 with a rise of 8 %, which passed', 54.3, 1900, '2:1, as the volume tells too'],
    ['3:2 with a rise of 6 %, which passed', 71.2, 1400, '3:2, as the volume tells too'],
    ['1:10 with a fall of 8 %, which passed', 925, 120, '1:9, as the volume tells too'],
    ['3:2', 67, 1600, '3:2, as the volume tells too'],
    ['1:10', 1005, 110, '1:10, as the volume tells too'],
    ['a fall by half with thirty times the volume', 49.9, 30_000, 'the volume speaks for news'],
    ['a price in cents', 10_050, 1000, 'like a split of 1:100'],
    ['a fall by half without volume', 50, 0, 'there is no volume to tell'],
  ])('at %s', async (_, price, volume, cause) => {
    const reason = await heldBy(price, volume);
    expect(reason).toContain(`SPY from 100.5 on 2024-03-15 to ${price} on 2024-03-16`);
    expect(reason).toContain(cause);
  });

  test('for one symbol of many', async () => {
    expect(await heldBy(67, 1600, { others: 1200 })).toMatch(/1 series goes on .* SPY from 100\.5/);
  });

  test('at the ratio of a declared split, whatever the volume', async () => {
    expect(await heldBy(51, 90_000, { splitOn: NEXT })).toContain('a split that is declared near');
  });
});

test.each([
  ['falls by a third on news', 67, 9000],
  ['falls by a third without volume', 67, 0],
  ['rises by a half', 150, 1000],
  ['falls to 54 % with more money', 54.3, 5000],
  ['falls by a quarter', 75, 1500],
])('a day that %s goes on', async (_, price, volume) => {
  expect(await heldBy(price, volume)).toBe('loaded');
});

/** Loads a day of SPY after its history; returns the jumps that the report names. */
function namedAfter(price: number, volume: number, usual = 1000) {
  return withStore(async (market) => {
    const bars = DAYS.map((date): TestBar => [date, 100.5, usual]);
    await loadCandleBatch(market, [{ segment: segmentOf([{ symbol: 'SPY', bars }]) }], NOW_MS);
    const day = segmentOf([{ symbol: 'SPY', bars: [[NEXT, price, volume]] }]);
    const [{ jumps }] = await loadCandleBatch(market, [{ segment: day, guard: GUARD }], NOW_MS);
    return jumps ?? [];
  });
}

// They passed without a word.
test.each([
  ['5:4', 80.4, 1250],
  ['5:4 with a rise at the open', 84, 1300],
  ['4:3', 75, 1500],
  ['3:2 without volume', 67, 0],
  ['5:3', 60.3, 3000],
])('a split of %s is named', async (_, price, volume) => {
  expect(await namedAfter(price, volume)).toEqual([
    `SPY from 100.5 on 2024-03-15 to ${price} on 2024-03-16`,
  ]);
});

test.each([
  ['falls by a fifth on news', 80.4, 6000],
  ['falls by a tenth', 90, 1100],
  ['rises by a fifth', 120, 900],
])('a day that %s is not named', async (_, price, volume) => {
  expect(await namedAfter(price, volume)).toEqual([]);
});

// The joint was judged on stored prices, so that these files were held for ever.
test('days that were held for a split are loaded once a file that reaches back has mended it', async () => {
  await withStore(async (market) => {
    const load = (bars: TestBar[]) => {
      const segment = segmentOf([{ symbol: 'SPY', bars }]);
      return loadCandleBatch(market, [{ segment, guard: GUARD }], NOW_MS);
    };
    const history = segmentOf([historyOf('SPY')]);
    await loadCandleBatch(market, [{ segment: history }], NOW_MS);
    const [split, next] = [12, 13].map((days) => dateAfter('2024-03-04', days));
    await expect(load([[split, 50, 2000]])).rejects.toThrow('2:1');
    await load([
      [DAYS[11], 50.25, 2000],
      [split, 50, 2000],
      [next, 51, 2000],
    ]);
    await load([[split, 50, 2000]]);
    const closes = await market.connection.runAndReadAll(`SELECT close FROM candles
      WHERE symbol = 'SPY' ORDER BY ts DESC LIMIT 4`);
    expect(closes.getRows().flat()).toEqual([51, 50, 50.25, 50.25]);
  });
});
