/**
 * Compares long tables: `expect` takes most of a test if it looks at each row, and prints a whole
 * difference of thousands for minutes.
 */

import { isDeepStrictEqual } from 'node:util';

/** Number of pairs that are shown. */
const SHOWN_MAX = 3;

/**
 * Returns the first pairs of rows that differ; expect it to equal `[]`.
 *
 * @param isEqual Default: equal values, -0 and 0 apart.
 */
export function differing(
  found: readonly unknown[],
  expected: readonly unknown[],
  isEqual: (a: unknown, b: unknown) => boolean = isDeepStrictEqual,
): [found: unknown, expected: unknown][] {
  const longer = found.length > expected.length ? found : expected;
  return longer
    .keys()
    .filter((i) => i >= found.length || i >= expected.length || !isEqual(found[i], expected[i]))
    .take(SHOWN_MAX)
    .map((i): [unknown, unknown] => [found[i], expected[i]])
    .toArray();
}

/** Compares numbers as `expect.closeTo` does, in rows too; all else must be equal. */
export function isNear(digits: number): (a: unknown, b: unknown) => boolean {
  const bound = 10 ** -digits / 2;
  const isEqual = (a: unknown, b: unknown): boolean => {
    if (Array.isArray(a) && Array.isArray(b)) {
      return a.length === b.length && a.every((one, i) => isEqual(one, b[i]));
    }
    if (typeof a === 'number' && typeof b === 'number') {
      return Object.is(a, b) || Math.abs(a - b) < bound;
    }
    return isDeepStrictEqual(a, b);
  };
  return isEqual;
}
