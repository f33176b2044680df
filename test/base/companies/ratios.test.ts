import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { RATIOS, type RatioInput, type RatioName } from '../../../src/base/companies/ratios.ts';

/** Value of a ratio, with all inputs that are not given unknown. */
function ratioOf(name: RatioName, inputs: Partial<Record<RatioInput, number>>): number {
  const { formula } = RATIOS.find((one) => one.name === name)!;
  return formula((input) => inputs[input] ?? Number.NaN);
}

it('is a row of the page of ratios, as it is declared', () => {
  const page = readFileSync(new URL('../../../docs/ratios.md', import.meta.url), 'utf8');
  const rows = page.split('\n').filter((line) => line.startsWith('| `'));
  expect(rows).toEqual(
    RATIOS.map(
      ({ name, title, unit, description }) =>
        `| \`${name}\` | ${title} | ${unit} | ${description} |`,
    ),
  );
});

describe('a ratio', () => {
  it('reads the inputs that it declares, and no other', () => {
    for (const { name, inputs, formula } of RATIOS) {
      const read = new Set<RatioInput>();
      formula((input) => {
        read.add(input);
        return 1;
      });
      expect([...read].sort(), name).toEqual([...inputs].sort());
    }
  });

  it('is unknown if an input is', () => {
    for (const { name, inputs, formula } of RATIOS) {
      for (const unknown of inputs) {
        expect(
          formula((input) => (input === unknown ? Number.NaN : 2)),
          name,
        ).toBeNaN();
      }
    }
  });

  it.each<[RatioName, Partial<Record<RatioInput, number>>]>([
    ['roe', { netIncome: 5, totalEquity: -10 }],
    ['debtToEquity', { totalDebt: 5, totalEquity: 0 }],
    ['pe', { price: 10, epsDiluted: -1 }],
    ['pe', { price: 10, epsDiluted: 0 }],
    ['pfcf', { marketCap: 10, freeCashFlow: -1 }],
    ['interestCover', { ebit: 10, interestExpense: 0 }],
    ['payoutRatio', { dividendsPaid: 5, netIncome: -1 }],
    ['evToEbitda', { marketCap: 10, totalDebt: 5, cash: 1, ebitda: -2 }],
    ['epsGrowth1y', { epsDiluted: 2, epsDilutedBefore: -1 }],
    ['epsGrowth3y', { epsDiluted: -2, epsDilutedBefore3y: 1 }],
    ['revenueGrowth5y', { revenue: 2, revenueBefore5y: 0 }],
    [
      'roic',
      {
        ...{ operatingIncome: 5, incomeTax: 1, pretaxIncome: -2 },
        ...{ totalDebt: 5, totalEquity: 5, cash: 1 },
      },
    ],
    [
      'roic',
      {
        ...{ operatingIncome: 5, incomeTax: 3, pretaxIncome: 2 },
        ...{ totalDebt: 5, totalEquity: 5, cash: 1 },
      },
    ],
  ])('%s is unknown for %j', (name, inputs) => {
    expect(ratioOf(name, inputs)).toBeNaN();
  });

  it.each<[RatioName, Partial<Record<RatioInput, number>>, number]>([
    ['netMargin', { netIncome: -5, revenue: 10 }, -0.5],
    ['interestCover', { ebit: -10, interestExpense: 5 }, -2],
    ['fcfYield', { freeCashFlow: -1, marketCap: 10 }, -0.1],
    ['epsGrowth1y', { epsDiluted: -1, epsDilutedBefore: 2 }, -1.5],
    ['revenueGrowth3y', { revenue: 8, revenueBefore3y: 1 }, 1],
    ['enterpriseValue', { marketCap: 10, totalDebt: 5, cash: 30 }, -15],
  ])('%s has a value below zero, or compounds: %j', (name, inputs, expected) => {
    expect(ratioOf(name, inputs)).toBeCloseTo(expected, 12);
  });
});
