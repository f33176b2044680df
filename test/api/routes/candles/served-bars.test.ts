import { expect, it } from 'vitest';
import { responseBasis } from '../../../../src/api/routes/candles/served-bars.ts';
import { dateFromDay } from '../../../../src/base/time/dates.ts';
import { fixtureSymbols, infoOf, LAST_DAY } from '../../support/market-fixture.ts';

it('says which dividend stands in the way of the adjustment all', () => {
  const info = infoOf(fixtureSymbols()[0]);
  expect(responseBasis(info, 'all')).toBe('all');
  const dividends = [...info.dividends, { exDay: LAST_DAY - 9, amount: 0.915, currency: 'CAD' }];
  const date = dateFromDay(LAST_DAY - 9);
  expect(() => responseBasis({ ...info, dividends }, 'all')).toThrow(
    'adjustment must be raw or split for ABC, whose stored basis is raw ' +
      `(its dividend of ${date} is in CAD), got "all"`,
  );
  expect(responseBasis({ ...info, dividends }, undefined)).toBe('split');
});
