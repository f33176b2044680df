/** A day's file whose volumes are in thousands went on after volumes in shares without a word. */

import { expect, test } from 'vitest';
import { type SegmentOptions, segmentOf, type TestBar, withStore } from '../support/fixtures.ts';
import { reasonOf } from '../support/held-symbols.ts';

/** Bars of 40 days from 2024-01-01 on, some of them; volumes differ from day to day. */
function bars(symbol: number, [from, to]: readonly [number, number], factor = 1): TestBar[] {
  return Array.from({ length: to - from }, (_, i) => {
    const day = new Date(Date.UTC(2024, 0, 1 + from + i)).toISOString().slice(0, 10);
    const volume = 10 ** (4 + (symbol % 4)) * (1 + ((from + i) % 3));
    return [day, 50 + symbol, volume * factor];
  });
}

/** Returns why a second load is held, whose symbols have these factors of volume. */
function reasonAfter(
  factors: readonly number[],
  span: readonly [number, number],
  options: SegmentOptions = {},
): Promise<string | undefined> {
  const load = (span: readonly [number, number], factorOf: (i: number) => number, name: string) =>
    segmentOf(
      factors.map((_, i) => ({ symbol: `S${i}`, bars: bars(i, span, factorOf(i)), path: name })),
      { basis: 'raw', ...options, name, asOf: name === 'old' ? '2026-01-01' : '2026-01-02' },
    );
  return withStore(async (market) => {
    expect(
      await reasonOf(
        market,
        load([0, 35], () => 1, 'old'),
      ),
    ).toBeUndefined();
    return reasonOf(
      market,
      load(span, (i) => factors[i], 'new'),
    );
  });
}

const all = (factor: number, count = 10) => Array.from({ length: count }, () => factor);

test.each([
  ['a day in thousands', all(0.001), [35, 36], {}],
  ['a week that reaches back, in lots', all(0.01), [30, 37], {}],
  ['all of an adjusted history in millions', all(1e-6), [0, 36], { basis: 'all' }],
  ['a day of shares after thousands', all(1000, 5), [35, 36], {}],
  ['one symbol of ten without', [...all(0.001, 9), 1], [35, 36], {}],
  ['more symbols than are read first', all(0.001, 70), [35, 36], {}],
] as const)('holds %s', async (_name, factors, span, options) => {
  expect(await reasonAfter(factors, span, options)).toMatch(
    /series go on with volumes of another unit \(× .*S0 from \d+ to /,
  );
});

test.each([
  ['four symbols', all(0.001, 4), [35, 36]],
  ['a day of a tenth, as between holidays', all(0.1), [35, 36]],
  ['news of some symbols', [...all(1, 6), ...all(1000, 4)], [35, 36]],
  ['a fortieth, as of one exchange', all(1 / 40), [35, 36]],
  ['no volume', all(0), [35, 36]],
] as const)('loads %s', async (_name, factors, span) => {
  expect(await reasonAfter(factors, span)).toBeUndefined();
});
