/** Tables of `accounts.sqlite`, as migrations that run once and in order. */

import type { DatabaseSync } from 'node:sqlite';
import { TapeworksError } from '../../../base/errors.ts';
import { failpoint } from '../../../base/failpoints.ts';

/**
 * Tables of the oldest version that is upgraded; Postgres has the same. Times are milliseconds since
 * the epoch.
 */
const TABLES = `
   CREATE TABLE accounts (
     seq INTEGER PRIMARY KEY AUTOINCREMENT,
     id TEXT NOT NULL UNIQUE,
     label TEXT NOT NULL,
     limit_requests INTEGER,           -- of each key; null: the server's own limit
     limit_window_s INTEGER,
     tokens_per_day INTEGER,           -- of all keys together, per mode; null: as many as wanted
     scopes TEXT,                      -- what keys may do at most; null: everything
     key_days INTEGER,                 -- how long a new key is valid; null: until revoked
     created_at INTEGER NOT NULL,
     suspended_at INTEGER
   ) STRICT;
   CREATE TABLE keys (
     seq INTEGER PRIMARY KEY AUTOINCREMENT,
     id TEXT NOT NULL UNIQUE,
     account TEXT NOT NULL REFERENCES accounts (id),
     mode TEXT NOT NULL CHECK (mode IN ('live', 'sandbox')),
     hash BLOB NOT NULL UNIQUE,        -- SHA-256 of the raw key, which is stored nowhere
     key_prefix TEXT NOT NULL,         -- its first 12 characters
     label TEXT NOT NULL,
     scopes TEXT NOT NULL,             -- names with a space between
     limit_requests INTEGER,           -- null: the account's limit
     limit_window_s INTEGER,
     created_at INTEGER NOT NULL,
     expires_at INTEGER,               -- null: valid until revoked
     last_used_at INTEGER,
     revoked_at INTEGER
   ) STRICT;
   CREATE INDEX keys_by_account ON keys (account, mode, seq);
   -- Random bytes that all processes share, also after a restart.
   CREATE TABLE secrets (name TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT;
   CREATE TABLE usage (
     account TEXT NOT NULL REFERENCES accounts (id),
     mode TEXT NOT NULL CHECK (mode IN ('live', 'sandbox')),
     day INTEGER NOT NULL,             -- days since the epoch, UTC
     key_id TEXT NOT NULL REFERENCES keys (id),
     endpoint TEXT NOT NULL,           -- template of the path
     method TEXT NOT NULL,
     calls INTEGER NOT NULL,
     errors INTEGER NOT NULL,
     tokens INTEGER NOT NULL,
     PRIMARY KEY (account, mode, day, key_id, endpoint, method)
   ) STRICT, WITHOUT ROWID;
   -- Past days of a route, a month in one row: less than a third of the bytes.
   CREATE TABLE usage_months (
     account TEXT NOT NULL REFERENCES accounts (id),
     mode TEXT NOT NULL CHECK (mode IN ('live', 'sandbox')),
     month INTEGER NOT NULL,           -- months since the epoch, UTC
     key_id TEXT NOT NULL REFERENCES keys (id),
     endpoint TEXT NOT NULL,
     method TEXT NOT NULL,
     days TEXT NOT NULL,               -- JSON: [day, calls, errors, tokens] of each, ascending
     PRIMARY KEY (account, mode, month, key_id, endpoint, method)
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE idempotency (
     id BLOB PRIMARY KEY,              -- follows from the caller's raw key and Idempotency-Key
     claimed_at INTEGER NOT NULL,
     fingerprint BLOB,                 -- of the parameters; null while the first request runs
     sealed BLOB                       -- its answer, encrypted; likewise
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX idempotency_by_age ON idempotency (claimed_at);
   CREATE TABLE screens (
     seq INTEGER PRIMARY KEY AUTOINCREMENT,
     id TEXT NOT NULL UNIQUE,
     account TEXT NOT NULL REFERENCES accounts (id),
     mode TEXT NOT NULL CHECK (mode IN ('live', 'sandbox')),
     name TEXT NOT NULL,
     query TEXT NOT NULL,
     created_at INTEGER NOT NULL
   ) STRICT;
   CREATE INDEX screens_by_account ON screens (account, mode, seq);
   -- A webhook that names a saved screen has its query too, which outlives the screen. A stream is
   -- a webhook without an address, which lasts while it is renewed.
   CREATE TABLE webhooks (
     seq INTEGER PRIMARY KEY AUTOINCREMENT,
     id TEXT NOT NULL UNIQUE,
     account TEXT NOT NULL REFERENCES accounts (id),
     mode TEXT NOT NULL CHECK (mode IN ('live', 'sandbox')),
     url TEXT NOT NULL,
     events TEXT NOT NULL,             -- types with a space between
     symbols TEXT,                     -- canonical, with a space between; null: all
     description TEXT,
     screener TEXT,                    -- JSON: its query and what that asks; null: it has none
     matched TEXT,                     -- symbols that matched it last; null: never looked at
     secret BLOB NOT NULL,             -- encrypted with the key in webhook.key
     old_secret BLOB,                  -- likewise: the one before; null: none
     old_secret_until INTEGER,
     created_at INTEGER NOT NULL,
     failing_since INTEGER,            -- first failed attempt since one that was not; null: none
     rest_until INTEGER NOT NULL DEFAULT 0,  -- the receiver wants to be left alone
     disabled_at INTEGER,
     disabled_reason TEXT,
     screen INTEGER REFERENCES screens (seq) ON DELETE SET NULL,
     screened_at INTEGER,              -- last try at an expression, if not all could be evaluated
     screener_error TEXT,              -- why the last publish did not evaluate it; null: it did
     stream_until INTEGER,             -- null: a webhook with an address
     stream_from INTEGER               -- newest streamed event at its creation
   ) STRICT;
   CREATE INDEX webhooks_by_account ON webhooks (account, mode, seq);
   CREATE TABLE events (
     seq INTEGER PRIMARY KEY AUTOINCREMENT,
     id TEXT NOT NULL,
     mode TEXT NOT NULL CHECK (mode IN ('live', 'sandbox')),
     type TEXT NOT NULL,
     body TEXT,                        -- as it is sent; null: nobody waits for it
     added_at INTEGER NOT NULL,
     UNIQUE (id, mode)
   ) STRICT;
   CREATE TABLE deliveries (
     seq INTEGER PRIMARY KEY AUTOINCREMENT,
     event INTEGER NOT NULL REFERENCES events (seq) ON DELETE CASCADE,
     webhook INTEGER NOT NULL REFERENCES webhooks (seq) ON DELETE CASCADE,
     status TEXT NOT NULL CHECK (status IN ('pending', 'delivered', 'failed')),
     attempts INTEGER NOT NULL,        -- that have ended
     next_at INTEGER,                  -- of the next attempt, or the end of a lease; null: none
     lease TEXT,                       -- who holds it until next_at; null: nobody
     response_status INTEGER,
     error TEXT,
     created_at INTEGER NOT NULL,
     attempted_at INTEGER,             -- end of the last attempt
     UNIQUE (event, webhook)
   ) STRICT;
   CREATE INDEX deliveries_by_webhook ON deliveries (webhook, seq);
   CREATE INDEX deliveries_by_time ON deliveries (next_at) WHERE next_at IS NOT NULL;
   CREATE INDEX deliveries_waiting ON deliveries (webhook, next_at) WHERE next_at IS NOT NULL;
   CREATE INDEX deliveries_given_up ON deliveries (seq) WHERE status = 'failed';
   -- Position up to which events were relayed, for each mode.
   CREATE TABLE relays (
     mode TEXT PRIMARY KEY CHECK (mode IN ('live', 'sandbox')),
     seq INTEGER NOT NULL,             -- the newest load of the market store whose events are here
     store_mark TEXT NOT NULL,         -- names that load
     version TEXT NOT NULL             -- what was published then; empty: nothing
   ) STRICT, WITHOUT ROWID;
   -- Events of streams, one row for all of them, in the order in which streams send them.
   CREATE TABLE streamed (
     seq INTEGER PRIMARY KEY AUTOINCREMENT,
     id TEXT NOT NULL,
     mode TEXT NOT NULL CHECK (mode IN ('live', 'sandbox')),
     type TEXT NOT NULL,
     body TEXT NOT NULL,
     receivers TEXT NOT NULL,          -- seq of each stream, with spaces around
     readable_at INTEGER NOT NULL,
     UNIQUE (id, mode)
   ) STRICT;
   CREATE TABLE backfills (
     seq INTEGER PRIMARY KEY AUTOINCREMENT,
     id TEXT NOT NULL UNIQUE,
     account TEXT NOT NULL REFERENCES accounts (id),
     mode TEXT NOT NULL CHECK (mode IN ('live', 'sandbox')),
     state TEXT NOT NULL CHECK (state IN ('waiting', 'running', 'done', 'failed', 'cancelled')),
     request TEXT NOT NULL,            -- JSON: the request, checked
     progress TEXT,                    -- JSON: step, done and total
     waits_for TEXT,                   -- in words; null: nothing
     result TEXT,                      -- JSON: counts and reasons of a run that ended
     error TEXT,                       -- why it failed
     created_at INTEGER NOT NULL,
     started_at INTEGER,
     ended_at INTEGER
   ) STRICT;
   CREATE INDEX backfills_by_account ON backfills (account, mode, seq);
   CREATE INDEX backfills_open ON backfills (seq) WHERE state IN ('waiting', 'running');`;

