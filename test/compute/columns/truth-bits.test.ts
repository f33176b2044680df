/** A truth's bits are 1 where it is 1: not where it is 0, NaN or another number. */

import { expect, it } from 'vitest';
import { sharedMemory } from '../../../src/compute/columns/engine.ts';
import { takeTruthBits } from '../../../src/compute/columns/truth-bits.ts';
import { seededRandom } from '../support/hostile-series.ts';

const VALUES = [1, 1, 0, Number.NaN, -1, -0, 1 + Number.EPSILON, 3, Number.POSITIVE_INFINITY];
const FIRST = 96;

it.each([0, 1, 31, 32, 33, 64, 511, 512])('takes the bits of %i rows', (count) => {
  const random = seededRandom(count);
  sharedMemory.reserve(8 * (FIRST + 1024));
  const truth = sharedMemory.numbers.subarray(FIRST, FIRST + 544);
  for (let row = 0; row < truth.length; row++) {
    truth[row] = VALUES[Math.floor(random() * VALUES.length)];
  }
  const expected = Array.from({ length: 18 * 32 }, (_, bit) => {
    const row = bit - 32;
    return row >= 0 && row < count && truth[row] === 1;
  });
  const bits = new Uint32Array(18);
  takeTruthBits(truth, count, bits, 1);
  const taken = expected.map((_, bit) => ((bits[bit >>> 5] >>> (bit & 31)) & 1) === 1);
  expect(taken).toEqual(expected);
});
