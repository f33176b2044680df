/** Opens the file `accounts.sqlite`, of the newest schema. */

import { closeSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeFolder } from '../../base/durable-file.ts';
import { CorruptDataError } from '../../base/errors.ts';
import { limits } from '../../base/limits/limits.ts';
import { migrateAccounts } from './schema.ts';

/**
 * @throws {TapeworksError} the file was written by a newer version of this program.
 * @throws {CorruptDataError} it is damaged.
 */
export function openDatabase(path: string, nowMs: number): DatabaseSync {
  makeFolder(dirname(path));
  // Hashes of keys and the secret of cursors are for no other user; files beside it follow its mode.
  closeSync(openSync(path, 'a', 0o600));
  const db = new DatabaseSync(path, { timeout: limits.accounts.busyTimeoutMs });
  try {
    tellingDamage(path, () => {
      // What is erased is overwritten.
      db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON');
      migrateAccounts(db, nowMs);
    });
  } catch (error) {
    db.close();
    throw error;
  }
  return db;
}

/** SQLite's codes for a file that is not its own, and for statements that its tables don't fit. */
const DAMAGE_CODES = [1, 11, 26];

/**
 * Does what opens the file.
 *
 * @throws {CorruptDataError} in place of what SQLite says of damage.
 */
export function tellingDamage<T>(path: string, open: () => T): T {
  try {
    return open();
  } catch (error) {
    const { errcode = 0, message } = error as Error & { errcode?: number };
    // The upper bytes say more of the same.
    if (!DAMAGE_CODES.includes(errcode & 0xff)) throw error;
    const text = `"${path}" is damaged (${message}): restore a backup of it`;
    throw new CorruptDataError(text, { cause: error });
  }
}
