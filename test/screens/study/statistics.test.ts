import { describe, expect, it } from 'vitest';
import { meanRanks, orderOf, rankCorrelation } from '../../../src/screens/plan/ranks.ts';
import {
  BinnedNumbers,
  clusteredT,
  criticalT,
  mean,
  medianOfCounted,
  quantile,
  takeBins,
} from '../../../src/screens/study/statistics.ts';
import { seededRandom } from '../../compute/support/hostile-series.ts';

const of = (...values: number[]) => Float64Array.from(values);

function deviation(values: Float64Array): number {
  const squares = values.map((value) => (value - mean(values)) ** 2);
  return Math.sqrt(squares.reduce((sum, square) => sum + square, 0) / (values.length - 1));
}

/** The clustered t value of events, each with its session. */
function tOf(excess: Float64Array, sessions: readonly number[], horizon: number): number {
  const center = mean(excess);
  const bySession = new Float64Array(30);
  for (const [i, session] of sessions.entries()) bySession[session] += excess[i] - center;
  const size = excess.reduce((sum, value) => sum + Math.abs(value), 0);
  return clusteredT(bySession, { center, count: excess.length, size }, horizon);
}

function quantilesOf(values: Float64Array, shares: readonly number[]): number[] {
  const bins = new Uint16Array(values.length);
  takeBins(values, bins, { start: 0, end: values.length });
  const numbers = new BinnedNumbers();
  for (const bin of bins) numbers.counts[bin]++;
  numbers.choose(shares);
  const { next, taken } = numbers;
  for (const [at, bin] of bins.entries()) if (next[bin] >= 0) taken[next[bin]++] = values[at];
  return numbers.quantiles(shares);
}

it('asks larger t values of more of them', () => {
  // qnorm(1 - 0.05 / 2 / c(1, 12, 1000, 8000))
  const expected = [1.959964, 2.86526, 4.055627, 4.517751];
  for (const [i, tests] of [1, 12, 1000, 8000].entries()) {
    expect(criticalT(tests)).toBeCloseTo(expected[i], 5);
  }
});

describe('statistics', () => {
  it('of few numbers are those of R, or undefined', () => {
    // quantile(c(1, 2, 4, 8), c(.05, .25, .5), type = 7)
    expect(quantile(of(1, 2, 4, 8), 0.05)).toBeCloseTo(1.15, 12);
    expect(quantile(of(1, 2, 4, 8), 0.25)).toBe(1.75);
    expect(quantile(of(1, 2, 4, 8), 0.5)).toBe(3);
    expect(quantile(of(7), 0.95)).toBe(7);
    expect([mean(of()), quantile(of(), 0.5)]).toEqual([NaN, NaN]);
  });

  it('of many numbers are those of the sorted ones, to the bit', () => {
    const random = seededRandom(5);
    const sizes = [5, 6, 599, 5000, 50_001, 70_001];
    for (const [digits, length] of [17, 3, 1].flatMap((one) => sizes.map((size) => [one, size]))) {
      const values = Float64Array.from({ length }, () =>
        Number(((random() - 0.5) ** 3).toPrecision(digits)),
      );
      values.set([-0, 0, 1e300, -1e300, 5e-324]);
      const shares = [0, 0.05, 0.25, 0.5, 0.75, 0.95, 1];
      const sorted = values.toSorted();
      expect(quantilesOf(values, shares)).toEqual(shares.map((share) => quantile(sorted, share)));
    }
  });

  it('of counted numbers are those of each written as often', () => {
    const median = (...counts: number[]) =>
      medianOfCounted(
        of(3, 1, 2),
        Uint32Array.of(1, 2, 0),
        of(...counts),
        counts.reduce((a, b) => a + b),
      );
    expect([median(1, 1, 1), median(5, 1, 1), median(0, 3, 3)]).toEqual([2, 3, 1.5]);
    expect([median(0, 0, 4), median(2, 2, 0), median(0, 0, 0)]).toEqual([2, 2, NaN]);
  });

  it('of one event a session and a horizon of one is the t value with n in place of n − 1', () => {
    const excess = of(0.01, 0.03, -0.02, 0.05, 0);
    const plain = mean(excess) / (deviation(excess) / Math.sqrt(5));
    expect(tOf(excess, [0, 3, 4, 9, 20], 1)).toBeCloseTo(plain * Math.sqrt(5 / 4), 12);
  });

  it('counts events of one session as one', () => {
    const once = tOf(of(0.01, 0.03, -0.02), [1, 2, 3], 1);
    const twice = of(0.01, 0.01, 0.03, 0.03, -0.02, -0.02);
    expect(tOf(twice, [1, 1, 2, 2, 3, 3], 1)).toBeCloseTo(once, 12);
  });

  it('has no t value without variance', () => {
    expect(tOf(of(0.01), [1], 5)).toBeNaN();
    expect(tOf(of(0.5, 0.5), [1, 2], 5)).toBeNaN();
    // Sessions whose excess adds up to 0 but for rounding.
    expect(tOf(of(0.1, 0.2, -0.3, 0.1, -0.1), [1, 1, 1, 2, 2], 5)).toBeNaN();
  });
});

describe('ranks', () => {
  it('of equal values are the mean of theirs', () => {
    expect(meanRanks(of(5, 1, 5, 3))).toEqual(of(3.5, 1, 3.5, 2));
  });

  it('correlate as cor(method = "spearman") does', () => {
    const correlation = (sorted: Float64Array, values: Float64Array) =>
      rankCorrelation(sorted, values, orderOf(values));
    expect(correlation(of(1, 2, 3, 4), of(2, 4, 8, 16))).toBe(1);
    expect(correlation(of(1, 2, 3, 4), of(4, 3, 2, 1))).toBe(-1);
    expect(correlation(of(1, 2, 2, 4), of(3, 1, 4, 2))).toBeCloseTo(-0.3162278, 7);
    expect(correlation(of(1, 1), of(1, 2))).toBeNaN();
    expect(correlation(of(1), of(1))).toBeNaN();
  });

  it('order numbers as a comparing function does, equal ones by their place', () => {
    const random = seededRandom(8);
    const rounded = Float64Array.from({ length: 5000 }, () =>
      Number(((random() - 0.5) ** 3).toPrecision(2)),
    );
    rounded.set([-0, 0, 1e300, -1e300, 5e-324, -5e-324, Infinity, -Infinity, 1 + 2 ** -52, 1]);
    // Upper halves are equal.
    const near = Float64Array.from({ length: 500 }, () => -1 - random() / 2 ** 25);
    for (const values of [rounded, near, of(), of(7)]) {
      const places = Array.from(values.keys());
      const compared = places.sort((a, b) => values[a] - values[b] || a - b);
      expect(Array.from(orderOf(values))).toEqual(compared);
    }
  });
});
