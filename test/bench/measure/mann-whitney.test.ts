/** The test that tells changes from noise. */

import { describe, expect, it } from 'vitest';
import { mannWhitney } from '../../../bench/command/measure/mann-whitney.ts';

/** The p-value by counting all ways to choose the places of the first samples. */
function countedP(a: readonly number[], b: readonly number[]): number {
  const all = [...a, ...b].sort((x, y) => x - y);
  const uOf = (ranks: readonly number[]) =>
    ranks.reduce((sum, rank) => sum + rank + 1, 0) - (a.length * (a.length + 1)) / 2;
  const least = (u: number) => Math.min(u, a.length * b.length - u);
  const seen = least(uOf(a.map((value) => all.indexOf(value))));
  let extreme = 0;
  let total = 0;
  for (let set = 0; set < 2 ** all.length; set++) {
    const ranks = all.flatMap((_, rank) => ((set >> rank) & 1 ? [rank] : []));
    if (ranks.length !== a.length) continue;
    total++;
    if (least(uOf(ranks)) <= seen) extreme++;
  }
  return extreme / total;
}

describe('the Mann-Whitney test', () => {
  it('gives the chance of complete separation', () => {
    expect(mannWhitney([1, 2, 3], [4, 5, 6])).toBeCloseTo(2 / 20, 12);
    expect(mannWhitney([1, 2, 3, 4, 5], [6, 7, 8, 9, 10])).toBeCloseTo(2 / 252, 12);
    expect(mannWhitney([9, 8, 7], [1, 2, 3])).toBeCloseTo(2 / 20, 12);
  });

  it('equals the count of all orders', () => {
    for (const [a, b] of [
      [
        [1, 4, 9],
        [2, 3, 5, 7],
      ],
      [
        [1, 2, 8, 9],
        [3, 4, 5, 6, 7],
      ],
      [[5], [1, 2, 3]],
    ]) {
      expect(mannWhitney(a, b)).toBeCloseTo(Math.min(1, countedP(a, b)), 12);
    }
  });

  it('gives 1 for samples that are equal', () => {
    expect(mannWhitney([3, 3, 3], [3, 3, 3])).toBe(1);
  });
});
