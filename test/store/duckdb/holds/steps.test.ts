/**
 * The day after an adjusted history, in a file without a common day. A split passed unless the open
 * was exactly half or double, and one symbol in a thousand passed whatever its size.
 */

import { describe, expect, test } from 'vitest';
import {
  actionsOf,
  dateAfter,
  load,
  segmentOf,
  type TestBar,
  type TestFile,
  withStore,
} from '../support/fixtures.ts';
import { heldSymbols, holdSymbolsAlone, loadGuarded, reasonOf } from '../support/held-symbols.ts';

holdSymbolsAlone();

const DAYS = Array.from({ length: 12 }, (_, i) => dateAfter('2024-03-04', i));
const NEXT = dateAfter('2024-03-04', 12);

const historyOf = (symbol: string): TestFile => {
  return { symbol, bars: DAYS.map((date): TestBar => [date, 100.5, 1000]) };
};

interface NextDay {
  price: number;
  volume: number;
}

/** The day after the histories of some symbols. */
const nextDay = (days: readonly NextDay[]) =>
  segmentOf(
    days.map(({ price, volume }, i) => ({ symbol: `S${i}`, bars: [[NEXT, price, volume]] })),
  );

const historiesOf = (days: readonly NextDay[]) => segmentOf(days.map((_, i) => historyOf(`S${i}`)));

/** Loads a day with SPY at a price, beside others that stay; returns why it is held. */
function heldBy(price: number, volume: number, { others = 0, splitOn = '' } = {}) {
  return withStore(async (market) => {
    const symbols = Array.from({ length: others }, (_, i) => `S${i}`);
    const actions = splitOn
      ? [actionsOf('SPY', ['2024-01-01', '2024-12-31'], { splits: [splitOn] })]
      : undefined;
    await load(market, segmentOf(['SPY', ...symbols].map(historyOf), { actions }));
    const day = segmentOf([
      { symbol: 'SPY', bars: [[NEXT, price, volume]] },
      ...symbols.map((symbol) => ({ symbol, bars: [[NEXT, 101, 900]] as TestBar[] })),
    ]);
    return reasonOf(market, day);
  });
}

describe('the next day of an adjusted history is held', () => {
  const HELD = [
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
  ] as const;

  test('at the jumps of splits, of units and of halves', async () => {
    const days: NextDay[] = HELD.map(([, price, volume]) => ({ price, volume }));
    days.push({ price: 101, volume: 900 });
    const reasons = await withStore(async (market) => {
      await load(market, historiesOf(days));
      return heldSymbols(market, nextDay(days));
    });
    expect(reasons.size).toBe(HELD.length);
    for (const [i, [name, price, , cause]] of HELD.entries()) {
      const reason = reasons.get(`S${i}`);
      expect(reason, name).toContain(`from 100.5 on 2024-03-15 to ${price} on 2024-03-16`);
      expect(reason, name).toContain(cause);
    }
  });

  test('for one symbol of many', async () => {
    expect(await heldBy(67, 1600, { others: 1200 })).toMatch(/1 series goes on .* SPY from 100\.5/);
  });

  test('at the ratio of a declared split, whatever the volume', async () => {
    expect(await heldBy(51, 90_000, { splitOn: NEXT })).toContain('a split that is declared near');
  });
});

describe('the next day of an adjusted history goes on', () => {
  // They passed without a word.
  const NAMED = [
    ['5:4', 80.4, 1250],
    ['5:4 with a rise at the open', 84, 1300],
    ['4:3', 75, 1500],
    ['5:4 with thrice the traded money', 80.4, 3700],
    ['4:3 with twice the traded money and a rise at the open', 78, 2800],
    ['5:3', 60.3, 3000],
    ['3:2 without volume', 67, 0],
    ['2:1 with a rise at the open and hardly any trades', 51.4, 300],
  ] as const;
  const OTHERS = [
    ['falls by a fifth on news', 80.4, 6000],
    ['falls by a tenth', 90, 1100],
    ['falls by a quarter with hardly any trades', 76, 100],
    ['rises by a fifth', 120, 900],
  ] as const;

  test('where it is news, and names the jumps of small splits alone', async () => {
    const days = [...NAMED, ...OTHERS].map(([, price, volume]) => ({ price, volume }));
    const { jumps } = await withStore(async (market) => {
      await load(market, historiesOf(days));
      return loadGuarded(market, nextDay(days));
    });
    expect(jumps).toEqual(
      NAMED.map(([, price], i) => `S${i} from 100.5 on 2024-03-15 to ${price} on 2024-03-16`),
    );
  });

  test('where it moves by a third or a half with the volume of news', async () => {
    const days = [
      { price: 67, volume: 9000 },
      { price: 67, volume: 0 },
      { price: 150, volume: 1000 },
      { price: 54.3, volume: 5000 },
      { price: 75, volume: 1500 },
    ];
    const reason = await withStore(async (market) => {
      await load(market, historiesOf(days));
      return reasonOf(market, nextDay(days));
    });
    expect(reason).toBeUndefined();
  });
});

// The joint was judged on stored prices, so that these files were held for ever.
test('days that were held for a split are loaded once a file that reaches back has mended it', async () => {
  await withStore(async (market) => {
    const loadBars = (bars: TestBar[]) => loadGuarded(market, segmentOf([{ symbol: 'SPY', bars }]));
    await load(market, segmentOf([historyOf('SPY')]));
    const [split, next] = [12, 13].map((days) => dateAfter('2024-03-04', days));
    await expect(loadBars([[split, 50, 2000]])).rejects.toThrow('2:1');
    await loadBars([
      [DAYS[11], 50.25, 2000],
      [split, 50, 2000],
      [next, 51, 2000],
    ]);
    await loadBars([[split, 50, 2000]]);
    const closes = await market.connection.runAndReadAll(`SELECT close FROM candles
      WHERE symbol = 'SPY' ORDER BY ts DESC LIMIT 4`);
    expect(closes.getRows().flat()).toEqual([51, 50, 50.25, 50.25]);
  });
});

// The first minute was compared with the last ten, so that each 3:2 seemed to have news.
test('minutes of a day are compared with those of the days before', async () => {
  const day = (date: string, price: number, volume: number): TestBar[] =>
    Array.from({ length: 13 }, (_, i) => {
      const minute = `${date} 14:${30 + i}:00`;
      return [minute, price, i === 0 ? 8 * volume : volume] as TestBar;
    });
  const history = ['2024-03-04', '2024-03-05', '2024-03-06', '2024-03-07'];
  const files = (barsOf: (symbol: string) => TestBar[]) =>
    segmentOf(
      ['SPY', 'QQQ'].map((symbol) => ({ symbol, bars: barsOf(symbol) })),
      { interval: '1m' },
    );
  const reasons = await withStore(async (market) => {
    await load(
      market,
      files(() => history.flatMap((date) => day(date, 100.5, 1000))),
    );
    const next = (symbol: string) =>
      symbol === 'SPY' ? day('2024-03-08', 67, 1500) : day('2024-03-08', 67, 30_000);
    return heldSymbols(market, files(next));
  });
  expect([...reasons.keys()]).toEqual(['SPY']);
  expect(reasons.get('SPY')).toContain('like a split of 3:2, as the volume tells too');
});