/**
 * Statements by version. Those of the first make a new file, later ones change the one before.
 * Append only: a released migration is never edited.
 */
const MIGRATIONS: ReadonlyMap<number, string> = new Map([
  [14, TABLES],
  [
    15,
    `ALTER TABLE backfills ADD COLUMN run TEXT;              -- run that retries it; null: its first
     ALTER TABLE backfills ADD COLUMN cancelled_at INTEGER;  -- null: no client cancelled it`,
  ],
]);

/** Tables of version 15, with which accounts in Postgres began. */
export const FIRST_SHARED_TABLES = [14, 15].map((version) => MIGRATIONS.get(version)).join(';\n');

/** Oldest version of the schema that this program upgrades. */
export const OLDEST_ACCOUNTS_VERSION = Math.min(...MIGRATIONS.keys());

/** Newest version of the schema that this program knows. */
export const ACCOUNTS_VERSION = Math.max(...MIGRATIONS.keys());

/** Returns the version of a database's schema; 0 for a new one. */
export function accountsVersion(db: DatabaseSync): number {
  const table = "SELECT 1 FROM sqlite_schema WHERE name = 'schema_migrations'";
  if (!db.prepare(table).get()) return 0;
  const row = db.prepare('SELECT max(version) AS version FROM schema_migrations').get();
  return Number(row?.version ?? 0);
}

