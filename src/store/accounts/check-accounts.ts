/** `accounts.sqlite` read whole: SQLite's own structure, and the MACs of rows that grant something. */

import { DatabaseSync } from 'node:sqlite';
import { CorruptDataError } from '../../errors.ts';
import { damagedRows } from './row-mac.ts';

/** @throws {CorruptDataError} it is damaged. */
export function checkAccountsFile(path: string): void {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    // Indexes too: a damaged one hides rows that are whole.
    const { integrity_check: said } = database.prepare('PRAGMA integrity_check').get() as {
      integrity_check: string;
    };
    if (said !== 'ok') throw new CorruptDataError(`"${path}": ${said}`);
    const damaged = damagedRows(database).map(({ table, id }) => `${id} in ${table}`);
    if (damaged.length > 0) throw new CorruptDataError(`damaged rows: ${damaged.join(', ')}`);
  } catch (error) {
    if (error instanceof CorruptDataError) throw error;
    throw new CorruptDataError(`"${path}" can't be read: ${(error as Error).message}`, {
      cause: error,
    });
  } finally {
    database.close();
  }
}
