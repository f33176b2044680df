/** One new bar of a symbol, which nothing after it confirms. */

import { expect, test } from 'vitest';
import type { CandleSegment } from '../../../../src/store/duckdb/connection/candle-segment.ts';
import { loadCandleBatch } from '../../../../src/store/duckdb/load/load-candles.ts';
import { load, NOW_MS, oneFile, segmentOf, type TestBar, withStore } from '../support/fixtures.ts';

const HISTORY: TestBar[] = ['2024-02-27', '2024-02-28', '2024-02-29', '2024-03-01'].map((date) => [
  date,
  50,
  1000,
]);

/** Loads a segment after the history, which is published. */
function reasonAfter(segment: CandleSegment): Promise<string | undefined> {
  const newestMs = Date.parse('2024-03-01T21:00:00Z');
  const quote = { price: 50, timestampMs: newestMs };
  const published = {
    newestMs,
    quote: (symbol: string) => (symbol === 'SPY' ? quote : undefined),
    newestSession: () => undefined,
  };
  const guard = { isScheduled: false, published, earlyRows: () => 0 };
  return withStore(async (market) => {
    await load(market, oneFile(HISTORY, { basis: 'raw' }));
    return loadCandleBatch(market, [{ segment, guard }], NOW_MS).then(
      () => undefined,
      (error: Error) => error.message,
    );
  });
}

const next = (bars: TestBar[]) => oneFile(bars, { basis: 'raw' });

// It emptied the universe `active` of all others.
test('is held on a date that is a year late', async () => {
  expect(await reasonAfter(next([['2025-03-04', 50.5, 1000]]))).toContain(
    '1 series goes on with one bar months or years after the one before: SPY on 2025-03-04 after 2024-03-01 (2024-03-04 is missing)',
  );
});

test('is held on a date that is two months late', async () => {
  expect(await reasonAfter(next([['2024-05-06', 50.5, 1000]]))).toBeUndefined();
  expect(await reasonAfter(next([['2024-06-04', 50.5, 1000]]))).toContain(
    'SPY on 2024-06-04 after 2024-03-01 (2024-03-04 is missing)',
  );
});

test.each([
  ['tenfold', 505],
  ['a tenth', 5.05],
  ['hundredfold', 5050],
])('is held at a close that is %s', async (_, close) => {
  expect(await reasonAfter(next([['2024-03-04', close, 1000]]))).toContain(
    `SPY from 50 on 2024-03-01 to ${close}`,
  );
});

test.each<[string, TestBar[]]>([
  ['the next session', [['2024-03-04', 51, 1000]]],
  ['a date after a pause of months', [['2024-07-10', 51, 1000]]],
  ['a fall to a fifth', [['2024-03-04', 10, 9000]]],
  // The bars of the sessions before it are held.
  ['a tenth at the second session', [['2024-03-05', 5.1, 9000]]],
  ['the second session of another year', [['2025-03-05', 50.5, 1000]]],
  [
    'a tenth that the next bar confirms',
    [
      ['2024-03-04', 5, 9000],
      ['2024-03-05', 5.1, 9000],
    ],
  ],
])('is loaded: %s', async (_, bars) => {
  expect(await reasonAfter(next(bars))).toBeUndefined();
});

test('is loaded at a tenth with the split that explains it', async () => {
  const split = { exDay: Date.parse('2024-03-04') / 86_400_000, numerator: 10, denominator: 1 };
  const actions = [
    { symbol: 'SPY', splits: [split], dividends: [], coverageFromDay: 0, coverageToDay: 20_000 },
  ];
  const bars: TestBar[] = [['2024-03-04', 5, 10_000]];
  const segment = segmentOf([{ symbol: 'SPY', bars }], { basis: 'raw', actions });
  expect(await reasonAfter(segment)).toBeUndefined();
});
