/** Requests of keys and failed authentications in a time window, over all threads. */

import { hash } from 'node:crypto';
import { limits } from '../../../base/limits.ts';
import type { ValidKey } from '../keys/key-record.ts';
import type { CountMemory } from './count-memory.ts';
import { createWindowCounters } from './window-counters.ts';

/** 32 bits number windows of a second until 2106, and no window has so many requests. */
const COUNT_BITS = 32;

export type RequestCounts = ReturnType<typeof createRequestCounts>;

export function createRequestCounts(memory: CountMemory) {
  const { keysMax, addressesMax } = limits.counts;
  const requests = createWindowCounters(memory.requests, COUNT_BITS);
  const failures = createWindowCounters(memory.failures, COUNT_BITS);
  return {
    /**
     * Counts one request of a key, and returns its number in the window.
     *
     * @param window Number of the window, ascending with time.
     */
    countRequest: ({ number }: ValidKey, window: number): number =>
      requests.add(number % keysMax, window, 1),
    /** Counts one request for a range of a file, apart from the others. */
    countFileRequest: ({ number }: ValidKey, window: number): number =>
      requests.add(keysMax + (number % keysMax), window, 1),
    /** Counts one failed authentication of a client address in the same way. */
    countFailure(client: string, window: number): number {
      const digest = hash('sha256', memory.failureSeed + client, 'buffer');
      return failures.add(digest.readUInt32LE() % addressesMax, window, 1);
    },
  };
}
