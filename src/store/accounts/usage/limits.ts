/**
 * Sizes of the counters that threads share; powers of two. Keys and accounts are counted by row
 * number, addresses by hash. Beyond these sizes, two of them share a counter.
 */
export const countLimits = {
  keysMax: 2 ** 22,
  accountsMax: 2 ** 20,
  addressesMax: 2 ** 20,
};
