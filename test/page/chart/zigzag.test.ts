/** ZigZag as charts draw it: from turning point to turning point, up to the furthest price so far. */

import { expect, it } from 'vitest';
import { zigzag } from '../../../src/page/chart/zigzag.ts';

const line = (prices: readonly number[], percent: number) => {
  const high = Float64Array.from(prices);
  return [...zigzag({ high, low: high }, percent)];
};

it('draws straight lines between moves of the percentage', () => {
  expect(line([100, 103, 110, 106, 104, 108, 112, 111], 5)).toEqual([
    ...[100, 105, 110, 107, 104, 108, 112, Number.NaN],
  ]);
});

it('ends at the furthest price, which later bars move', () => {
  expect(line([100, 110, 120], 5)).toEqual([100, 110, 120]);
  expect(line([100, 110, 120, 140], 5)).toEqual([100, 100 + 40 / 3, 100 + 80 / 3, 140]);
});

it('has no line without such a move', () => {
  expect(line([100, 101, 102, 101], 5)).toEqual(Array(4).fill(Number.NaN));
  expect(line([], 5)).toEqual([]);
});
