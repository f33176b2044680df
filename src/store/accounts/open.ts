/** Opens accounts where the settings say: in a file of this machine, or in Postgres. */

import type { AccountsPlace } from '../../base/config/data-dir.ts';
import { AccountsUnreachableError } from '../../base/errors.ts';
import { openSqlite } from '../../base/read-sqlite.ts';
import { wallMs } from '../../base/world/clock.ts';
import { existsSync } from '../../base/world/files.ts';
import { openPostgresAccounts } from '../../fleet/postgres/postgres-accounts.ts';
import { type PostgresSql, postgresSql } from '../../fleet/postgres/sql.ts';
import { openAccounts as openSqliteAccounts } from './admission/sqlite-accounts.ts';
import type { AccountRecords, Accounts, OpenRecords } from './records/contract.ts';
import { createRecords } from './records/records.ts';
import { openDatabase, reportingDamage } from './sqlite/open.ts';
import { isNewestSchema } from './sqlite/schema.ts';
import { sqliteSql } from './sqlite/sql.ts';
import { newCountMemory } from './usage/count-memory.ts';
import type { SharedCounts } from './usage/usage-counts.ts';
import { createSecretVault } from './webhooks/webhook-secret.ts';

/**
 * Opens accounts for a process that admits requests.
 *
 * @param now Milliseconds since the epoch.
 * @param counts Counters that threads share; default: own ones.
 */
export function openAccounts(
  { path, url, copyPath, keyPath }: AccountsPlace,
  now: () => number = wallMs,
  counts: SharedCounts = { memory: newCountMemory() },
): Accounts {
  if (url === undefined) return openSqliteAccounts(path, now, counts);
  return openPostgresAccounts({ url, copyPath, keyPath }, now, counts);
}

/** Opens the database of an address. Nothing connects before the first statement. */
export const openSql = (url: string): PostgresSql => postgresSql(url);

/** Opens the records alone, for a process that admits no requests. */
export function openRecords(place: AccountsPlace, now: () => number = wallMs): OpenRecords {
  const { path, url, keyPath } = place;
  const changed = () => {};
  if (url !== undefined) {
    const sql = openSql(url);
    const vault = createSecretVault(keyPath, true);
    return { ...createRecords(sql, { now: sql.timeOf(now), vault, changed }), close: sql.close };
  }
  const db = openDatabase(path, now());
  const vault = createSecretVault(keyPath);
  const records = createRecords(sqliteSql(db, path), { now, vault, changed });
  return { ...records, close: async () => db.close() };
}

/** Opens the records for one piece of work, and closes them. */
export async function withAccounts<T>(
  place: AccountsPlace,
  use: (records: OpenRecords) => Promise<T>,
  now?: () => number,
): Promise<T> {
  const records = openRecords(place, now);
  try {
    return await use(records);
  } finally {
    await records.close();
  }
}

/**
 * Reads the records without writing, so that it works on a full or read-only disk.
 *
 * @returns undefined if there is no file yet, or one of another schema: opening it upgrades it.
 * @throws {CorruptDataError} the file is damaged.
 */
export async function readAccounts<T>(
  place: AccountsPlace,
  read: (records: AccountRecords) => Promise<T>,
  now: () => number = wallMs,
): Promise<T | undefined> {
  const { path, url, keyPath } = place;
  if (url !== undefined) return await withAccounts(place, read, now);
  if (!existsSync(path)) return undefined;
  using opened = reportingDamage(path, () => openSqlite(path));
  if (!isNewestSchema(opened.database)) return undefined;
  const deps = { now, vault: createSecretVault(keyPath), changed: () => {} };
  return await read(createRecords(sqliteSql(opened.database, path), deps));
}

/** For reports that go on without the accounts. @returns undefined if Postgres can't be reached. */
export async function ifReachable<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof AccountsUnreachableError) return undefined;
    throw error;
  }
}
