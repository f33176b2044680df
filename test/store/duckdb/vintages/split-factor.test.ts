import { describe, expect, it } from 'vitest';
import { splitFactorOf } from '../../../../src/store/duckdb/vintages/split-factor.ts';

describe('splitFactorOf', () => {
  it('is 1 where both vintages state the same volumes', () => {
    expect(splitFactorOf(0.9951, [1, 1, 1.0004, 0.97])).toBe(1);
    expect(splitFactorOf(0.25, [1, 1, 1])).toBe(1);
  });

  it('is the factor where volumes move inversely to prices', () => {
    expect(splitFactorOf(0.25, [0.25, 0.2501, 0.25, 1])).toBe(0.25);
    expect(splitFactorOf(0.9951, [0.9951, 0.9951, 0.9951])).toBe(0.9951);
  });

  it('is the part of a split where a dividend is in the factor too', () => {
    expect(splitFactorOf(0.2475, [0.25, 0.25, 0.25, 0.25, 0.25])).toBe(0.25);
    expect(splitFactorOf(9.8, [10, 10, 10, 10, 10])).toBe(10);
  });

  it('is the nearer of 1 and the factor where volumes were corrected', () => {
    expect(splitFactorOf(0.25, [0.9])).toBe(1);
    expect(splitFactorOf(0.25, [0.27])).toBe(0.25);
    expect(splitFactorOf(0.5, [0.01, 0.01, 0.01, 0.01, 0.01, 0.01])).toBe(0.5);
  });

  it('takes a small factor for a dividend’s where no volume tells', () => {
    expect(splitFactorOf(0.98, [])).toBe(1);
    expect(splitFactorOf(0.98, [Number.NaN, 0, Number.POSITIVE_INFINITY])).toBe(1);
    expect(splitFactorOf(0.5, [])).toBe(0.5);
  });
});
