/** The tables of `accounts.sqlite`, as migrations that run in order and once. */

import type { DatabaseSync } from 'node:sqlite';
import { TapeworksError } from '../../errors.ts';

/** Append only: a released migration is never edited. Times are milliseconds since the epoch. */
const MIGRATIONS: readonly string[] = [
  `CREATE TABLE keys (
     id TEXT PRIMARY KEY,
     account TEXT NOT NULL,
     mode TEXT NOT NULL CHECK (mode IN ('live', 'sandbox')),
     hash BLOB NOT NULL UNIQUE,        -- SHA-256 of the raw key, which is stored nowhere
     key_prefix TEXT NOT NULL,         -- its first 12 characters
     label TEXT NOT NULL,
     scopes TEXT NOT NULL,             -- names with a space between
     limit_requests INTEGER,           -- null: the server's own limit
     limit_window_s INTEGER,
     created_at INTEGER NOT NULL,
     last_used_at INTEGER,
     revoked_at INTEGER
   ) STRICT;
   CREATE INDEX keys_by_account ON keys (account, created_at);`,
  // Random bytes that all processes and restarts must agree on.
  'CREATE TABLE secrets (name TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT',
];

/**
 * Brings a database to the newest schema; safe when several processes start at once.
 *
 * @throws {TapeworksError} the file was written by a newer version of this program.
 */
export function migrateAccounts(db: DatabaseSync, nowMs: number): void {
  db.exec('BEGIN IMMEDIATE');
  try {
    db.exec(`CREATE TABLE IF NOT EXISTS schema_migrations
             (version INTEGER PRIMARY KEY, applied_at INTEGER NOT NULL) STRICT`);
    const row = db.prepare('SELECT coalesce(max(version), 0) AS version FROM schema_migrations');
    const current = Number(row.get()?.version);
    if (current > MIGRATIONS.length) {
      throw new TapeworksError(
        `accounts.sqlite has schema version "${current}", expected at most ${MIGRATIONS.length}: ` +
          'it was written by a newer version of this program',
      );
    }
    const note = db.prepare('INSERT INTO schema_migrations (version, applied_at) VALUES (?, ?)');
    for (let version = current + 1; version <= MIGRATIONS.length; version++) {
      db.exec(MIGRATIONS[version - 1]);
      note.run(version, nowMs);
    }
    db.exec('COMMIT');
  } catch (error) {
    db.exec('ROLLBACK');
    throw error;
  }
}
