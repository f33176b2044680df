import { expect, it } from 'vitest';
import { levelOf, repairedPieces } from '../../../../src/store/duckdb/vintages/repaired-pieces.ts';

const replaced = { open: 100, high: 120, low: 10, close: 104, volume: 500 };
const bar = { ...replaced, low: 90 };

it('stands in place of its bar, and pieces around it keep theirs', () => {
  const pieces = [
    { seriesId: 1, fromUs: 0, toUs: 30, factor: 0.5 },
    { seriesId: 2, fromUs: 40, toUs: 60, factor: 1 },
  ];
  const repairs = [
    { seriesId: 9, timestampUs: 20, bar, replaced },
    { seriesId: 8, timestampUs: 20, bar: { ...bar, low: 80 }, replaced },
    { seriesId: 7, timestampUs: 60, bar, replaced },
    { seriesId: 6, timestampUs: 50, bar, replaced },
  ];
  const stored = (_: number, us: number) => (us === 50 ? undefined : replaced);
  expect(repairedPieces(pieces, repairs, stored, true)).toEqual([
    { seriesId: 1, fromUs: 0, toUs: 19, factor: 0.5 },
    { seriesId: 9, fromUs: 20, toUs: 20, factor: 1, splitFactor: 1 },
    { seriesId: 1, fromUs: 21, toUs: 30, factor: 0.5 },
    { seriesId: 2, fromUs: 40, toUs: 59, factor: 1 },
    { seriesId: 7, fromUs: 60, toUs: 60, factor: 1, splitFactor: 1 },
  ]);
});

it.each([
  ['the same bar', replaced, { factor: 1, splitFactor: 1 }],
  [
    ...(['a split', { open: 50, high: 60, low: 5, close: 52, volume: 1000 }] as const),
    { factor: 0.5, splitFactor: 0.5 },
  ],
  // Dividends leave volumes alone.
  [
    ...(['a dividend', { open: 98, high: 117.6, low: 9.8, close: 101.92, volume: 500 }] as const),
    { factor: 0.98, splitFactor: 1 },
  ],
  [
    ...([
      'dividends in volumes',
      { open: 98, high: 117.6, low: 9.8, close: 101.92, volume: 650 },
    ] as const),
    { factor: 0.98, splitFactor: 1 },
  ],
  [
    ...(['a corrected bar', { open: 50, high: 60, low: 45, close: 52, volume: 1000 }] as const),
    { factor: 0.5, splitFactor: 0.5 },
  ],
])('follows %s', (_, served, level) => {
  const found = levelOf({ bar, replaced }, served);
  expect(found.factor).toBeCloseTo(level.factor, 12);
  expect(found.splitFactor).toBeCloseTo(level.splitFactor, 12);
});

it('follows a bar of which all prices were repaired', () => {
  const all = { open: 1, high: 1.2, low: 0.9, close: 1.04, volume: 500 };
  const served = { open: 50, high: 60, low: 5, close: 52, volume: 1000 };
  expect(levelOf({ bar: all, replaced }, served)).toEqual({ factor: 0.5, splitFactor: 0.5 });
});
