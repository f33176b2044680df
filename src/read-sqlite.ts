/** Reading a SQLite file of ours from beside those who write it, also on a disk that is full. */

import { DatabaseSync } from 'node:sqlite';
import { isDiskFull } from './disk-full.ts';
import { limits } from './limits.ts';

/**
 * Readers of a file with a write-ahead log share memory with its writers, which is a file as well.
 * Where there is none and no room for one, nobody has the file open: it is read alone then, with
 * the log's index in this process. Taking it for one that never changes would need no room either,
 * but leaves out what a killed writer has left in the log.
 *
 * @throws what SQLite does for a file that is damaged, or locked for too long.
 */
export function readSqlite<T>(path: string, read: (database: DatabaseSync) => T): T {
  try {
    return readOpen(new DatabaseSync(path, { readOnly: true, timeout: TIMEOUT_MS }), read);
  } catch (error) {
    if (!isDiskFull(error)) throw error;
    const alone = new DatabaseSync(path, { timeout: TIMEOUT_MS });
    return readOpen(alone, (database) => {
      database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA query_only = ON');
      return read(database);
    });
  }
}

const TIMEOUT_MS = limits.accounts.busyTimeoutMs;

function readOpen<T>(database: DatabaseSync, read: (database: DatabaseSync) => T): T {
  try {
    return read(database);
  } finally {
    database.close();
  }
}
