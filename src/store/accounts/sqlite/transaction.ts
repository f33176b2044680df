/** Transactions of `accounts.sqlite`, and work that may be put off. */

import type { DatabaseSync } from 'node:sqlite';
import { StoreBusyError } from '../../../base/errors.ts';
import { failpoint } from '../../../base/failpoints.ts';
import { limits } from '../../../base/limits.ts';
import type { TransactionRules } from '../database/sql.ts';

const SQLITE_BUSY = 5;

/**
 * Runs work in a transaction, or in the one that is open already.
 *
 * @throws {StoreBusyError} another process has been writing for `limits.accounts.busyTimeoutMs`.
 */
export function inTransaction<T>(db: DatabaseSync, work: () => T): T {
  if (db.isTransaction) return work();
  begin(db);
  try {
    const result = work();
    commit(db);
    return result;
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

/** Begins a transaction that `endTransaction` ends. @throws {StoreBusyError} as `inTransaction`. */
export function beginTransaction(
  db: DatabaseSync,
  { isDurable = false, isImpatient = false }: TransactionRules,
): void {
  if (isDurable) db.exec('PRAGMA synchronous = FULL');
  if (isImpatient) db.exec('PRAGMA busy_timeout = 0');
  try {
    begin(db);
  } finally {
    if (isImpatient) db.exec(`PRAGMA busy_timeout = ${limits.accounts.busyTimeoutMs}`);
  }
}

/** Ends the transaction, if one is open. */
export function endTransaction(db: DatabaseSync, end: 'COMMIT' | 'ROLLBACK'): void {
  if (end === 'COMMIT') commit(db);
  else if (db.isTransaction) db.exec('ROLLBACK');
  db.exec('PRAGMA synchronous = NORMAL');
}

function commit(db: DatabaseSync): void {
  failpoint('commit accounts');
  db.exec('COMMIT');
  failpoint('accounts committed');
}

/** Takes the write lock at once: a transaction that reads first fails if another one writes. */
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
 * Runs work that no request may wait for: returns false if another process is writing, or the disk
 * is full.
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
