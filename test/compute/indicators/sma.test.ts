import { describe, expect, it } from 'vitest';
import { sma } from '../../../src/compute/indicators/averages/sma.ts';
import { barsOf } from '../support/bars-of.ts';
import { bits } from '../support/bits.ts';

function smaOf(close: number[], period: number): number[] {
  return [...sma.compute(barsOf(Float64Array.from(close)), { period }).sma];
}

const { NaN: none, POSITIVE_INFINITY: infinite } = Number;

describe('sma', () => {
  it('is the mean of the last closes', () => {
    expect(smaOf([1, 2, 3, 4, 5, 9, 1], 3)).toEqual([none, none, 2, 3, 4, 6, 5]);
  });

  it('is the close itself with a period of one', () => {
    expect(smaOf([3, 1, 2], 1)).toEqual([3, 1, 2]);
  });

  it('is exactly the close where closes are equal', () => {
    expect(smaOf(new Array(20).fill(0.1), 7).slice(6)).toEqual(new Array(14).fill(0.1));
  });

  it('keeps small prices apart from a spike that has left the window', () => {
    expect(smaOf([1, 2, 1e15, 1, 2, 3, 1, 2, 3], 3).slice(5)).toEqual([2, 2, 2, 2]);
  });

  it('is NaN until a close that is not finite has left the window', () => {
    for (const gap of [none, infinite, -infinite]) {
      expect(smaOf([1, 2, 3, gap, 5, 6, 7], 3)).toEqual([none, none, 2, none, none, none, 6]);
      expect(smaOf([gap, 2, 3, 4], 3)).toEqual([none, none, none, 3]);
    }
  });

  // A block that starts with a far outlier is summed window by window. The choice may look at
  // earlier closes only, and the windows after it go back to blocks.
  it('is the same mean next to an outlier at the start of a block', () => {
    const close = Array.from({ length: 40 }, (_, i) => (i === 8 ? 1e12 : 1 + (i % 3)));
    const means = smaOf(close, 4);
    expect(means[8]).toBe((close[5] + close[6] + close[7] + 1e12) / 4);
    expect(means.slice(12)).toEqual(
      close.slice(12).map((_, i) => mean(close.slice(9 + i, 13 + i))),
    );
  });

  it('takes a column that is a view', () => {
    const close = Float64Array.of(9, 9, 1, 2, 3, 9);
    const out = new Float64Array(6).fill(7);
    sma.compute(barsOf(close.subarray(2, 5)), { period: 3 }, { sma: out.subarray(2, 5) });
    expect(bits(out)).toEqual(bits(Float64Array.of(7, 7, none, none, 2, 7)));
  });
});

function mean(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
