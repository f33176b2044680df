/** Opens the file `accounts.sqlite`, of the newest schema. */

import { closeSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { limits } from '../../limits.ts';
import { makeFolder } from '../serving/durable-file.ts';
import { migrateAccounts } from './schema.ts';

/** @throws {TapeworksError} the file was written by a newer version of this program. */
export function openDatabase(path: string, nowMs: number): DatabaseSync {
  makeFolder(dirname(path));
  // Hashes of keys and the secret of cursors are for no other user; files beside it follow its mode.
  closeSync(openSync(path, 'a', 0o600));
  const db = new DatabaseSync(path, { timeout: limits.accounts.busyTimeoutMs });
  // What is erased is overwritten.
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON');
  migrateAccounts(db, nowMs);
  return db;
}
