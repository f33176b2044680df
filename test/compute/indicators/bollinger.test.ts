import { describe, expect, it } from 'vitest';
import { ParameterError } from '../../../src/base/errors.ts';
import { sma } from '../../../src/compute/indicators/averages/sma.ts';
import { bollinger } from '../../../src/compute/indicators/volatility/bollinger.ts';
import { barsOf } from '../support/bars-of.ts';
import { bits } from '../support/bits.ts';
import { hostileSeries, randomWalk } from '../support/hostile-series.ts';

function bandsOf(close: Float64Array, period: number, k: number) {
  return bollinger.compute(barsOf(close), { period, k });
}

const { NaN: none, POSITIVE_INFINITY: infinite } = Number;

describe('bollinger', () => {
  it('is the mean and k population standard deviations on either side', () => {
    // Mean 5, squared deviations 9 1 1 1 0 0 4 16, their mean 4.
    const { upper, middle, lower } = bandsOf(Float64Array.of(2, 4, 4, 4, 5, 5, 7, 9), 8, 3);
    expect([upper[7], middle[7], lower[7]]).toEqual([11, 5, -1]);
  });

  it('is three equal bands where closes are equal, at any price level', () => {
    const close = new Float64Array(50).fill(1e9 + 0.1);
    const { upper, middle, lower } = bandsOf(close, 20, 2);
    for (let i = 19; i < 50; i++) {
      expect([upper[i], middle[i], lower[i]]).toEqual([1e9 + 0.1, 1e9 + 0.1, 1e9 + 0.1]);
    }
  });

  it.each(Object.entries(hostileSeries))(
    'has the simple moving average in the middle: %s',
    (_, series) => {
      const close = series(500);
      for (const period of [1, 2, 14, 20, 200]) {
        const { upper, middle, lower } = bandsOf(close, period, 2);
        expect(bits(middle)).toEqual(bits(sma.compute(barsOf(close), { period }).sma));
        for (let i = period - 1; i < 500; i++) {
          expect(lower[i] <= middle[i] && middle[i] <= upper[i]).toBe(true);
        }
      }
    },
  );

  // Sums of squares of the prices leave nothing of a deviation of 1e-6 at prices near 1e9.
  it('sees deviations of a millionth at prices near 1e9', () => {
    const close = Float64Array.from({ length: 60 }, (_, i) => 2 ** 30 + (i % 2) * 2 ** -20);
    const { upper, lower } = bandsOf(close, 20, 1);
    expect(upper[59] - lower[59]).toBe(2 ** -20);
  });

  it('is NaN until a close that is not finite has left the window', () => {
    for (const gap of [none, infinite, -infinite]) {
      const { upper, middle } = bandsOf(Float64Array.of(1, 3, gap, 1, 3, 5), 2, 1);
      expect([...middle]).toEqual([none, 2, none, none, 2, 4]);
      expect([...upper]).toEqual([none, 3, none, none, 3, 5]);
    }
  });

  it('refuses a width that is not a positive number', () => {
    for (const k of [0, -2, none, infinite]) {
      expect(() => bandsOf(randomWalk(30), 20, k)).toThrow(ParameterError);
    }
  });
});
