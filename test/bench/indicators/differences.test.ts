import { expect, it } from 'vitest';
import {
  differenceKey,
  differencesFromText,
  knownDifferences,
} from '../../../bench/command/indicators/differences.ts';

it('come from the table of the documentation', () => {
  const known = knownDifferences();
  const of = (program: string, indicator: string) => known.get(differenceKey(program, indicator));
  expect(of('TA-Lib', 'macd')).toBe('starts both averages at bar 25, the line at bar 33');
  expect(of('polars-talib', 'macd')).toBe(of('TA-Lib', 'macd'));
  expect(of('pandas-ta-classic', 'zscore')).toBe('divides by `period` − 1');
  expect(of('TA-Lib', 'sma')).toBeUndefined();
});

it('are none without the table', () => {
  expect(differencesFromText('## Conventions\n')).toEqual(new Map());
});
