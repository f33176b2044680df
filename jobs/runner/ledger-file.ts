/** `jobs.sqlite`, only read: on a full or read-only disk too, and while it is being made. */

import { existsSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { readSqlite } from '../../src/base/read-sqlite.ts';

/** @returns `none` where no plan was ever made. */
export function readLedgerFile<T>(path: string, none: T, read: (ledger: DatabaseSync) => T): T {
  if (!existsSync(path)) return none;
  return readSqlite(path, (ledger) => {
    // The last table of those that are made.
    const table = "SELECT 1 FROM sqlite_schema WHERE name = 'adding'";
    return ledger.prepare(table).get() ? read(ledger) : none;
  });
}
