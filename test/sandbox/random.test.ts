import { describe, expect, it } from 'vitest';
import { normalAt, seedAt, uniformAt } from '../../src/sandbox/random.ts';

/** Mean and standard deviation of `count` values. */
function moments(count: number, value: (i: number) => number): [mean: number, spread: number] {
  let sum = 0;
  let squares = 0;
  for (let i = 0; i < count; i++) {
    sum += value(i);
    squares += value(i) ** 2;
  }
  return [sum / count, Math.sqrt(squares / count - (sum / count) ** 2)];
}

describe('sandbox numbers', () => {
  it('are the same on every machine', () => {
    expect([seedAt(1, 2), seedAt(1, 3), seedAt(2, 2), seedAt(0, 0)]).toEqual([
      4_179_476_545, 13_991_894, 764_352_953, 340_428_713,
    ]);
    expect(normalAt(7, 9)).toBe(0.8694611735138081);
  });

  it('are uniform and normal', () => {
    const [mean, spread] = moments(100_000, (i) => uniformAt(5, i));
    expect(mean).toBeCloseTo(0.5, 2);
    expect(spread).toBeCloseTo(Math.sqrt(1 / 12), 2);
    const [normalMean, normalSpread] = moments(100_000, (i) => normalAt(6, i));
    expect(normalMean).toBeCloseTo(0, 2);
    expect(normalSpread).toBeCloseTo(1, 2);
  });
});
