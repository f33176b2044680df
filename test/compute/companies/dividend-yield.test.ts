import { describe, expect, it } from 'vitest';
import { dividendYield } from '../../../src/compute/companies/dividend-yield.ts';

const DAY = 20_000;

const facts = {
  symbol: 'ABC',
  source: 'files',
  basis: 'raw',
  asOfUs: 0n,
  splits: [{ exDay: DAY - 100, numerator: 4, denominator: 1 }],
  dividends: [
    { exDay: DAY - 365, amount: 8 },
    { exDay: DAY - 200, amount: 2 },
    { exDay: DAY, amount: 1 },
    { exDay: DAY + 1, amount: 16 },
  ],
  actionCoverage: { fromDay: DAY - 364, toDay: DAY },
} as const;

const yieldOf = (changes: object) =>
  dividendYield(
    { ...facts, dividends: [...facts.dividends], splits: [...facts.splits], ...changes },
    DAY,
    50,
  );

describe('dividendYield', () => {
  it('sums a year of dividends on the split basis of the day', () => {
    expect(yieldOf({})).toBe((2 / 4 + 1) / 50);
  });

  it('is 0 where the year is known to have none', () => {
    expect(yieldOf({ dividends: [] })).toBe(0);
  });

  it('is null where a dividend of the year is in another currency', () => {
    const paid = (exDay: number) => ({ exDay, amount: 1908, currency: 'KRW' });
    expect(yieldOf({ dividends: [...facts.dividends, paid(DAY - 10)] })).toBeNull();
    expect(yieldOf({ dividends: [...facts.dividends, paid(DAY - 365)] })).toBe((2 / 4 + 1) / 50);
  });

  it('is null where part of the year is not known', () => {
    expect(yieldOf({ actionCoverage: undefined })).toBeNull();
    expect(yieldOf({ actionCoverage: { fromDay: DAY - 363, toDay: DAY } })).toBeNull();
    expect(yieldOf({ actionCoverage: { fromDay: 0, toDay: DAY - 1 } })).toBeNull();
  });
});
