/**
 * `accounts.sqlite`: the state that belongs to accounts. One small interface, so that a shared
 * database can take its place when the API outgrows a machine.
 */

import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { limits } from '../../limits.ts';
import { type AccountStore, createAccountStore } from './account-store.ts';
import { createIdempotencyStore, type IdempotencyStore } from './idempotency.ts';
import { createKeyStore, type KeyStore } from './key-store.ts';
import { migrateAccounts } from './schema.ts';
import { createUsageCounts, type UsageCounts } from './usage-counts.ts';
import { createUsageReport, type UsageReport } from './usage-report.ts';

export interface Accounts
  extends AccountStore,
    KeyStore,
    UsageCounts,
    UsageReport,
    IdempotencyStore {
  /** A text that differs after anything but usage may have changed. */
  version(): string;
  /** 32 random bytes that sign cursors: the same for every process, made at first use. */
  cursorSecret(): Buffer;
}

const SECRET_BYTES = 32;

/** @param now Milliseconds since the epoch; stamps creation, revocation and suspension. */
export function openAccounts(path: string, now: () => number = Date.now): Accounts {
  mkdirSync(dirname(path), { recursive: true });
  const db = new DatabaseSync(path, { timeout: limits.accounts.busyTimeoutMs });
  // What is erased is overwritten.
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON');
  migrateAccounts(db, now());
  // Counts what other connections commit; `ownChanges` counts what this one does.
  const dataVersion = db.prepare('PRAGMA data_version');
  let ownChanges = 0;
  const changed = () => void ownChanges++;
  const insertSecret = db.prepare('INSERT OR IGNORE INTO secrets (name, value) VALUES (?, ?)');
  const selectSecret = db.prepare('SELECT value FROM secrets WHERE name = ?');
  const usage = createUsageCounts(db);
  const idempotency = createIdempotencyStore(db, now);
  idempotency.eraseOldAnswers();
  const erasing = setInterval(idempotency.eraseOldAnswers, limits.idempotency.eraseMs).unref();

  return {
    ...createAccountStore(db, now, changed),
    ...createKeyStore(db, now, changed),
    ...usage,
    ...createUsageReport(db),
    ...idempotency,
    version: () => `${dataVersion.get()?.data_version}.${ownChanges}`,
    cursorSecret() {
      insertSecret.run('cursor', randomBytes(SECRET_BYTES));
      return Buffer.from(selectSecret.get('cursor')?.value as Uint8Array);
    },
    close() {
      clearInterval(erasing);
      usage.close();
      db.close();
    },
  };
}
