/** Accounts in `accounts.sqlite`. */

import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { webhookKeyPath } from '../../../base/config/data-dir.ts';
import { limits } from '../../../base/limits.ts';
import { randomBytes } from '../../../base/world/chance.ts';
import { clearInterval, setInterval, wallMs } from '../../../base/world/clock.ts';
import { createKeyFinder } from '../keys/key-finder.ts';
import type { Accounts } from '../records/contract.ts';
import { ERASE_ANSWERS } from '../records/idempotency.ts';
import { createRecords } from '../records/records.ts';
import { openDatabase, regainLog, reportingDamage } from '../sqlite/open.ts';
import { sqliteSql } from '../sqlite/sql.ts';
import { withoutWaiting } from '../sqlite/transaction.ts';
import { type CountMemory, newCountMemory } from '../usage/count-memory.ts';
import { createRequestCounts } from '../usage/request-counts.ts';
import { createUsageCounts, type SharedCounts } from '../usage/usage-counts.ts';
import { createSecretVault } from '../webhooks/webhook-secret.ts';

const SECRET_BYTES = 32;

/**
 * @param now Milliseconds since the epoch; dates changes and decides what is due.
 * @param counts Counters that threads share; default: own ones.
 * @throws {CorruptDataError} the file is damaged.
 * @throws as `openDatabase`.
 */
export function openAccounts(
  path: string,
  now: () => number = wallMs,
  counts: SharedCounts = { memory: newCountMemory() },
): Accounts {
  return reportingDamage(path, () => {
    const db = openDatabase(path, now());
    try {
      return accountsOf(db, path, now, counts);
    } catch (error) {
      db.close();
      throw error;
    }
  });
}

function accountsOf(
  db: DatabaseSync,
  path: string,
  now: () => number,
  counts: SharedCounts,
): Accounts {
  const { version, changed } = createSharedVersion(db, counts);
  const insertSecret = db.prepare('INSERT OR IGNORE INTO secrets (name, value) VALUES (?, ?)');
  const selectSecret = db.prepare('SELECT value FROM secrets WHERE name = ?');
  const { close: closeUsage, rereadTokens: _, ...usage } = createUsageCounts(db, counts);
  const vault = createSecretVault(webhookKeyPath(dirname(path)));
  const records = createRecords(sqliteSql(db, path), { now, vault, changed });
  const keys = createKeyFinder(db);
  let hasLog = counts.post !== undefined;
  const beat = () => {
    if (!hasLog) hasLog = regainLog(db, path);
    usage.flush();
    // In the thread that writes, this raises the number that the other threads read.
    version();
  };
  const eraseAnswers = db.prepare(ERASE_ANSWERS);
  // At once: other connections of this thread open the file now, and would wait for a transaction.
  const erase = () =>
    withoutWaiting(db, () => void eraseAnswers.run(now() - limits.idempotency.keptMs));
  const timers = [
    setInterval(erase, limits.idempotency.eraseMs),
    setInterval(beat, limits.usage.flushMs),
  ];
  for (const timer of timers) timer.unref();
  erase();

  return {
    ...keys,
    ...createRequestCounts(counts.memory),
    ...usage,
    version,
    cursorSecret(): Buffer {
      const known = selectSecret.get('cursor')?.value;
      if (!known) insertSecret.run('cursor', randomBytes(SECRET_BYTES));
      return Buffer.from((known ?? selectSecret.get('cursor')?.value) as Uint8Array);
    },
    contactMs: () => undefined,
    refresh: async () => {},
    ...records,
    /** Writes the counts of usage, or posts them, and closes the file. */
    async close(): Promise<void> {
      timers.forEach(clearInterval);
      closeUsage();
      db.close();
    },
  };
}

/**
 * Returns the shared number of the accounts' state, and what raises it. Only the thread that writes
 * watches for commits of other processes: for other threads, its commits of usage look like theirs.
 */
export function createSharedVersion(
  db: DatabaseSync,
  { memory, post }: { memory: CountMemory; post?: unknown },
) {
  const element = new Int32Array(memory.accountsVersion);
  const dataVersion = db.prepare('PRAGMA data_version');
  const committed = () => Number(dataVersion.get()?.data_version);
  let known = committed();
  const changed = () => void Atomics.add(element, 0, 1);
  return {
    changed,
    version(): number {
      if (!post) {
        const newest = committed();
        if (newest !== known) changed();
        known = newest;
      }
      return Atomics.load(element, 0);
    },
  };
}
