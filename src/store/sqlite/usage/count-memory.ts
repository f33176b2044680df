/** The memory in which all threads of a server count. */

import { randomBytes } from 'node:crypto';
import { limits } from '../../../base/limits/limits.ts';

/** What a thread is given to count with the others; a message can carry it. */
export interface CountMemory {
  /** Templates of paths that usage is counted by; a count names one by its number here. */
  endpoints: readonly string[];
  /** One word of `WindowCounters` for each number of a key. */
  requests: SharedArrayBuffer;
  /** … for each hash of an address. */
  failures: SharedArrayBuffer;
  /** Makes that hash one that no client can foresee. */
  failureSeed: string;
  /** … for each number of an account, twice: one for each mode. */
  pendingTokens: SharedArrayBuffer;
  storedTokens: SharedArrayBuffer;
  usage: UsageMemory;
  /** The days that its rows are of; zero: of none. */
  usageDays: SharedArrayBuffer;
  /** One 32-bit number that rises with every change of accounts and keys. */
  accountsVersion: SharedArrayBuffer;
}

/** A hash table of rows of usage. Its columns have an element for each row. */
export interface UsageMemory {
  /** What a row counts, as one number; zero while the row is free. */
  ids: SharedArrayBuffer;
  calls: SharedArrayBuffer;
  errors: SharedArrayBuffer;
  tokens: SharedArrayBuffer;
  /** Milliseconds since the epoch. */
  lastUsed: SharedArrayBuffer;
  /** Rows in use in the order in which they were first, each number one higher than the row. */
  order: SharedArrayBuffer;
  /** How many there are, and how often anything was counted. */
  head: SharedArrayBuffer;
}

const WORD_BYTES = 8;

/** Some 100 MB of addresses; the system gives memory to those pages only that are written to. */
export function newCountMemory(endpoints: readonly string[]): CountMemory {
  const { keysMax, accountsMax, addressesMax, usageRowsMax } = limits.counts;
  const words = (count: number) => new SharedArrayBuffer(count * WORD_BYTES);
  return {
    endpoints,
    requests: words(keysMax),
    failures: words(addressesMax),
    failureSeed: randomBytes(16).toString('hex'),
    pendingTokens: words(2 * accountsMax),
    storedTokens: words(2 * accountsMax),
    usage: {
      ids: words(usageRowsMax),
      calls: words(usageRowsMax / 2),
      errors: words(usageRowsMax / 2),
      tokens: words(usageRowsMax),
      lastUsed: words(usageRowsMax),
      order: words(usageRowsMax / 2),
      head: words(1),
    },
    usageDays: words(2),
    accountsVersion: words(1),
  };
}
