/** Explanations of ratios. */

import { expect, it } from 'vitest';
import { type CompanyFigures, FIGURE_NAMES } from '../../../src/base/companies/figures.ts';
import { RATIOS } from '../../../src/base/companies/ratios.ts';
import { explainedRatios } from '../../../src/compute/companies/explain-ratios.ts';
import { ratioInputs, ratioValues } from '../../../src/compute/companies/ratio-values.ts';

const unknown = Object.fromEntries(FIGURE_NAMES.map((name) => [name, Number.NaN]));

function reasonsOf(figures: Partial<CompanyFigures>, price = 10, isPriced = true) {
  const all = { ...unknown, isInDollars: 1, filedDay: 20_000, ...figures } as CompanyFigures;
  const values = { price, ...ratioValues(all, [], price, 20_000) };
  const input = ratioInputs(all, [], price, 20_000);
  const known = { figures: all, isPriced, filedAt: '2025-01-01T00:00:00.000Z' };
  const { figures: explained } = explainedRatios(values, input, known);
  return { explained, of: (name: string) => explained[name].reason };
}

it('show the inputs of a ratio', () => {
  const { explained } = reasonsOf({ netIncome: 5, revenue: 20 });
  expect(explained.netMargin).toMatchObject({
    verdict: 'proved',
    reason: null,
    lines: [
      { concept: 'netIncome', value: 5 },
      { concept: 'revenue', value: 20 },
    ],
  });
});

it('name the unknown input, or the divisor that is not above zero', () => {
  const { of } = reasonsOf({ netIncome: -5, revenue: 20, totalEquity: -3, epsDiluted: -1 });
  expect(of('roa')).toBe('totalAssets is unknown in the balance sheet');
  const days = { balanceDay: 20_000, periodDay: 20_089, revenue: 5 };
  expect(reasonsOf(days).of('roa')).toBe('netIncome is unknown in the twelve months to 2025-01-01');
  expect(reasonsOf({ ...days, netIncome: 1 }).of('roa')).toBe(
    'totalAssets is unknown in the balance sheet of 2024-10-04',
  );
  expect(of('roe')).toBe('totalEquity is not above zero');
  expect(of('pe')).toBe('epsDiluted is not above zero');
  expect(of('revenueGrowth1y')).toBe('no comparable twelve months a year before');
  const roicOf = (incomeTax: number) => {
    const capital = { totalDebt: 4, totalEquity: 15, cash: 1 };
    return reasonsOf({ operatingIncome: 9, pretaxIncome: 2, incomeTax, ...capital }).of('roic');
  };
  expect(roicOf(3)).toBe('incomeTax is above pretaxIncome');
  expect(roicOf(-3)).toBe('incomeTax is below zero');
  expect(roicOf(0)).toBeNull();
});

it('say why there is no price, or no capitalization', () => {
  expect(reasonsOf({ epsDiluted: 1 }, Number.NaN).of('pe')).toBe(
    'no price in the seven days to the day',
  );
  expect(reasonsOf({ epsDiluted: 1 }, Number.NaN, false).of('marketCap')).toBe(
    'its price is not that of a share, or of a number of shares that the own column ads_ratio states',
  );
  const old = { epsDiluted: 1, revenue: 5, shares: 3, sharesDay: 20_000, filedDay: 19_599 };
  const APART = 'the price and the filing of 2023-08-30 are more than a year apart';
  expect(['pe', 'ps', 'marketCap'].map(reasonsOf(old).of)).toEqual([APART, APART, null]);
  expect(reasonsOf({ ...old, filedDay: 19_600 }).of('ps')).toBeNull();
  expect(reasonsOf({ sharesDay: 20_000 }).of('pe')).toMatch(/ads_ratio/);
  expect(reasonsOf({}, Number.NaN).of('priceDate')).toBe('no price in the seven days to the day');
  expect(reasonsOf({}).of('priceDate')).toBeNull();
  expect(reasonsOf({}).of('marketCap')).toBe('the shares outstanding are unknown');
  expect(reasonsOf({ epsDiluted: 1, isInDollars: 0 }).of('pe')).toBe(
    'the company reports in another currency than the dollar',
  );
});

it('have a reason for each null, and none beside a value', () => {
  const random = [0, -7, 3, Number.NaN];
  for (let round = 0; round < 200; round++) {
    const figures = FIGURE_NAMES.map((name, i) => [
      name,
      random[(round * 7 + i * 13 + round * i) % 4],
    ]);
    const { explained } = reasonsOf(Object.fromEntries(figures));
    for (const { name } of RATIOS) {
      const { verdict, reason } = explained[name];
      expect(verdict === null ? reason : 'none').toMatch(/\w/);
      expect(verdict === null).toBe(reason !== null);
    }
  }
});
