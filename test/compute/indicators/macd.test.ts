import { describe, expect, it } from 'vitest';
import { ParameterError } from '../../../src/base/errors.ts';
import { ema } from '../../../src/compute/indicators/averages/ema.ts';
import { macd } from '../../../src/compute/indicators/momentum/macd.ts';
import { barsOf } from '../support/bars-of.ts';
import { randomWalk } from '../support/hostile-series.ts';

function macdOf(close: Float64Array, fast: number, slow: number, signal: number) {
  return macd.compute(barsOf(close), { fast, slow, signal });
}

const none = Number.NaN;

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

  it('has its first line at bar 25 and its first signal at bar 33 with 12, 26, 9', () => {
    const { macd: line, signal, histogram } = macdOf(randomWalk(60), 12, 26, 9);
    expect(line.findIndex(Number.isFinite)).toBe(25);
    expect(signal.findIndex(Number.isFinite)).toBe(33);
    expect(histogram.findIndex(Number.isFinite)).toBe(33);
  });

  it('is the difference of two exponential moving averages', () => {
    const close = randomWalk(300);
    const { macd: line } = macdOf(close, 12, 26, 9);
    const { ema: fast } = ema.compute(barsOf(close), { period: 12 });
    const { ema: slow } = ema.compute(barsOf(close), { period: 26 });
    for (let i = 25; i < 300; i++) expect(line[i]).toBeCloseTo(fast[i] - slow[i], 12);
  });

  it('has a histogram that is line minus signal to the last bit', () => {
    const { macd: line, signal, histogram } = macdOf(randomWalk(300), 12, 26, 9);
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

  it('refuses a fast span that is not less than the slow one', () => {
    expect(() => macdOf(randomWalk(60), 26, 12, 9)).toThrow(ParameterError);
    expect(() => macdOf(randomWalk(60), 26, 12, 9)).toThrow(
      'macd fast must be less than slow "12", got "26"',
    );
    expect(() => macdOf(randomWalk(60), 12, 12, 9)).toThrow(ParameterError);
  });

  it('goes on after a bar without a finite close as if the bar were absent', () => {
    const { macd: line, signal } = macdOf(
      Float64Array.of(1, none, 2, 3, 6, Number.POSITIVE_INFINITY, 0, 8),
      1,
      3,
      2,
    );
    expect([...line]).toEqual([none, none, none, 1, 2, none, -2, 3]);
    expect(signal[4]).toBe(1.5);
    expect(signal[5]).toBeNaN();
  });
});
