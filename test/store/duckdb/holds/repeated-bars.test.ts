/** A block of values that was pasted a row too low was loaded without a word. */

import { expect, test } from 'vitest';
import { type SegmentOptions, segmentOf, type TestBar, withStore } from '../support/fixtures.ts';
import { loadGuarded, reasonOf } from '../support/held-symbols.ts';

const dayOf = (i: number) => new Date(Date.UTC(2024, 0, 1 + i)).toISOString().slice(0, 10);
/** Values of a day, which no other one has. */
const valuesOf = (i: number): [number, number] => [50 + ((i * 7) % 13) / 4, 10_000 + 37 * i];

/** Bars of the days `from` to `to`, with the values of other days if `dayOfValues` says so. */
const bars = (from: number, to: number, dayOfValues = (i: number) => i): TestBar[] =>
  Array.from({ length: to - from }, (_, at) => [
    dayOf(from + at),
    ...valuesOf(dayOfValues(from + at)),
  ]);

const load = (symbols: readonly TestBar[][], options: SegmentOptions = {}) =>
  segmentOf(
    symbols.map((ofSymbol, i) => ({ symbol: `S${i}`, bars: ofSymbol, path: `${options.name}` })),
    { basis: 'raw', ...options },
  );

test('names bars that repeat one of the five before, with the volume', async () => {
  const segment = load([
    bars(0, 30, (i) => (i >= 10 && i < 15 ? i - 1 : i)),
    bars(0, 30, (i) => (i >= 10 && i < 15 ? i - 3 : i)),
    bars(0, 30),
    bars(0, 30).map(([day, close], i): TestBar => [day, i % 2 ? close : 50, 999]),
  ]);
  const { repeats } = await withStore((market) => loadGuarded(market, segment));
  expect(repeats).toEqual([
    'S0 2024-01-11 has all values of 2024-01-10',
    'S1 2024-01-11 has all values of 2024-01-08',
    'S1 2024-01-12 has all values of 2024-01-09',
    'S1 2024-01-13 has all values of 2024-01-10',
  ]);
});

test.each(['raw', 'all'] as const)('holds a file of %s prices of the day before', async (basis) => {
  const all = (from: number, to: number, stale = to) =>
    Array.from({ length: 6 }, () => bars(from, to, (i) => (i >= stale ? i - 1 : i)));
  await withStore(async (market) => {
    const stored = load(all(0, 20), { basis, name: 'old', asOf: '2026-01-01' });
    expect(await reasonOf(market, stored)).toBeUndefined();
    const next = load(all(20, 21, 20), { basis, name: 'new', asOf: '2026-01-02' });
    expect(await reasonOf(market, next)).toMatch(
      /6 series have the bars of a stored day again.*S0 2024-01-21 has all values of 2024-01-20/,
    );
    const single = load([...all(20, 21, 20).slice(0, 1), ...all(20, 21).slice(1)], {
      ...{ basis, name: 'right', asOf: '2026-01-02' },
    });
    const { repeats } = await loadGuarded(market, single);
    expect(repeats).toEqual(['S0 2024-01-21 has all values of 2024-01-20']);
    // Four different prices of some range are never repeated by chance: one symbol is enough.
    const wide = (day: number): TestBar[] => [[dayOf(day), 51, 12_345, 50.5]];
    const [first, again] = [22, 23].map((day) =>
      load([wide(day)], { basis, name: dayOf(day), asOf: dayOf(day + 800) }),
    );
    expect(await reasonOf(market, first)).toBeUndefined();
    expect(await reasonOf(market, again)).toMatch(/S0 2024-01-24 has all values of 2024-01-23/);
  });
});
