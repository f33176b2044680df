/** Memory in which all threads of a server count what has an exact limit. */

import { randomBytes } from '../../../base/world/chance.ts';
import { countLimits } from './limits.ts';

export interface CountMemory {
  /**
   * Word of `WindowCounters` for each key number: requests in the current window. The second half
   * counts requests for files.
   */
  requests: SharedArrayBuffer;
  /** The same for requests that other machines have admitted. */
  requestsElsewhere: SharedArrayBuffer;
  /** Word for each hash of a client address: failed authentications in the current window. */
  failures: SharedArrayBuffer;
  /** Seed of that hash, which no client can foresee. */
  failureSeed: string;
  /** Two words for each account number, one a mode: tokens counted today and not written yet. */
  pendingTokens: SharedArrayBuffer;
  /** The same for tokens of today in the database. */
  storedTokens: SharedArrayBuffer;
  /** One 32-bit number that rises with every change of accounts and keys. */
  accountsVersion: SharedArrayBuffer;
  /** Time of the last contact with Postgres, in milliseconds since the epoch; 64 bits. */
  contact: SharedArrayBuffer;
}

const WORD_BYTES = 8;

/** Reserves some 200 MB of addresses; the system allocates only the pages that are written to. */
export function newCountMemory(): CountMemory {
  const { keysMax, accountsMax, addressesMax } = countLimits;
  const words = (count: number) => new SharedArrayBuffer(count * WORD_BYTES);
  return {
    requests: words(2 * keysMax),
    requestsElsewhere: words(2 * keysMax),
    failures: words(addressesMax),
    failureSeed: randomBytes(16).toString('hex'),
    pendingTokens: words(2 * accountsMax),
    storedTokens: words(2 * accountsMax),
    accountsVersion: words(1),
    contact: words(1),
  };
}