/** Returns true if the database needs no migration. */
export function isNewestSchema(db: DatabaseSync): boolean {
  return accountsVersion(db) === ACCOUNTS_VERSION;
}

/**
 * Brings a database to the newest schema; safe when several processes start at once.
 *
 * @throws {TapeworksError} the version of the file is too new, or too old to be upgraded.
 */
export function migrateAccounts(db: DatabaseSync, nowMs: number): void {
  // A lock would wait for a transaction of this thread that goes on only afterwards.
  if (isNewestSchema(db)) return;
  db.exec('BEGIN IMMEDIATE');
  try {
    db.exec(`CREATE TABLE IF NOT EXISTS schema_migrations
             (version INTEGER PRIMARY KEY, applied_at INTEGER NOT NULL) STRICT`);
    const row = db.prepare('SELECT coalesce(max(version), 0) AS version FROM schema_migrations');
    const current = Number(row.get()?.version);
    if (current > ACCOUNTS_VERSION) {
      throw new TapeworksError(
        `accounts.sqlite has schema version "${current}", expected at most ${ACCOUNTS_VERSION}: ` +
          'it was written by a newer version of this program',
      );
    }
    if (current > 0 && current < OLDEST_ACCOUNTS_VERSION) {
      throw new TapeworksError(
        `accounts.sqlite has schema version "${current}", expected at least ${OLDEST_ACCOUNTS_VERSION}: ` +
          'it was written by a development version before 1.0.0; move the file away and create keys again (tapeworks keys create)',
      );
    }
    const note = db.prepare('INSERT INTO schema_migrations (version, applied_at) VALUES (?, ?)');
    for (const [version, statements] of MIGRATIONS) {
      if (version <= current) continue;
      db.exec(statements);
      note.run(version, nowMs);
    }
    failpoint('commit accounts', 'schema');
    db.exec('COMMIT');
    failpoint('accounts committed', 'schema');
  } catch (error) {
    // SQLite has rolled back already if the disk is full.
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}
