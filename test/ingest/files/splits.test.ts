import { expect, it } from 'vitest';
import { dayFromDate } from '../../../src/base/time/dates.ts';
import {
  declaredDividends,
  splitFromRatio,
  splitOfShares,
} from '../../../src/ingest/files/splits.ts';

it.each([
  [4, 4, 1],
  [1.5, 3, 2],
  [0.125, 1, 8],
  [0.333333, 1, 3],
  [0.142857, 1, 7],
  [1.281, 1281, 1000],
  [0.0001, 1, 10000],
  [0.001, 1, 1000],
  [1.000001, 1, 1],
  [1.253, 1253, 1000],
  [1.281, 1281, 1000],
  [1.1, 11, 10],
  [1.05, 21, 20],
  [1.001, 1001, 1000],
  [1.0325, 413, 400],
  [2.018, 1009, 500],
  [1.333333, 4, 3],
  [1.6667, 5, 3],
  [0.666666, 2, 3],
  [0.333, 1, 3],
  [0.066667, 1, 15],
  [0.0667, 1, 15],
  [0.04, 1, 25],
  [0.004, 1, 250],
  [1 / 3, 1, 3],
  [1 / 700, 1, 700],
  [1149 / 917, 1149, 917],
  [1 + 0.05, 21, 20],
  [1.1 * 3, 33, 10],
  [25, 25, 1],
  [3500, 3500, 1],
])('%d new shares per old one are %d for %d', (ratio, numerator, denominator) => {
  expect(splitFromRatio(ratio)).toEqual({ numerator, denominator });
});

it.each([
  [1253, 1000, 1253, 1000],
  [8364, 2000, 2091, 500],
  [1.5, 1, 3, 2],
  [1, 15, 1, 15],
  [1, 0.333333, 3, 1],
  [0.333333, 1, 1, 3],
  [100, 60, 5, 3],
])(
  '%d new shares for %d old ones are %d for %d',
  (newShares, oldShares, numerator, denominator) => {
    expect(splitOfShares(newShares, oldShares)).toEqual({ numerator, denominator });
  },
);

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
