/** `accounts.sqlite` read whole: SQLite's own structure, and the MACs of rows that grant something. */

import type { DatabaseSync } from 'node:sqlite';
import { isDiskFull } from '../../base/disk-full.ts';
import { CorruptDataError } from '../../base/errors.ts';
import { readSqlite } from '../../base/read-sqlite.ts';
import { damagedRows } from './row-mac.ts';
import { requireSealed } from './schema-seal.ts';

/** @throws {CorruptDataError} it is damaged. */
export function checkAccountsFile(path: string): void {
  try {
    readSqlite(path, requireWhole);
  } catch (error) {
    if (error instanceof CorruptDataError || isDiskFull(error)) throw error;
    throw new CorruptDataError(`"${path}" can't be read: ${(error as Error).message}`, {
      cause: error,
    });
  }

  function requireWhole(database: DatabaseSync): void {
    // Indexes too: a damaged one hides rows that are whole.
    const { integrity_check: said } = database.prepare('PRAGMA integrity_check').get() as {
      integrity_check: string;
    };
    if (said !== 'ok') throw new CorruptDataError(`"${path}": ${said}`);
    const damaged = damagedRows(database).map(({ table, id }) => `${id} in ${table}`);
    requireSealed(database);
    if (damaged.length > 0) throw new CorruptDataError(`damaged rows: ${damaged.join(', ')}`);
  }
}
