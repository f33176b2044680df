/**
 * `accounts.sqlite`: the state that belongs to accounts. One small interface, so that a shared
 * database can take its place when the API outgrows a machine.
 */

import { randomBytes } from 'node:crypto';
import { dirname } from 'node:path';
import { webhookKeyPath } from '../../base/config/data-dir.ts';
import { limits } from '../../base/limits/limits.ts';
import { openDatabase, tellingDamage } from './database.ts';
import { createIdempotencyStore, type IdempotencyStore } from './idempotency.ts';
import { type AccountStore, createAccountStore } from './keys/account-store.ts';
import { createKeyStore, type KeyStore } from './keys/key-store.ts';
import { createSharedVersion } from './keys/shared-version.ts';
import { newCountMemory, type SharedCounts } from './usage/count-memory.ts';
import { createRequestCounts, type RequestCounts } from './usage/request-counts.ts';
import { createUsageCounts, type UsageCounts } from './usage/usage-counts.ts';
import { createUsageReport, type UsageReport } from './usage/usage-report.ts';
import { createDeliveryList, type DeliveryList } from './webhooks/delivery-list.ts';
import { createDeliveryQueue, type DeliveryQueue } from './webhooks/delivery-queue.ts';
import { createEventStore, type EventStore } from './webhooks/event-store.ts';
import { createRelayStore, type RelayStore } from './webhooks/relay-store.ts';
import { createSecretVault } from './webhooks/webhook-secret.ts';
import { createWebhookStore, type WebhookStore } from './webhooks/webhook-store.ts';

export interface Accounts
  extends AccountStore,
    KeyStore,
    RequestCounts,
    UsageCounts,
    UsageReport,
    IdempotencyStore,
    WebhookStore,
    EventStore,
    RelayStore,
    DeliveryList,
    DeliveryQueue {
  /** A number that differs after anything but usage may have changed. */
  version(): number;
  /** 32 random bytes that sign cursors: the same for every process, made at first use. */
  cursorSecret(): Buffer;
}

const SECRET_BYTES = 32;

/**
 * Opens the file, or makes it.
 *
 * @param now    Milliseconds since the epoch; stamps creation and changes, and says what is due.
 * @param counts Counters that threads share; default: own ones.
 * @throws {CorruptDataError} it is damaged where every use of it needs it.
 * @throws as `openDatabase`.
 */
export function openAccounts(
  path: string,
  now: () => number = Date.now,
  counts: SharedCounts = { memory: newCountMemory() },
): Accounts {
  return tellingDamage(path, () => opened(path, now, counts));
}

function opened(path: string, now: () => number, counts: SharedCounts): Accounts {
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
    ...createEventStore(db, now),
    ...createRelayStore(db),
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
    version,
    cursorSecret() {
      insertSecret.run('cursor', randomBytes(SECRET_BYTES));
      return Buffer.from(selectSecret.get('cursor')?.value as Uint8Array);
    },
    close() {
      timers.forEach(clearInterval);
      usage.close();
      db.close();
    },
  };
}
