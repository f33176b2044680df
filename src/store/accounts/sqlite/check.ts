/** Full check of `accounts.sqlite`: structure, indexes and references. */

import type { DatabaseSync } from 'node:sqlite';
import { isDiskFull } from '../../../base/disk-full.ts';
import { CorruptDataError } from '../../../base/errors.ts';
import { readSqlite } from '../../../base/read-sqlite.ts';

/** Reads the whole file. @throws {CorruptDataError} it is damaged. */
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
    // Compares each index with its table: a damaged index would hide intact rows.
    const { integrity_check: said } = database.prepare('PRAGMA integrity_check').get() as {
      integrity_check: string;
    };
    if (said !== 'ok') throw new CorruptDataError(`"${path}": ${said}`);
    const [stray] = database.prepare('PRAGMA foreign_key_check').all();
    if (stray) throw new CorruptDataError(`"${path}": a row of ${stray.table} refers to no row`);
  }
}
