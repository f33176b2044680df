/** Checks the file of past versions whole. */

import { CorruptDataError } from '../base/errors.ts';
import { readSqlite } from '../base/read-sqlite.ts';
import { unpacked } from '../store/arrow/format/packed.ts';

/** @throws {CorruptDataError} The file is damaged. */
export function checkPast(path: string): void {
  try {
    const found = readSqlite(path, (database) => {
      const kept = [
        'SELECT bytes FROM tables',
        'SELECT ends FROM versions WHERE ends IS NOT NULL',
        'SELECT rows FROM replaced WHERE rows IS NOT NULL',
      ];
      for (const sql of kept) {
        for (const row of database.prepare(sql).iterate()) {
          unpacked(Object.values(row)[0] as Uint8Array);
        }
      }
      return Object.values(database.prepare('PRAGMA integrity_check(1)').get() ?? {})[0];
    });
    if (found === 'ok') return;
  } catch (cause) {
    throw new CorruptDataError(`"${path}" can't be read`, { cause });
  }
  throw new CorruptDataError(`"${path}" is damaged`);
}
