/**
 * Reading a SQLite file of ours from beside those who write it, also on a disk that is full or
 * read-only.
 */

import { copyFileSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { isDiskFull } from './disk-full.ts';
import { limits } from './limits/limits.ts';

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
    if (isUnwritable(error)) return readApart(path, read);
    if (!isDiskFull(error)) throw error;
    const alone = new DatabaseSync(path, { timeout: TIMEOUT_MS });
    return readOpen(alone, (database) => {
      database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA query_only = ON');
      return read(database);
    });
  }
}

/** SQLite's codes for a file, or the one beside it, that this process may not open for writing. */
const UNWRITABLE_CODES = [8, 14];

function isUnwritable(error: unknown): boolean {
  const { errcode = 0 } = error as { errcode?: number };
  return UNWRITABLE_CODES.includes(errcode & 0xff) && !isDiskFull(error);
}

/**
 * Reads a file whose folder takes no memory of readers: as one that never changes, or a copy of it
 * where a killed writer has left a log.
 */
function readApart<T>(path: string, read: (database: DatabaseSync) => T): T {
  const log = statSync(`${path}-wal`, { throwIfNoEntry: false });
  if (!log || log.size === 0) {
    const address = pathToFileURL(path);
    address.searchParams.set('immutable', '1');
    return readOpen(new DatabaseSync(address, { readOnly: true }), read);
  }
  const folder = mkdtempSync(join(tmpdir(), 'tapeworks-'));
  try {
    const copy = join(folder, 'copy.sqlite');
    copyFileSync(path, copy);
    copyFileSync(`${path}-wal`, `${copy}-wal`);
    return readOpen(new DatabaseSync(copy), read);
  } finally {
    rmSync(folder, { recursive: true });
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
