/** Keys read from the file without opening it for writing, for folders that can't be written to. */

import { existsSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { readSqlite } from '../../../base/read-sqlite.ts';
import { tellingDamage } from '../database.ts';
import { isNewestSchema } from '../schema.ts';
import type { OperatorKeyRow } from './key-record.ts';
import { createKeyStore } from './key-store.ts';

/**
 * Lists all keys, oldest first.
 *
 * @param account Only keys of this account.
 * @returns undefined: the file is of an older schema, and is upgraded when it is opened.
 * @throws {CorruptDataError} the file is damaged.
 */
export function listStoredKeys(path: string, account?: string): OperatorKeyRow[] | undefined {
  if (!existsSync(path)) return [];
  return tellingDamage(path, () => readSqlite(path, (db) => keysOf(db, account)));
}

function keysOf(db: DatabaseSync, account?: string): OperatorKeyRow[] | undefined {
  if (!isNewestSchema(db)) return undefined;
  return createKeyStore(db, Date.now, () => {}).listKeys(account);
}
