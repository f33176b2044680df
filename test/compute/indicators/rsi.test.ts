import { describe, expect, it } from 'vitest';
import { rsi } from '../../../src/compute/indicators/momentum/rsi.ts';
import { barsOf } from '../support/bars-of.ts';
import { bits } from '../support/bits.ts';
import { randomWalk } from '../support/hostile-series.ts';

function rsiOf(close: number[], period: number): number[] {
  return [...rsi.compute(barsOf(Float64Array.from(close)), { period }).rsi];
}

const { NaN: none, POSITIVE_INFINITY: infinite } = Number;

describe('rsi', () => {
  it('is seeded with the mean of the first changes and smoothed as Wilder does', () => {
    // Gains 1 and losses 1 of 2 changes: 50. Then gain (1 + 3) / 2 = 2 halves, loss 1 half: 80.
    expect(rsiOf([10, 11, 10, 11.5], 2)).toEqual([none, none, 50, 80]);
  });

  it('is 100 on gains alone and 0 on losses alone', () => {
    expect(rsiOf([1, 2, 4, 5], 2)).toEqual([none, none, 100, 100]);
    expect(rsiOf([5, 4, 2, 1], 2)).toEqual([none, none, 0, 0]);
  });

  it('is undefined, never 0, 50 or 100, until the price has changed', () => {
    expect(rsiOf([5, 5, 5, 5, 6, 6], 2)).toEqual([none, none, none, none, 100, 100]);
  });

  it('writes the canonical NaN for an unchanged price, whatever 0 / 0 is on this processor', () => {
    const { rsi: flat } = rsi.compute(barsOf(new Float64Array(30).fill(5)), { period: 14 });
    expect(bits(flat)).toEqual(bits(new Float64Array(30).fill(none)));
  });

  // Decayed sums of a flat run end as subnormal numbers, whose ratio drifted to 50 or 100.
  it('stands still through a flat run of 50,000 bars', () => {
    const moving = randomWalk(100);
    const close = new Float64Array(50_100).fill(moving[99]);
    close.set(moving);
    const { rsi: values } = rsi.compute(barsOf(close), { period: 14 });
    expect(values[50_099]).toBeCloseTo(values[99], 10);
  });

  it('depends on nothing before a long flat run after the first change', () => {
    const close = [1, 2, 1, 3, ...new Array(50_000).fill(3), 3.5];
    expect(rsiOf(close, 3).at(-1)).toBe(100);
  });

  it('goes on after a bar without a finite close as if the bar were absent', () => {
    for (const gap of [none, infinite, -infinite]) {
      expect(rsiOf([10, 11, gap, 10, gap, 11.5], 2)).toEqual([none, none, none, 50, none, 80]);
    }
  });
});
