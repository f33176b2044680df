import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { limits } from '../../src/base/limits.ts';
import { rounderOrNone, rounderTo } from '../../src/base/significant-digits.ts';

const { min, max } = limits.digits;
const digits = fc.integer({ min, max });
const exact = (value: number, count: number) => Number(value.toPrecision(count));

/** Middles between two numbers of few digits, and their neighbours, where a product may decide. */
const middles = fc
  .tuple(fc.integer({ min: 1, max: 10 ** 9 }), fc.integer({ min: -12, max: 30 }), fc.nat(4))
  .map(([whole, exponent, step]) => Number(`${whole}5e${exponent}`) * (1 + (step - 2) * 2 ** -52));

const powers = fc
  .tuple(fc.integer({ min: -300, max: 300 }), fc.nat(4))
  .map(([exponent, step]) => Number(`1e${exponent}`) * (1 + (step - 2) * 2 ** -52));

describe('rounderTo', () => {
  it('rounds as toPrecision does, whatever was rounded before', () => {
    const values = fc.array(fc.oneof(fc.double(), middles, powers), { minLength: 1 });
    const signs = fc.constantFrom(1, -1);
    fc.assert(
      fc.property(values, digits, signs, (given, count, sign) => {
        const round = rounderTo(count);
        const signed = given.map((value) => sign * value);
        const finite = signed.filter((value) => Number.isFinite(value) && value !== 0);
        expect(finite.map(round)).toEqual(finite.map((value) => exact(value, count)));
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    [6, 123.4565, 123.457],
    [6, 999999.5, 1000000],
    [3, 0.1 + 0.2, 0.3],
    [1, 95, 100],
    [2, 1234567, 1200000],
    [17, 0.1, 0.1],
    [5, -1.000_05, -1.0001],
    [4, 5e-324, 5e-324],
  ])('of %i digits makes %d to %d', (count, value, rounded) => {
    expect(rounderTo(count)(value)).toBe(rounded);
  });

  it('leaves zeros and what is not finite as it is', () => {
    for (const value of [0, -0, Number.NaN, Infinity, -Infinity]) {
      expect(rounderTo(3)(value)).toBe(value);
    }
  });
});

it('rounds nothing without digits', () => {
  expect(rounderOrNone(undefined)(1 / 3)).toBe(1 / 3);
});
