/** The interface of accounts: what admission needs at once, and the records behind promises. */

import type { createKeyFinder } from '../keys/key-finder.ts';
import type { RequestCounts } from '../usage/request-counts.ts';
import type { createUsageCounts } from '../usage/usage-counts.ts';
import type { AccountRecords } from './records.ts';

export type { AccountRecords, StoredRecords } from './records.ts';

/** Checks and counts of a request. They are synchronous and wait for no other process. */
export type Admission = ReturnType<typeof createKeyFinder> &
  RequestCounts &
  Pick<ReturnType<typeof createUsageCounts>, 'count' | 'addCounts' | 'tokensUsed' | 'flush'> & {
    /**
     * Returns a number that changes whenever anything but usage may have changed.
     *
     * @throws {AccountsUnreachableError} the known keys are too old.
     */
    version(): number;
    /** Returns the 32 random bytes that sign cursors in every process. */
    cursorSecret(): Buffer;
    /**
     * Returns the time of the last contact with the database of all machines, whose keys are known
     * only after `refresh`; undefined if accounts belong to this machine.
     */
    contactMs(): number | undefined;
    /** Reads what other machines have changed; resolves at once if there are none. */
    refresh(): Promise<void>;
  };

export interface OpenRecords extends AccountRecords {
  close(): Promise<void>;
}

export type Accounts = Admission & OpenRecords;
