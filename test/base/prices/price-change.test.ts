import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { priceChange, priceChangePct } from '../../../src/base/prices/price-change.ts';
import { scaled } from '../../faults/scale.ts';

/** By text and BigInt, for prices below a million. */
function exactChange(price: number, previousClose: number): number {
  const units = (value: number) => {
    const [whole, fraction = ''] = value.toFixed(8).split('.');
    return BigInt(whole + fraction);
  };
  return Number(`${units(price) - units(previousClose)}e-8`);
}

describe('priceChange', () => {
  // A real quote said -0.08000000000004093.
  it('has no more decimals than the two prices', () => {
    expect(priceChange(450.14, 450.22)).toBe(-0.08);
    expect(450.14 - 450.22).not.toBe(-0.08);
    expect(priceChange(0.3, 0.1)).toBe(0.2);
    expect(priceChange(100, 99.9995)).toBe(0.0005);
    expect(priceChange(1e-7, 3e-7)).toBe(-2e-7);
    expect(priceChange(700_000.01, 700_000)).toBe(0.01);
  });

  it('equals exact decimal arithmetic', () => {
    const price = fc
      .tuple(fc.integer({ min: 1, max: 99_999_999 }), fc.integer({ min: 0, max: 8 }))
      .map(([units, decimals]) => Number(`${units}e-${decimals}`));
    fc.assert(
      fc.property(price, price, (now, before) => {
        expect(priceChange(now, before)).toBe(exactChange(now, before));
      }),
      { seed: 17, numRuns: scaled(300, 2000) },
    );
  });

  it('keeps the digits of prices that splits made', () => {
    expect(priceChange(34.5, 33.45666666666667)).toBe(1.04333333333333);
    expect(priceChange(182.00999450683594, 181.5)).toBe(0.50999450683594);
  });

  it('is zero without a sign, and NaN without a price', () => {
    expect(Object.is(priceChange(10.5, 10.5), 0)).toBe(true);
    expect(priceChange(10.5, Number.NaN)).toBeNaN();
  });
});

describe('priceChangePct', () => {
  it('is rounded to six decimals, half away from zero', () => {
    expect(priceChangePct(-0.08, 450.22)).toBe(-0.017769);
    expect(priceChangePct(1, 128)).toBe(0.78125);
    expect(priceChangePct(1, 3)).toBe(33.333333);
    expect(priceChangePct(2, 3)).toBe(66.666667);
    expect(priceChangePct(-2, 3)).toBe(-66.666667);
  });

  it('shows a cent on a price of a million, and no sign of a zero', () => {
    expect(priceChangePct(0.01, 1_000_000)).toBe(0.000001);
    expect(Object.is(priceChangePct(-1e-9, 1_000_000), 0)).toBe(true);
    expect(priceChangePct(0, 10)).toBe(0);
  });
});
