/** One history of which the second half had volumes in thousands was loaded without a word. */

import { expect, test } from 'vitest';
import { type SegmentOptions, segmentOf, type TestBar, withStore } from '../support/fixtures.ts';
import { heldSymbols, holdSymbolsAlone, loadGuarded, reasonOf } from '../support/held-symbols.ts';

holdSymbolsAlone();

interface Span {
  from?: number;
  to?: number;
  factor?: number;
  /** Level of the volumes. */
  shares?: number;
  /** Prices from `from` on. */
  times?: number;
}

const dayOf = (i: number) => new Date(Date.UTC(2024, 0, 1 + i)).toISOString().slice(0, 10);

function bars(
  { from = 30, to = 60, factor = 1, shares = 1e6, times = 1 }: Span,
  [first, last]: readonly [number, number] = [0, 60],
): TestBar[] {
  return Array.from({ length: last - first }, (_, at) => {
    const i = first + at;
    const isIn = i >= from && i < to;
    const volume = shares * (1 + ((i * 7) % 11) / 4) * (isIn ? factor : 1);
    return [dayOf(i), (50 + (i % 7) / 20) * (isIn ? times : 1), volume];
  });
}

const loadOf = (
  spans: readonly Span[],
  days?: readonly [number, number],
  options?: SegmentOptions,
) =>
  segmentOf(
    spans.map((span, i) => ({ symbol: `S${i}`, bars: bars(span, days) })),
    { basis: 'raw', ...options },
  );

test('a first history whose volumes change their unit is held', async () => {
  const spans: readonly (Span & { isHeld?: boolean })[] = [
    { factor: 0.001, isHeld: true },
    { factor: 0.01, from: 50, isHeld: true },
    { factor: 1000, to: 40, isHeld: true },
    { factor: 1e-6, shares: 1e8, from: 57, isHeld: true },
    { factor: 0.001, from: 10, isHeld: true },
    { factor: 0.001, shares: 5000, isHeld: true },
    { factor: 0.001, shares: 100 },
    { factor: 0.001, times: 1.3 },
    { factor: 0.03 },
    { factor: 0.1 },
    { factor: 1000, from: 2 },
    {},
  ];
  const held = await withStore((market) => heldSymbols(market, loadOf(spans)));
  expect([...held.keys()].sort()).toEqual(
    spans.flatMap(({ isHeld }, i) => (isHeld ? [`S${i}`] : [])),
  );
  expect(held.get('S0')).toMatch(
    /^another unit of volume: from \d+ on 2024-01-30 to \d+ on 2024-01-31 \(× 0.001\)$/,
  );
});

test('names one or two newest days in another unit', async () => {
  const segment = loadOf([{ factor: 0.001, from: 58 }, {}]);
  const { volumeSteps } = await withStore((market) => loadGuarded(market, segment));
  expect(volumeSteps).toEqual([
    expect.stringMatching(/^S0 from \d+ on 2024-02-27 to \d+ on 2024-02-28 \(× 0.001\)$/),
  ]);
});

test.each([
  ['raw', [40, 44]],
  ['all', [30, 44]],
  ['raw', [36, 38]],
] as const)('holds %s bars after or over stored ones of days %j', async (basis, days) => {
  await withStore(async (market) => {
    const stored = loadOf([{}], [0, 40], { basis, name: 'old', asOf: '2026-01-01' });
    expect(await reasonOf(market, stored)).toBeUndefined();
    // An older file, which is stored and not served, is no measure.
    const unserved = { from: 0, to: 99, factor: 1e-6 };
    const older = loadOf([unserved], [30, 40], { basis, name: 'older', asOf: '2025-12-31' });
    expect(await reasonOf(market, older)).toBeUndefined();
    const span = { from: 0, to: 99, factor: 0.001 };
    const next = loadOf([span], days, { basis, name: 'new', asOf: '2026-01-02' });
    expect(await reasonOf(market, next)).toMatch(/another unit/);
    // 60 volumes became 0 without a word, by a file without a column of volumes.
    const without = { from: 0, to: 99, factor: 0 };
    const none = loadOf([without], days, { basis, name: 'none', asOf: '2026-01-02' });
    const lost = await reasonOf(market, none);
    expect(lost ?? '').toMatch(days[0] < 39 ? /loses the volumes of stored bars/ : /^$/);
    const same = loadOf([{}], days, { basis, name: 'same', asOf: '2026-01-02' });
    expect(await reasonOf(market, same)).toBeUndefined();
  });
});
