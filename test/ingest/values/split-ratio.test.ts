import { expect, it } from 'vitest';
import { splitFromRatio, splitOfShares } from '../../../src/ingest/values/split-ratio.ts';

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
