/** The kernel's lock on a file of its own: it ends with its process, however that dies. */

import { DatabaseSync } from 'node:sqlite';

const SQLITE_BUSY = 5;

/**
 * Locks a file by an exclusive SQLite transaction, and makes it where it is missing.
 *
 * @returns what closing gives the lock back; undefined while another process has it.
 */
export function lockFile(path: string): DatabaseSync | undefined {
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    // No journal file: nothing is ever written.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return database;
  } catch (error) {
    database.close();
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return undefined;
    throw error;
  }
}
