/**
 * A MAC over the tables and triggers of `accounts.sqlite`: one flipped bit in the name of a column
 * would make an expiry nobody finds, and no row's own MAC tells of it.
 */

import type { DatabaseSync } from 'node:sqlite';
import { CorruptDataError } from '../../base/errors.ts';

const NAME = 'schema';

/** SQLite's own tables come and go. */
const SEAL = `row_mac('${NAME}', (SELECT group_concat(sql, ';' ORDER BY name) FROM sqlite_schema
  WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'))`;

/**
 * Needs `addMacFunctions`.
 *
 * @returns whether there is a seal; files of before there were any get one when they are opened.
 * @throws {CorruptDataError} it is of another schema.
 */
export function requireSealed(db: DatabaseSync): boolean {
  const table = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'secrets'").get();
  if (!table) return false;
  const select = db.prepare(`SELECT value = ${SEAL} AS isWhole FROM secrets WHERE name = ?`);
  const seal = select.get(NAME);
  if (seal?.isWhole === 0) {
    throw new CorruptDataError('The schema of accounts.sqlite is damaged: restore a backup of it');
  }
  return seal !== undefined;
}

/** After a migration. */
export function sealSchema(db: DatabaseSync): void {
  db.prepare(`INSERT OR REPLACE INTO secrets (name, value) VALUES (?, ${SEAL})`).run(NAME);
}
