import { expect, it } from 'vitest';
import { dayFromDate } from '../../../src/base/time/dates.ts';
import { declaredDividends } from '../../../src/ingest/values/declared-dividends.ts';

const splits = [
  { exDay: dayFromDate('2014-06-09'), numerator: 7, denominator: 1 },
  { exDay: dayFromDate('2020-08-31'), numerator: 4, denominator: 1 },
];

it.each([
  ['before both splits', '2014-05-08', 0.1175, 3.29],
  ['between them', '2020-02-07', 0.1925, 0.77],
  ['on the day of a split, which is on the new basis', '2020-08-31', 0.205, 0.205],
  ['after both', '2020-11-06', 0.205, 0.205],
])('a dividend %s is what was declared', (_when, date, stated, declared) => {
  const exDay = dayFromDate(date);
  expect(declaredDividends([{ exDay, amount: stated }], splits)).toEqual([
    { exDay, amount: declared },
  ]);
});
