/** All of some work on the database, or nothing of it; and work that can be done later as well. */

import type { DatabaseSync } from 'node:sqlite';
import { limits } from '../../limits.ts';

/** Inside of another transaction the work belongs to that one. */
export function inTransaction<T>(db: DatabaseSync, work: () => T): T {
  if (db.isTransaction) return work();
  // Immediate: a transaction that reads first and then writes would fail beside another writer.
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

/**
 * Work that no request may wait for or fail with: it is given up where another process is writing
 * just now, or the disk is full.
 *
 * @returns whether it is done.
 */
export function withoutWaiting(db: DatabaseSync, work: () => void): boolean {
  db.exec('PRAGMA busy_timeout = 0');
  try {
    work();
    return true;
  } catch {
    return false;
  } finally {
    db.exec(`PRAGMA busy_timeout = ${limits.accounts.busyTimeoutMs}`);
  }
}
