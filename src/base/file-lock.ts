/** Locks files through the kernel: a lock ends with its process, however that dies. */

import { DatabaseSync } from 'node:sqlite';
import { existsSync } from './world/files.ts';

const SQLITE_BUSY = 5;

/**
 * Locks a file by an exclusive SQLite transaction; makes the file if it is missing.
 *
 * @returns a handle whose `close` releases the lock; undefined while another process holds it.
 */
export function lockFile(path: string): DatabaseSync | undefined {
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    // No journal file is needed: the transaction writes no data.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return database;
  } catch (error) {
    database.close();
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return undefined;
    throw error;
  }
}

/** Returns true if a living process holds the lock of a file. */
export function isLocked(path: string): boolean {
  if (!existsSync(path)) return false;
  const lock = lockFile(path);
  lock?.close();
  return lock === undefined;
}
