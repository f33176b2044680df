/** Lines of an axis. */

import { expect, it } from 'vitest';
import { axisTicks } from '../../../src/page/parts/axis-ticks.ts';

it.each([
  [
    [467, 29],
    [0, 200, 400, 600],
  ],
  [
    [1, 2, 3],
    [0, 1, 2, 3],
  ],
  [
    [-120, 300],
    [-200, 0, 200, 400],
  ],
  [
    [-5, -20],
    [-20, -15, -10, -5, 0],
  ],
  [[0], [0, 1]],
  [[], [0, 1]],
])('for %j are %j', (values, ticks) => {
  expect(axisTicks(values)).toEqual(ticks);
});
