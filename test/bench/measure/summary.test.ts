import { expect, it } from 'vitest';
import { spreadOf, summaryOf } from '../../../bench/command/measure/summary.ts';

it('interpolates quartiles', () => {
  const summary = summaryOf([4, 1, 3, 2]);
  expect(summary).toEqual({
    count: 4,
    min: 1,
    lowerQuartile: 1.75,
    median: 2.5,
    upperQuartile: 3.25,
    max: 4,
  });
  expect(spreadOf(summary)).toBe(0.3);
});

it('summarises one sample', () => {
  expect(summaryOf([7])).toMatchObject({ lowerQuartile: 7, median: 7, upperQuartile: 7 });
});
