/** One new bar of a symbol, which nothing after it confirms. */

import { expect, test } from 'vitest';
import type { CandleSegment } from '../../../../src/store/duckdb/connection/candle-segment.ts';
import { load, segmentOf, type TestBar, withStore } from '../support/fixtures.ts';
import { heldSymbols, holdSymbolsAlone } from '../support/held-symbols.ts';

holdSymbolsAlone();

const HISTORY: TestBar[] = ['2024-02-27', '2024-02-28', '2024-02-29', '2024-03-01'].map((date) => [
  date,
  50,
  1000,
]);

/** Loads a segment after the history of its symbols, which is published; returns what is held. */
function heldAfter(segment: CandleSegment): Promise<ReadonlyMap<string, string>> {
  const newestMs = Date.parse('2024-03-01T21:00:00Z');
  const quote = () => ({ price: 50, timestampMs: newestMs });
  const published = { newestMs, quote, newestSession: () => undefined };
  return withStore(async (market) => {
    const histories = segment.files.map(({ symbol }) => ({ symbol, bars: HISTORY }));
    await load(market, segmentOf(histories, { basis: 'raw' }));
    return heldSymbols(market, segment, { published });
  });
}

test('is held on a date that is months or years late, or at another level', async () => {
  const missing = (date: string) => `on ${date} after 2024-03-01 (2024-03-04 is missing)`;
  const cases: [name: string, bars: TestBar[], held?: string][] = [
    // It emptied the universe `active` of all others.
    ['a year late', [['2025-03-04', 50.5, 1000]], missing('2025-03-04')],
    ['three months late', [['2024-06-04', 50.5, 1000]], missing('2024-06-04')],
    ['tenfold', [['2024-03-04', 505, 1000]], 'from 50 on 2024-03-01 to 505'],
    ['a tenth', [['2024-03-04', 5.05, 1000]], 'from 50 on 2024-03-01 to 5.05'],
    ['hundredfold', [['2024-03-04', 5050, 1000]], 'from 50 on 2024-03-01 to 5050'],
    ['two months late', [['2024-05-06', 50.5, 1000]]],
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
  ];
  const files = cases.map(([, bars], i) => ({ symbol: `S${i}`, bars }));
  const held = await heldAfter(segmentOf(files, { basis: 'raw' }));
  expect(cases.map(([name], i) => [name, held.get(`S${i}`)])).toEqual(
    cases.map(([name, , reason]) => [name, reason && expect.stringContaining(reason)]),
  );
});

test('is loaded at a tenth with the split that explains it', async () => {
  const split = { exDay: Date.parse('2024-03-04') / 86_400_000, numerator: 10, denominator: 1 };
  const actions = [
    { symbol: 'SPY', splits: [split], dividends: [], coverageFromDay: 0, coverageToDay: 20_000 },
  ];
  const bars: TestBar[] = [['2024-03-04', 5, 10_000]];
  const segment = segmentOf([{ symbol: 'SPY', bars }], { basis: 'raw', actions });
  expect(await heldAfter(segment)).toEqual(new Map());
});
