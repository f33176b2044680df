/** Which state of the accounts a thread may go on with: one number for all threads. */

import type { DatabaseSync } from 'node:sqlite';
import type { SharedCounts } from '../usage/count-memory.ts';

export interface SharedVersion {
  /** A number that differs after anything but usage may have changed. */
  version(): number;
  /** Something has changed, and every thread has to know at its next request. */
  changed(): void;
}

/**
 * The writer's thread looks whether other processes have committed, and tells all others: their
 * own connections could not tell its commits of usage from anything else.
 */
export function createSharedVersion(
  db: DatabaseSync,
  { memory, post }: SharedCounts,
): SharedVersion {
  const element = new Int32Array(memory.accountsVersion);
  // Counts what other connections commit.
  const dataVersion = db.prepare('PRAGMA data_version');
  const committed = () => Number(dataVersion.get()?.data_version);
  let known = committed();
  const changed = () => void Atomics.add(element, 0, 1);
  return {
    changed,
    version() {
      if (!post) {
        const newest = committed();
        if (newest !== known) changed();
        known = newest;
      }
      return Atomics.load(element, 0);
    },
  };
}
