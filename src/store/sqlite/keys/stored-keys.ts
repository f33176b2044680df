import { existsSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { readSqlite } from '../../../base/read-sqlite.ts';
import { reportingDamage } from '../database/open.ts';
import { isNewestSchema } from '../database/schema.ts';
import type { OperatorKeyRow } from './key-record.ts';
import { createKeyStore } from './key-store.ts';

/**
 * Lists all keys, or those of an account, oldest first. The folder may be read-only.
 *
 * @returns undefined if the file has an older schema; opening it for writing upgrades it.
 * @throws {CorruptDataError} the file is damaged.
 */
export function listStoredKeys(path: string, account?: string): OperatorKeyRow[] | undefined {
  if (!existsSync(path)) return [];
  return reportingDamage(path, () => readSqlite(path, (db) => keysOf(db, account)));
}

function keysOf(db: DatabaseSync, account?: string): OperatorKeyRow[] | undefined {
  if (!isNewestSchema(db)) return undefined;
  return createKeyStore(db, Date.now, () => {}).listKeys(account);
}
