/** Labels of axes: prices far below a cent, and series that were as low before splits. */

import type { BarPrice } from 'lightweight-charts';
import { expect, it } from 'vitest';
import { axisFormat, largestSize, smallestPrice } from '../../../src/page/chart/price-format.ts';

const all = () => true;
const priced = (values: readonly number[]) => values as BarPrice[];

it.each([
  [[3.2, 0.00005], 0.00005, '0.00005432', 0.00005432],
  [[3.2, 0.00005], 0.00005, '350.58', 350.58],
  [[12.5], 12.5, '12.57', 12.57],
  [[0.43], 0.43, '0.4312', 0.43121],
  [[0.0000003], 3e-7, '0.0000003236', 3.236e-7],
])('of prices from %j are at least %d apart: %s', (prices, least, text, value) => {
  const unit = smallestPrice(Float64Array.from(prices));
  expect(unit).toBe(least);
  expect(axisFormat(unit, all).formatter(value as BarPrice)).toBe(text);
});

it.each([
  [
    [0.00005, 0.000055, 0.00006],
    ['0.000050', '0.000055', '0.000060'],
  ],
  [
    [0.0025, 0.005],
    ['0.0025', '0.0050'],
  ],
  [
    [0.1, 0.2, 0.30000000000000004],
    ['0.10', '0.20', '0.30'],
  ],
  [
    [100, 102.5],
    ['100.00', '102.50'],
  ],
  [
    [2e-9, 4e-9],
    ['0.000000002', '0.000000004'],
  ],
])('tell the ticks %j apart', (values, texts) => {
  expect(axisFormat(1e-9, all).tickmarksFormatter?.(priced(values))).toEqual(texts);
});

it('keep the digits of a value near 0 that its line has elsewhere', () => {
  const unit = largestSize(Float64Array.from([Number.NaN, 0.002, -0.0041, 0]));
  expect(unit).toBe(0.0041);
  const { formatter, minMove } = axisFormat(unit, all);
  expect(priced([-0.000001, 0.0041]).map(formatter)).toEqual(['-0.000001', '0.004100']);
  expect(minMove).toBe(1e-6);
  expect([largestSize(Float64Array.of()), smallestPrice(Float64Array.of(0))]).toEqual([1, 1]);
});

it('leave out what lies under the bars', () => {
  const { tickmarksFormatter } = axisFormat(1, (value) => value >= 0);
  expect(tickmarksFormatter?.(priced([-5, 0, 5]))).toEqual(['', '0.00', '5.00']);
});
