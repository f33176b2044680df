import { describe, expect, it } from 'vitest';
import { meanRanks, rankCorrelation } from '../../../src/screens/study/rank-correlation.ts';
import {
  clusteredT,
  mean,
  quantile,
  sampleDeviation,
} from '../../../src/screens/study/statistics.ts';

const of = (...values: number[]) => Float64Array.from(values);

describe('statistics', () => {
  it('of few numbers are those of R, or undefined', () => {
    // quantile(c(1, 2, 4, 8), c(.05, .25, .5), type = 7) and sd
    expect(quantile(of(1, 2, 4, 8), 0.05)).toBeCloseTo(1.15, 12);
    expect(quantile(of(1, 2, 4, 8), 0.25)).toBe(1.75);
    expect(quantile(of(1, 2, 4, 8), 0.5)).toBe(3);
    expect(quantile(of(7), 0.95)).toBe(7);
    expect(sampleDeviation(of(1, 2, 4, 8))).toBeCloseTo(3.0956959, 7);
    expect([mean(of()), quantile(of(), 0.5), sampleDeviation(of(1))]).toEqual([NaN, NaN, NaN]);
  });

  it('of one event a session and a horizon of one is the t value with n in place of n − 1', () => {
    const excess = of(0.01, 0.03, -0.02, 0.05, 0);
    const plain = mean(excess) / (sampleDeviation(excess) / Math.sqrt(5));
    const sessions = Int32Array.of(0, 3, 4, 9, 20);
    expect(clusteredT(excess, sessions, 1)).toBeCloseTo(plain * Math.sqrt(5 / 4), 12);
  });

  it('counts events of one session as one', () => {
    const once = clusteredT(of(0.01, 0.03, -0.02), Int32Array.of(1, 2, 3), 1);
    const twice = of(0.01, 0.01, 0.03, 0.03, -0.02, -0.02);
    expect(clusteredT(twice, Int32Array.of(1, 1, 2, 2, 3, 3), 1)).toBeCloseTo(once, 12);
  });

  it('has no t value without variance', () => {
    expect(clusteredT(of(0.01), Int32Array.of(1), 5)).toBeNaN();
    expect(clusteredT(of(0.5, 0.5), Int32Array.of(1, 2), 5)).toBeNaN();
  });
});

describe('ranks', () => {
  it('of equal values are the mean of theirs', () => {
    expect(meanRanks(of(5, 1, 5, 3))).toEqual(of(3.5, 1, 3.5, 2));
  });

  it('correlate as cor(method = "spearman") does', () => {
    expect(rankCorrelation(of(1, 2, 3, 4), of(2, 4, 8, 16))).toBe(1);
    expect(rankCorrelation(of(1, 2, 3, 4), of(4, 3, 2, 1))).toBe(-1);
    expect(rankCorrelation(of(1, 2, 2, 4), of(3, 1, 4, 2))).toBeCloseTo(-0.3162278, 7);
    expect(rankCorrelation(of(1, 1), of(1, 2))).toBeNaN();
  });
});
