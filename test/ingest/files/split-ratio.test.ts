import { expect, it } from 'vitest';
import { splitFromRatio } from '../../../src/ingest/files/split-ratio.ts';

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
])('%d new shares per old one are %d for %d', (ratio, numerator, denominator) => {
  expect(splitFromRatio(ratio)).toEqual({ numerator, denominator });
});
