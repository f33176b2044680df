import { describe, expect, it } from 'vitest';
import { ema } from '../../../src/compute/indicators/averages/ema.ts';
import { barsOf } from '../support/bars-of.ts';

function emaOf(close: number[], period: number): number[] {
  return [...ema.compute(barsOf(Float64Array.from(close)), { period }).ema];
}

const { NaN: none, POSITIVE_INFINITY: infinite } = Number;

describe('ema', () => {
  it('starts from the mean of the first closes and moves by 2 / (period + 1)', () => {
    // Weights are halves: 2, then (2 + 6) / 2, then (4 + 0) / 2.
    expect(emaOf([1, 2, 3, 6, 0], 3)).toEqual([none, none, 2, 4, 2]);
  });

  it('is the close itself with a period of one', () => {
    expect(emaOf([3, 1, 2], 1)).toEqual([3, 1, 2]);
  });

  it('reaches an unchanged price exactly', () => {
    const close = [10, 20, 30, ...new Array(400).fill(123.45)];
    expect(emaOf(close, 9).at(-1)).toBe(123.45);
  });

  it('goes on after a bar without a finite close as if the bar were absent', () => {
    for (const gap of [none, infinite, -infinite]) {
      expect(emaOf([1, 2, 3, gap, 6, gap, gap, 0], 3)).toEqual([
        none,
        none,
        2,
        none,
        4,
        none,
        none,
        2,
      ]);
    }
  });

  it('counts only finite closes towards its seed', () => {
    expect(emaOf([none, 1, infinite, 2, 3, 6], 3)).toEqual([none, none, none, none, 2, 4]);
    expect(emaOf([1, none, 2, none], 3)).toEqual([none, none, none, none]);
  });
});
