/**
 * How many random histories a property of a whole store is tried with. Each fills some stores,
 * which takes a second or more: a few in CI, many in the long form (`npm run test:long properties`).
 */

/** The long form, which CI leaves out. */
export const isLong = process.env.TAPEWORKS_FAULTS === 'long';

export const STORE_RUNS = isLong ? 50 : 2;

/** Of all cases, those that CI tries: every third or `nth`, from one end to the other. */
export function someOf<T>(all: Iterable<T>, nth = 3): T[] {
  return [...all].filter((_, i) => isLong || i % nth === 0);
}
