/** Reads our SQLite files while processes write them, also on a full or read-only disk. */

import { copyFileSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { isDiskFull } from './disk-full.ts';
import { limits } from './limits.ts';

/**
 * Opens a file for reading, reads it and closes it.
 *
 * Readers of a file with a write-ahead log share memory with its writers; that memory is a file as
 * well. If it is missing and there is no room for one, no process has the database open. It is then
 * read exclusively, with the log's index in this process. Opening it as immutable would need no
 * room either, but would ignore the log of a killed writer.
 *
 * @throws the error of SQLite if the file is damaged, or locked for too long.
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

/** SQLite's codes if this process may not open a file, or the file next to it, for writing. */
const UNWRITABLE_CODES = [8, 14];

function isUnwritable(error: unknown): boolean {
  const { errcode = 0 } = error as { errcode?: number };
  return UNWRITABLE_CODES.includes(errcode & 0xff) && !isDiskFull(error);
}

/** Reads a file as immutable, or a copy of it if a killed writer left a log. */
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
