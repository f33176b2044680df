/**
 * Requests of keys and failed authentications in a time window, over all threads. Requests on other
 * machines are added as they become known.
 */

import { hash } from 'node:crypto';
import type { ValidKey } from '../keys/key-record.ts';
import type { CountMemory } from './count-memory.ts';
import { countLimits } from './limits.ts';
import { createWindowCounters } from './window-counters.ts';

/** 32 bits number windows of a second until 2106, and no window has so many requests. */
const COUNT_BITS = 32;

export type RequestCounts = ReturnType<typeof createRequestCounts>;

export function createRequestCounts(memory: CountMemory) {
  const { keysMax, addressesMax } = countLimits;
  const requests = createWindowCounters(memory.requests, COUNT_BITS);
  const elsewhere = createWindowCounters(memory.requestsElsewhere, COUNT_BITS);
  const failures = createWindowCounters(memory.failures, COUNT_BITS);
  const count = (cell: number, window: number) =>
    requests.add(cell, window, 1) + (elsewhere.get(cell, window) ?? 0);
  return {
    /**
     * Counts one request of a key, and returns its number in the window.
     *
     * @param window Number of the window, ascending with time.
     */
    countRequest: ({ number }: ValidKey, window: number): number => count(number % keysMax, window),
    /** Counts one request for a range of a file, apart from the others. */
    countFileRequest: ({ number }: ValidKey, window: number): number =>
      count(keysMax + (number % keysMax), window),
    /** Returns the two counters of a key, to exchange them with other machines. */
    countersOf: (number: number) =>
      (['requests', 'files'] as const).map((kind, half) => {
        const cell = half * keysMax + (number % keysMax);
        return {
          kind,
          /** Returns the newest window on this machine, and its requests. */
          held: () => requests.held(cell),
          /** Sets the number of requests on other machines. */
          setElsewhere: (window: number, others: number) => elsewhere.put(cell, window, others),
        };
      }),
    /** Counts one failed authentication of a client address in the same way. */
    countFailure(client: string, window: number): number {
      const digest = hash('sha256', memory.failureSeed + client, 'buffer');
      return failures.add(digest.readUInt32LE() % addressesMax, window, 1);
    },
  };
}
