/** Values of the published indicators that can be worked out by hand, and faults that they had. */

import { describe, expect, it } from 'vitest';
import { ema } from '../../../src/compute/indicators/averages/ema.ts';
import { sma } from '../../../src/compute/indicators/averages/sma.ts';
import { indicatorByName } from '../../../src/compute/indicators/catalogue.ts';
import { macd } from '../../../src/compute/indicators/momentum/macd.ts';
import { rsi } from '../../../src/compute/indicators/momentum/rsi.ts';
import { bollinger } from '../../../src/compute/indicators/volatility/bollinger.ts';
import { barsOf } from '../support/bars-of.ts';
import { bits } from '../support/bits.ts';
import { hostileSeries, randomWalk } from '../support/hostile-series.ts';

const none = Number.NaN;

/** Main output of an indicator with a period. */
function valuesOf(name: string, close: readonly number[], period: number): number[] {
  const { compute, mainOutput } = indicatorByName(name)!;
  return [...compute(barsOf(Float64Array.from(close)), { period })[mainOutput]];
}

const macdOf = (close: Float64Array, fast: number, slow: number, signal: number) =>
  macd.compute(barsOf(close), { fast, slow, signal });
const bandsOf = (close: Float64Array, period: number, k: number) =>
  bollinger.compute(barsOf(close), { period, k });

const equal = (count: number, price: number) => new Array<number>(count).fill(price);

it.each([
  ['sma', 'is the mean of the last closes', [1, 2, 3, 4, 5, 9, 1], 3, [none, none, 2, 3, 4, 6, 5]],
  ['sma', 'is the close itself with a period of one', [3, 1, 2], 1, [3, 1, 2]],
  [
    'sma',
    'is exactly the close where closes are equal',
    equal(5, 0.1),
    4,
    [none, none, none, 0.1, 0.1],
  ],
  // Weights are halves: 2, then (2 + 6) / 2, then (4 + 0) / 2.
  ['ema', 'starts from the mean of the first closes', [1, 2, 3, 6, 0], 3, [none, none, 2, 4, 2]],
  ['ema', 'is the close itself with a period of one', [3, 1, 2], 1, [3, 1, 2]],
  // Gains 1 and losses 1 of 2 changes: 50. Then gain (1 + 3) / 2 = 2 halves, loss 1 half: 80.
  [
    'rsi',
    'is seeded with the mean of the first changes',
    [10, 11, 10, 11.5],
    2,
    [none, none, 50, 80],
  ],
  ['rsi', 'is 100 on gains alone', [1, 2, 4, 5], 2, [none, none, 100, 100]],
  ['rsi', 'is 0 on losses alone', [5, 4, 2, 1], 2, [none, none, 0, 0]],
  [
    'rsi',
    'is undefined, never 0, 50 or 100, until the price has changed',
    [5, 5, 5, 5, 6, 6],
    2,
    [none, none, none, none, 100, 100],
  ],
])('%s %s', (name, _, close, period, expected) => {
  expect(valuesOf(name, close, period)).toEqual(expected);
});

