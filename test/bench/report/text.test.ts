import { expect, it } from 'vitest';
import { readable } from '../../../bench/command/report/text.ts';

// The benchmark of codings ended with a RangeError in every second run at smoke size, where neither
// of two answers took a tick of processor time.
it.each([
  [Number.NaN, 'NaN'],
  [Number.POSITIVE_INFINITY, '∞'],
  [0, '0'],
  [1e-120, '0'],
  [0.02136, '0.0214'],
  [8.526, '8.53'],
  [1530.4, '1,530'],
])('%s is readable as %s', (value, text) => {
  expect(readable(value)).toBe(text);
});
