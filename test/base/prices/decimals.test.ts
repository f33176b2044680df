/** Sums and products that a person would write: 0.3, not 0.30000000000000004. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decimalProduct, decimalSum, plainText } from '../../../src/base/prices/decimals.ts';
import { scaled } from '../../faults/scale.ts';

const decimal = fc
  .tuple(fc.integer({ min: -9_999_999, max: 9_999_999 }), fc.integer({ min: 0, max: 6 }))
  .map(([units, decimals]) => Number(`${units}e-${decimals}`));

const millionths = (value: number) => BigInt(value.toFixed(6).replace('.', ''));

describe('a sum', () => {
  it.each([
    [[0.1, 0.2], 0.3],
    [[1.1, 2.2, -3.3], 0],
    [[0.22, 0.22, 0.22, 0.22], 0.88],
    [[1e-7, 2e-7], 3e-7],
    [[9_007_199_254_740_991, 0.5], 9_007_199_254_740_992],
    [[1 / 3, 1], 1.3333333333333333],
    [[], 0],
  ])('of %j is %d', (values, sum) => {
    expect(decimalSum(values)).toBe(sum);
  });

  it('equals exact arithmetic', () => {
    fc.assert(
      fc.property(fc.array(decimal, { maxLength: 20 }), (values) => {
        const exact = values.reduce((sum, value) => sum + millionths(value), 0n);
        expect(decimalSum(values)).toBe(Number(`${exact}e-6`));
      }),
      { seed: 5, numRuns: scaled(200, 2000) },
    );
  });

  it('of what is not a number is none', () => {
    expect([decimalSum([Number.NaN, 1]), decimalSum([Infinity, 0.5])]).toEqual([NaN, Infinity]);
  });
});

describe('a product', () => {
  // The product of float64 numbers is 1036069.9999999999.
  it.each([
    [7000, 148.01, 1_036_070],
    [1234.5, 0.1, 123.45],
    [24_643_633, 3.236e-7, 7.9746796388],
    [1 / 3, 3, 1],
    [2.5, 1e-200, 2.5e-200],
  ])('of %d and %d is %d', (a, b, product) => {
    expect(decimalProduct(a, b)).toBe(product);
  });

  it('equals exact arithmetic', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 99_999 }), decimal, (shares, price) => {
        const exact = BigInt(shares) * millionths(price);
        expect(decimalProduct(shares, price) + 0).toBe(Number(`${exact}e-6`));
      }),
      { seed: 6, numRuns: scaled(200, 2000) },
    );
  });
});

it.each([
  [1e-7, 7, '0.0000001'],
  [1.23456789e-8, 4, '0.00000001235'],
  [-2e-10, 6, '-0.0000000002'],
  [0.00001234, 7, '0.00001234'],
  [12.3, 7, '12.3'],
  [0, 4, '0'],
])('%s with %s digits is %s', (value, digits, text) => {
  expect(plainText(value, digits)).toBe(text);
});
