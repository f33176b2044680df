/** Divides tests between those that each push runs and the long form (`npm run test:long`). */

import { it } from 'vitest';
import { isLong, scaled } from '../faults/scale.ts';

/**
 * Number of random histories for a property of a whole store. Each fills some stores, which takes a
 * second or more.
 */
export const STORE_RUNS = scaled(1, 15);

/** Returns the cases that CI tries: every `nth` from the first on. The long form tries all. */
export function someOf<T>(all: Iterable<T>, nth: number): T[] {
  return [...all].filter((_, i) => isLong || i % nth === 0);
}

/** Registers a test of the long form alone: a shorter one holds what it promises. */
export const long = it.runIf(isLong);
