/** Requests of keys and failed authentications in a time window, over all threads. */

import { hash } from 'node:crypto';
import { limits } from '../../../base/limits/limits.ts';
import type { ValidKey } from '../keys/key-record.ts';
import type { CountMemory } from './count-memory.ts';
import { createWindowCounters } from './window-counters.ts';

export interface RequestCounts {
  /**
   * Counts one request of a key.
   *
   * @param window Number of the window, ascending with time.
   * @returns the number of the key's requests in that window, including this one.
   */
  countRequest(key: ValidKey, window: number): number;
  /** Counts one failed authentication of a client address in the same way. */
  countFailure(client: string, window: number): number;
}

/** 32 bits number windows of a second until 2106, and no window has so many requests. */
const COUNT_BITS = 32;

export function createRequestCounts(memory: CountMemory): RequestCounts {
  const { keysMax, addressesMax } = limits.counts;
  const requests = createWindowCounters(memory.requests, COUNT_BITS);
  const failures = createWindowCounters(memory.failures, COUNT_BITS);
  return {
    countRequest: ({ number }, window) => requests.add(number % keysMax, window, 1),
    countFailure(client, window) {
      const digest = hash('sha256', memory.failureSeed + client, 'buffer');
      return failures.add(digest.readUInt32LE() % addressesMax, window, 1);
    },
  };
}
