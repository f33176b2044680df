/**
 * Number of random histories for a property of a whole store. Each fills some stores, which takes a
 * second or more: a few in CI, many in the long form (`npm run test:long properties`).
 */

/** The long form, which CI leaves out. */
export const isLong = process.env.TAPEWORKS_FAULTS === 'long';

export const STORE_RUNS = isLong ? 50 : 2;

/** Returns the cases that CI tries: every `nth` from the first on. The long form tries all. */
export function someOf<T>(all: Iterable<T>, nth = 3): T[] {
  return [...all].filter((_, i) => isLong || i % nth === 0);
}
