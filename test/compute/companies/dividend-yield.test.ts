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

  it.each([
    ['quarterly', 4, 91],
    ['monthly', 12, 30.4],
    ['weekly', 52, 7],
    ['yearly', 1, 364],
  ])(
    'counts the %s dividends of a year, of which each comes 364 days after its last',
    (_, perYear, apart) => {
      const exDays = [0, 1, 2].flatMap((year) =>
        Array.from({ length: perYear }, (_, i) => DAY - 364 * year - Math.floor(apart * i)),
      );
      const dividends = exDays.map((exDay) => ({ exDay, amount: 1 }));
      const actionCoverage = { fromDay: 0, toDay: DAY + 6 };
      const payer = { splits: [], dividends, actionCoverage };
      for (let day = DAY; day <= DAY + 6 && day < DAY + apart; day++) {
        expect(dividendYield(payer, day, 50), `${day - DAY} days after`).toBe(perYear / 50);
      }
    },
  );

  it('counts an extra dividend between those of a year', () => {
    const paid = [0, 40, 91, 182, 273].map((ago) => ({ exDay: DAY - ago, amount: 1 }));
    expect(yieldOf({ splits: [], dividends: paid })).toBe(5 / 50);
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
