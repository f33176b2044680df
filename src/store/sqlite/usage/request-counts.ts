/** Requests of keys, and failed authentications, in windows of time and over all threads. */

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
   * @returns requests of the key in that window, this one among them.
   */
  countRequest(key: ValidKey, window: number): number;
  /** Counts one failed authentication of a client, likewise. */
  countFailure(client: string, window: number): number;
}

/** Windows of a second are numbered in 32 bits until 2106; no window has as many requests. */
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
