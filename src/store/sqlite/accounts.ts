/** State of accounts, in `accounts.sqlite`. */

import { randomBytes } from 'node:crypto';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { webhookKeyPath } from '../../base/config/data-dir.ts';
import { limits } from '../../base/limits.ts';
import { createBackfillStore } from './backfills/backfill-store.ts';
import { openDatabase, reportingDamage } from './database/open.ts';
import { createIdempotencyStore } from './idempotency.ts';
import { createAccountStore } from './keys/account-store.ts';
import { createKeyStore } from './keys/key-store.ts';
import { createScreenStore } from './screens/screen-store.ts';
import { newCountMemory } from './usage/count-memory.ts';
import { createRequestCounts } from './usage/request-counts.ts';
import { createUsageCounts, type SharedCounts } from './usage/usage-counts.ts';
import { createUsageReport } from './usage/usage-report.ts';
import { createDeliveryList } from './webhooks/delivery-list.ts';
import { createDeliveryQueue } from './webhooks/delivery-queue.ts';
import { createEventStore } from './webhooks/event-store.ts';
import { createRelayStore } from './webhooks/relay-store.ts';
import { createStreamStore } from './webhooks/stream-store.ts';
import { createSecretVault } from './webhooks/webhook-secret.ts';
import { createWebhookStore } from './webhooks/webhook-store.ts';

export type Accounts = ReturnType<typeof opened>;

const SECRET_BYTES = 32;

/**
 * @param now Milliseconds since the epoch; dates changes and decides what is due.
 * @param counts Counters that threads share; default: own ones.
 * @throws {CorruptDataError} the file is damaged.
 * @throws as `openDatabase`.
 */
export function openAccounts(
  path: string,
  now: () => number = Date.now,
  counts: SharedCounts = { memory: newCountMemory() },
): Accounts {
  return reportingDamage(path, () => opened(path, now, counts));
}

function opened(path: string, now: () => number, counts: SharedCounts) {
  const db = openDatabase(path, now());
  const { version, changed } = createSharedVersion(db, counts);
  const insertSecret = db.prepare('INSERT OR IGNORE INTO secrets (name, value) VALUES (?, ?)');
  const selectSecret = db.prepare('SELECT value FROM secrets WHERE name = ?');
  const usage = createUsageCounts(db, counts);
  const idempotency = createIdempotencyStore(db, now);
  const stores = {
    ...createAccountStore(db, now, changed),
    ...createKeyStore(db, now, changed),
    ...createRequestCounts(counts.memory),
    ...usage,
    ...createUsageReport(db),
    ...idempotency,
    ...createWebhookStore(db, now, createSecretVault(webhookKeyPath(dirname(path)))),
    ...createScreenStore(db, now),
    ...createBackfillStore(db, now),
    ...createEventStore(db, now),
    ...createRelayStore(db),
    ...createStreamStore(db, now),
    ...createDeliveryList(db),
    ...createDeliveryQueue(db, now),
  };
  idempotency.eraseOldAnswers();
  const beat = () => {
    usage.flush();
    // In the thread that writes, this raises the number that the other threads read.
    version();
  };
  const timers = [
    setInterval(idempotency.eraseOldAnswers, limits.idempotency.eraseMs),
    setInterval(beat, limits.usage.flushMs),
  ];
  for (const timer of timers) timer.unref();

  return {
    ...stores,
    /** Returns a number that changes whenever anything but usage may have changed. */
    version,
    /** Returns the 32 random bytes that sign cursors in every process; made at first use. */
    cursorSecret(): Buffer {
      insertSecret.run('cursor', randomBytes(SECRET_BYTES));
      return Buffer.from(selectSecret.get('cursor')?.value as Uint8Array);
    },
    /** Writes the counts of usage, or posts them, and closes the file. */
    close(): void {
      timers.forEach(clearInterval);
      usage.close();
      db.close();
    },
  };
}

/**
 * Returns the shared number of the accounts' state, and what raises it. Only the thread that writes
 * watches for commits of other processes: for other threads, its commits of usage look like theirs.
 */
function createSharedVersion(db: DatabaseSync, { memory, post }: SharedCounts) {
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
