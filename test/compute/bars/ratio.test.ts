import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { productOfRatios, scaleColumn } from '../../../src/compute/bars/ratio.ts';
import { scaled } from '../../faults/scale.ts';

/** value × numerator ÷ denominator in integers, rounded once, half to even. */
function exactlyRounded(value: number, numerator: number, denominator: number): number {
  const bits = new BigUint64Array(new Float64Array([value]).buffer)[0];
  const exponent = Number((bits >> 52n) & 2047n) - 1075;
  const mantissa = (bits & ((1n << 52n) - 1n)) | (1n << 52n);
  const top = mantissa * BigInt(numerator);
  const bottom = BigInt(denominator);
  // Scale so that the quotient has 54 bits or more, then round to 53 by hand.
  const shift = Math.max(0, 54 - top.toString(2).length + bottom.toString(2).length + 1);
  let quotient = (top << BigInt(shift)) / bottom;
  let isExact = quotient * bottom === top << BigInt(shift);
  let scale = exponent - shift;
  while (quotient >= 1n << 54n) {
    isExact &&= (quotient & 1n) === 0n;
    quotient >>= 1n;
    scale++;
  }
  const isHalf = (quotient & 1n) === 1n;
  let rounded = quotient >> 1n;
  if (isHalf && (!isExact || (rounded & 1n) === 1n)) rounded += 1n;
  return Number(rounded) * 2 ** (scale + 1);
}

const scale = (value: number, numerator: number, denominator: number) =>
  scaleColumn(Float64Array.of(value), { numerator, denominator })[0];

describe('scaleColumn', () => {
  it('divides by four, multiplies by ten, takes two thirds', () => {
    expect(scale(435.75, 1, 4)).toBe(108.9375);
    expect(scale(0.37, 10, 1)).toBe(3.7);
    expect(scale(100, 2, 3)).toBe(66.66666666666667);
  });

  it('rounds once where multiplying and dividing in turn would round twice', () => {
    expect((0.7 * 7) / 3).not.toBe(exactlyRounded(0.7, 7, 3));
    expect(scale(0.7, 7, 3)).toBe(exactlyRounded(0.7, 7, 3));
  });

  it('equals exact arithmetic rounded once', () => {
    const value = fc.double({ min: 1e-4, max: 1e9, noNaN: true });
    const term = fc.integer({ min: 1, max: 1_000_003 });
    fc.assert(
      fc.property(value, term, term, (price, numerator, denominator) => {
        expect(scale(price, numerator, denominator)).toBe(
          exactlyRounded(price, numerator, denominator),
        );
      }),
      { numRuns: scaled(3000, 20_000), seed: 1962 },
    );
  });

  it('keeps NaN and writes in place when asked', () => {
    const column = Float64Array.of(Number.NaN, 7, 21);
    expect(scaleColumn(column, { numerator: 3, denominator: 7 }, column)).toBe(column);
    expect(column).toEqual(Float64Array.of(Number.NaN, 3, 9));
  });
});

describe('productOfRatios', () => {
  it('is in lowest terms', () => {
    const product = productOfRatios(
      { numerator: 2, denominator: 3 },
      { numerator: 3, denominator: 4 },
    );
    expect(product).toEqual({ numerator: 1, denominator: 2 });
  });

  it('stays within a few units of the last place beyond 2^53', () => {
    // 40 stock dividends of 5 %: 21^40 has 176 bits.
    let product = { numerator: 1, denominator: 1 };
    for (let i = 0; i < 40; i++) {
      product = productOfRatios(product, { numerator: 20, denominator: 21 });
    }
    const exact = Number((20n ** 40n * 10n ** 40n) / 21n ** 40n) / 1e40;
    expect(
      Math.abs(scale(100, product.numerator, product.denominator) / (100 * exact) - 1),
    ).toBeLessThan(1e-14);
  });
});
