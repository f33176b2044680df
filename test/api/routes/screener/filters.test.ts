/** Filters are expressions: each is what a condition with the same meaning is compiled to. */

import { expect, it } from 'vitest';
import { screenerQuery } from '../../../../src/api/routes/screener/query.ts';
import { compileScreen } from '../../../../src/screens/plan/compile.ts';
import { evaluateExpression } from '../../../../src/screens/plan/evaluate.ts';

const filtersOf = (query: string) => screenerQuery(query, undefined).filters;
const expressionsOf = (where: string) =>
  compileScreen({ where }).conditions.map(({ expression }) => expression);

it.each([
  ['pe_ratio_min=5&pe_ratio_max=30', 'pe_ratio between 5 and 30'],
  ['pe_ratio_max=30', 'pe_ratio <= 30'],
  ['pe_ratio_max=30', '30 >= pe_ratio'],
  ['dividend_yield_min=0.02', 'dividend_yield >= 0.02'],
  ['sector=Technology,energy', "sector in ('technology', 'Energy')"],
  ['market_cap_min=1e9&country=us', "market_cap >= 1B and country = 'US'"],
])('%s is %s', (query, where) => {
  expect(filtersOf(query)).toEqual(expressionsOf(where));
});

it.each([
  ['price > 5', [0, 0, 1, Number.NaN]],
  ['price >= 5', [0, 1, 1, Number.NaN]],
  ['price < 5', [1, 0, 0, Number.NaN]],
  ['price <= 5', [1, 1, 0, Number.NaN]],
  ['price = 5', [0, 1, 0, Number.NaN]],
  ['price != 5', [1, 0, 1, Number.NaN]],
  ['5 < price', [0, 0, 1, Number.NaN]],
  ['price > 0', [1, 1, 1, Number.NaN]],
  ['price < 0', [0, 0, 0, Number.NaN]],
  ['price not between 5 and 6', [1, 0, 1, Number.NaN]],
])('%s compares to the last bit', (where, expected) => {
  const price = Float64Array.of(4.999999999999999, 5, 6.000000000000001, Number.NaN);
  const values = { count: 4, bars: [], number: () => price, text: () => [] };
  const [expression] = expressionsOf(where);
  expect([...evaluateExpression(expression, values)]).toEqual(expected);
});