describe('sma', () => {
  it('keeps small prices apart from a spike that has left the window', () => {
    const means = valuesOf('sma', [1, 2, 1e15, 1, 2, 3, 1, 2, 3], 3);
    expect(means.slice(5)).toEqual([2, 2, 2, 2]);
  });

  // A block that starts with a far outlier is summed window by window. The choice may look at
  // earlier closes only, and the windows after it go back to blocks.
  it('is the same mean next to an outlier at the start of a block', () => {
    const close = Array.from({ length: 40 }, (_, i) => (i === 8 ? 1e12 : 1 + (i % 3)));
    const means = valuesOf('sma', close, 4);
    expect(means[8]).toBe((close[5] + close[6] + close[7] + 1e12) / 4);
    const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / 4;
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

it('ema reaches an unchanged price exactly', () => {
  expect(valuesOf('ema', [10, 20, 30, ...equal(400, 123.45)], 9).at(-1)).toBe(123.45);
});

describe('rsi', () => {
  it('writes the canonical NaN for an unchanged price, whatever 0 / 0 is on this processor', () => {
    const { rsi: flat } = rsi.compute(barsOf(new Float64Array(30).fill(5)), { period: 14 });
    expect(bits(flat)).toEqual(bits(new Float64Array(30).fill(none)));
  });

  // Decayed sums of a flat run end as subnormal numbers, whose ratio drifted to 50 or 100.
  it('stands still through a flat run of 50,000 bars', () => {
    const moving = [...randomWalk(100)];
    const values = valuesOf('rsi', [...moving, ...equal(50_000, moving[99])], 14);
    expect(values[50_099]).toBeCloseTo(values[99], 10);
  });

  it('depends on nothing before a long flat run after the first change', () => {
    expect(valuesOf('rsi', [1, 2, 1, 3, ...equal(50_000, 3), 3.5], 3).at(-1)).toBe(100);
  });
});

describe('macd', () => {
  it('seeds both averages and the signal with the mean of their own first values', () => {
    // EMA(1) is the close; EMA(3): 2, 4, 2, 5. Line: 1, 2, -2, 3. Signal of 3: 1/3, then (1/3 + 3) / 2.
    const { macd: line, signal, histogram } = macdOf(Float64Array.of(1, 2, 3, 6, 0, 8), 1, 3, 3);
    expect([...line]).toEqual([none, none, 1, 2, -2, 3]);
    expect(signal[3]).toBeNaN();
    expect(signal[4]).toBeCloseTo(1 / 3, 15);
    expect(signal[5]).toBeCloseTo(5 / 3, 15);
    expect(histogram[5]).toBeCloseTo(4 / 3, 15);
  });

  it('is the difference of two EMAs, and its histogram line minus signal to the last bit', () => {
    const close = randomWalk(300);
    const { macd: line, signal, histogram } = macdOf(close, 12, 26, 9);
    const [fast, slow] = [12, 26].map((period) => ema.compute(barsOf(close), { period }).ema);
    for (let i = 25; i < 300; i++) expect(line[i]).toBeCloseTo(fast[i] - slow[i], 12);
    for (let i = 33; i < 300; i++) expect(histogram[i]).toBe(line[i] - signal[i]);
  });

  // Differences of two averages near 1e9 had an error of 1e-4 of the line.
  it('does not depend on the price level', () => {
    const close = randomWalk(300).map((price) => Math.round(price * 64) / 64);
    const near = macdOf(close, 12, 26, 9);
    const far = macdOf(
      close.map((price) => price + 2 ** 30),
      12,
      26,
      9,
    );
    expect([...far.macd]).toEqual([...near.macd]);
    expect([...far.histogram]).toEqual([...near.histogram]);
  });

  it.each([26, 12])('refuses a fast span of %i that is not less than the slow one', (fast) => {
    const message = `macd fast must be less than slow "12", got "${fast}"`;
    expect(() => macdOf(randomWalk(60), fast, 12, 9)).toThrow(message);
  });
});

describe('bollinger', () => {
  it('is the mean and k population standard deviations on either side', () => {
    // Mean 5, squared deviations 9 1 1 1 0 0 4 16, their mean 4.
    const { upper, middle, lower } = bandsOf(Float64Array.of(2, 4, 4, 4, 5, 5, 7, 9), 8, 3);
    expect([upper[7], middle[7], lower[7]]).toEqual([11, 5, -1]);
  });

  it('is three equal bands where closes are equal, at any price level', () => {
    const { upper, middle, lower } = bandsOf(new Float64Array(50).fill(1e9 + 0.1), 20, 2);
    const bands = Float64Array.from({ length: 50 }, (_, i) => (i < 19 ? none : 1e9 + 0.1));
    for (const band of [upper, middle, lower]) expect(band).toEqual(bands);
  });

  it.each(Object.entries(hostileSeries))(
    'has the simple moving average in the middle: %s',
    (_, series) => {
      const close = series(500);
      for (const period of [1, 2, 14, 20, 200]) {
        const { upper, middle, lower } = bandsOf(close, period, 2);
        expect(bits(middle)).toEqual(bits(sma.compute(barsOf(close), { period }).sma));
        const isOrdered = (i: number) => lower[i] <= middle[i] && middle[i] <= upper[i];
        expect([...close.keys()].slice(period - 1).every(isOrdered)).toBe(true);
      }
    },
  );

  // Sums of squares of the prices leave nothing of a deviation of 1e-6 at prices near 1e9.
  it('sees deviations of a millionth at prices near 1e9', () => {
    const close = Float64Array.from({ length: 60 }, (_, i) => 2 ** 30 + (i % 2) * 2 ** -20);
    const { upper, lower } = bandsOf(close, 20, 1);
    expect(upper[59] - lower[59]).toBe(2 ** -20);
  });
});

// Typical prices of 9.83, 9.83 and 9.84. The rounding of their sums counted as a fall: 50, and
// the volume of the second bar was negative.
it.each([
  ['mfi', { period: 2 }, 'mfi', 100],
  ['klinger', { fast: 1, slow: 2, signal: 1 }, 'klinger', 0],
] as const)(
  '%s takes the same sum of three decimals for no fall',
  (name, params, output, value) => {
    const bars = {
      open: Float64Array.of(10, 10, 10),
      high: Float64Array.of(10.04, 10.1, 10.13),
      low: Float64Array.of(9.47, 9.45, 9.45),
      close: Float64Array.of(9.98, 9.94, 9.94),
      volume: Float64Array.of(100, 100, 100),
    };
    expect(indicatorByName(name)!.compute(bars, params)[output].at(-1)).toBe(value);
  },
);
