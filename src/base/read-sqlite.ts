/** Reads our SQLite files while processes write them, also on a full or read-only disk. */

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { isDiskFull } from './disk-full.ts';
import { limits } from './limits.ts';
import { copyFileSync, mkdtempSync, rmSync, statSync } from './world/files.ts';
import { tmpdir } from './world/machine.ts';

export interface OpenSqlite extends Disposable {
  database: DatabaseSync;
}

/** Opens a file for reading, reads it and closes it. @throws as `openSqlite`. */
export function readSqlite<T>(path: string, read: (database: DatabaseSync) => T): T {
  using opened = openSqlite(path);
  return read(opened.database);
}

/**
 * Opens a file for reading.
 *
 * Readers of a file with a write-ahead log share memory with its writers; that memory is a file as
 * well. If it is missing and there is no room for one, no process has the database open. It is then
 * read exclusively, with the log's index in this process. Opening it as immutable would need no
 * room either, but would ignore the log of a killed writer.
 *
 * @throws the error of SQLite if the file is damaged, or locked for too long.
 */
export function openSqlite(path: string): OpenSqlite {
  try {
    return opened(new DatabaseSync(path, { readOnly: true, timeout: TIMEOUT_MS }));
  } catch (error) {
    if (isUnwritable(error)) return openApart(path);
    if (!isDiskFull(error)) throw error;
    const alone = new DatabaseSync(path, { timeout: TIMEOUT_MS });
    alone.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA query_only = ON');
    return opened(alone);
  }
}

/** SQLite's codes if this process may not open a file, or the file next to it, for writing. */
const UNWRITABLE_CODES = [8, 14];

function isUnwritable(error: unknown): boolean {
  const { errcode = 0 } = error as { errcode?: number };
  return UNWRITABLE_CODES.includes(errcode & 0xff) && !isDiskFull(error);
}

/** Opens a file as immutable, or a copy of it if a killed writer left a log. */
function openApart(path: string): OpenSqlite {
  const log = statSync(`${path}-wal`, { throwIfNoEntry: false });
  if (!log || log.size === 0) {
    const address = pathToFileURL(path);
    address.searchParams.set('immutable', '1');
    return opened(new DatabaseSync(address, { readOnly: true }));
  }
  const folder = mkdtempSync(join(tmpdir(), 'tapeworks-'));
  const remove = () => rmSync(folder, { recursive: true });
  try {
    const copy = join(folder, 'copy.sqlite');
    copyFileSync(path, copy);
    copyFileSync(`${path}-wal`, `${copy}-wal`);
    return opened(new DatabaseSync(copy), remove);
  } catch (error) {
    remove();
    throw error;
  }
}

const TIMEOUT_MS = limits.accounts.busyTimeoutMs;

/** Reads the schema: opening alone finds no fault. */
function opened(database: DatabaseSync, closed: () => void = () => {}): OpenSqlite {
  try {
    database.prepare('SELECT count(*) FROM sqlite_schema').get();
  } catch (error) {
    database.close();
    throw error;
  }
  return {
    database,
    [Symbol.dispose]() {
      database.close();
      closed();
    },
  };
}
