import { expect, test } from 'vitest';
import { mostAgreed, roundFactor } from '../../../../src/store/duckdb/vintages/factor.ts';

test('a factor is 1 or a split where rounding can not tell it from that', () => {
  expect(roundFactor({ low: 0.9999, high: 1.0002 }, 1.00001)).toBe(1);
  expect(roundFactor({ low: 0.24999, high: 0.25001 }, 0.249996)).toBe(0.25);
  expect(roundFactor({ low: 0.0199, high: 0.0201 }, 0.02001)).toBe(1 / 50);
  expect(roundFactor({ low: 49.9, high: 50.1 }, 50.01)).toBe(50);
  expect(roundFactor({ low: 1.4999, high: 1.5001 }, 1.5)).toBe(1.5);
});

test('a factor is the estimate where that is plainly another, within the interval', () => {
  expect(roundFactor({ low: 0.97, high: 0.99 }, 0.98)).toBe(0.98);
  expect(roundFactor({ low: 0.99, high: 1.0005 }, 0.995)).toBe(0.995);
  expect(roundFactor({ low: 0.98, high: 0.981 }, 0.99)).toBe(0.981);
});

test('most agree on what all contain, on the majority otherwise, on the nearest to 1 of equals', () => {
  expect(
    mostAgreed([
      { low: 1, high: 3 },
      { low: 2, high: 4 },
    ]),
  ).toEqual({ low: 2, high: 3 });
  expect(
    mostAgreed([
      { low: 0.4, high: 0.6 },
      { low: 0.45, high: 0.55 },
      { low: 0.9, high: 1.1 },
    ]),
  ).toEqual({ low: 0.45, high: 0.55 });
  expect(
    mostAgreed([
      { low: 0.4, high: 0.5 },
      { low: 1.1, high: 1.2 },
    ]),
  ).toEqual({ low: 1.1, high: 1.2 });
  expect(mostAgreed([])).toBeUndefined();
});
