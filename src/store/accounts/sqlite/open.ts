import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isDiskFull } from '../../../base/disk-full.ts';
import { makeFolder } from '../../../base/durable-file.ts';
import { CorruptDataError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits.ts';
import { closeSync, openSync, statfsSync } from '../../../base/world/files.ts';
import { migrateAccounts } from './schema.ts';
import { withoutWaiting } from './transaction.ts';

/**
 * Opens or creates the file, and runs its migrations.
 *
 * @throws {TapeworksError} the file was written by a newer version of this program.
 * @throws {CorruptDataError} it is damaged.
 */
export function openDatabase(path: string, nowMs: number): DatabaseSync {
  makeFolder(dirname(path));
  // Only this user may read hashes of keys and the secret of cursors. SQLite gives its log and its
  // shared memory the same mode.
  closeSync(openSync(path, 'a', 0o600));
  const db = reportingDamage(path, () => openLogged(path));
  try {
    reportingDamage(path, () => {
      // Deleted content is overwritten.
      db.exec('PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON');
      migrateAccounts(db, nowMs);
    });
  } catch (error) {
    db.close();
    throw error;
  }
  return db;
}

/**
 * Opens a file with a write-ahead log. A full disk has no room for the log and its shared memory,
 * which the last process to close the file removes: it is then opened without them, to be read.
 */
function openLogged(path: string): DatabaseSync {
  const db = openFile(path);
  try {
    useLog(db, path);
    return db;
  } catch (error) {
    db.close();
    if (!isDiskFull(error)) throw error;
  }
  leaveLog(path);
  return openFile(path);
}

function openFile(path: string): DatabaseSync {
  return new DatabaseSync(path, { timeout: limits.accounts.busyTimeoutMs });
}

/**
 * Lets a file have a log, unless there is no room for one.
 *
 * @returns true if it has one.
 * @throws the error of SQLite where a log that the file says to have does not fit.
 */
function useLog(db: DatabaseSync, path: string): boolean {
  const mode = () => db.prepare('PRAGMA journal_mode').get()?.journal_mode;
  if (mode() === 'wal') return true;
  const { bavail, bsize } = statfsSync(dirname(path));
  if (bavail * bsize < limits.accounts.logBytesMin) return false;
  db.exec('PRAGMA journal_mode = WAL');
  return mode() === 'wal';
}

/** Lets a file that was opened on a full disk have its log again, once there is room. */
export function regainLog(db: DatabaseSync, path: string): boolean {
  let hasLog = false;
  withoutWaiting(db, () => {
    try {
      hasLog = useLog(db, path);
    } catch (error) {
      // The room went away meanwhile.
      if (isDiskFull(error)) leaveLog(path);
    }
  });
  return hasLog;
}

/** Sets a file to a mode without a log. With the journal in memory, one page is overwritten. */
function leaveLog(path: string): void {
  const alone = openFile(path);
  try {
    alone.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = MEMORY');
  } finally {
    alone.close();
  }
}

/** SQLite's codes: a statement does not fit the schema, a malformed page, not a database. */
const DAMAGE_CODES = [1, 11, 26];

/** @throws {CorruptDataError} in place of SQLite's own errors about damage. */
export function reportingDamage<T>(path: string, open: () => T): T {
  try {
    return open();
  } catch (error) {
    const { errcode = 0, message } = error as Error & { errcode?: number };
    // The upper bytes only detail the code.
    if (!DAMAGE_CODES.includes(errcode & 0xff)) throw error;
    const text = `"${path}" is damaged (${message}): restore a backup of it`;
    throw new CorruptDataError(text, { cause: error });
  }
}
