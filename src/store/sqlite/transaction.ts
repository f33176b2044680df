/** All of some work on the database, or nothing of it; and work that can be done later as well. */

import type { DatabaseSync } from 'node:sqlite';
import { StoreBusyError } from '../../base/errors.ts';
import { step } from '../../base/failpoints.ts';
import { limits } from '../../base/limits/limits.ts';

const SQLITE_BUSY = 5;

/**
 * Inside of another transaction the work belongs to that one.
 *
 * @throws {StoreBusyError} another process has been writing for `limits.accounts.busyTimeoutMs`.
 */
export function inTransaction<T>(db: DatabaseSync, work: () => T): T {
  if (db.isTransaction) return work();
  begin(db);
  try {
    const result = work();
    step('commit accounts');
    db.exec('COMMIT');
    step('accounts committed');
    return result;
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

/**
 * As `inTransaction`, and on the disk when it returns: what somebody was told, such as a new key or
 * that one is revoked, must outlive a power cut. Counts and leases need not, and cost no `fsync`.
 */
export function inDurableTransaction<T>(db: DatabaseSync, work: () => T): T {
  // It belongs to a transaction whose own commit counts.
  if (db.isTransaction) return work();
  db.exec('PRAGMA synchronous = FULL');
  try {
    return inTransaction(db, work);
  } finally {
    db.exec('PRAGMA synchronous = NORMAL');
  }
}

/** Immediate: a transaction that reads first and then writes would fail beside another writer. */
function begin(db: DatabaseSync): void {
  try {
    db.exec('BEGIN IMMEDIATE');
  } catch (cause) {
    if ((cause as { errcode?: number }).errcode !== SQLITE_BUSY) throw cause;
    const message = 'accounts.sqlite is being written by another process: try again';
    throw new StoreBusyError('another process', message, { cause });
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
