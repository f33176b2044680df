/** Accounts in `accounts.sqlite`. */

import { randomBytes } from 'node:crypto';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { webhookKeyPath } from '../../base/config/data-dir.ts';
import { limits } from '../../base/limits.ts';
import { createBackfillStore } from './backfills/backfill-store.ts';
import type { Accounts, RecordStores } from './contract.ts';
import { openDatabase, reportingDamage } from './database/open.ts';
import { inPromisedTransaction, promised, promisedApart } from './database/promised.ts';
import { createIdempotencyStore } from './idempotency.ts';
import { createAccountStore } from './keys/account-store.ts';
import { createKeyFinder } from './keys/key-finder.ts';
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

function opened(path: string, now: () => number, counts: SharedCounts): Accounts {
  const db = openDatabase(path, now());
  const { version, changed } = createSharedVersion(db, counts);
  const insertSecret = db.prepare('INSERT OR IGNORE INTO secrets (name, value) VALUES (?, ?)');
  const selectSecret = db.prepare('SELECT value FROM secrets WHERE name = ?');
  const usage = createUsageCounts(db, counts);
  const idempotency = createIdempotencyStore(db, now);
  const relay = createRelayStore(db);
  const stores: RecordStores = {
    ...createAccountStore(db, now, changed),
    ...createKeyStore(db, now, changed),
    ...createUsageReport(db),
    ...createWebhookStore(db, now, createSecretVault(webhookKeyPath(dirname(path)))),
    ...createScreenStore(db, now),
    ...createBackfillStore(db, now),
    ...createEventStore(db, now),
    ...createStreamStore(db, now),
    ...createDeliveryList(db),
    ...createDeliveryQueue(db, now),
    claim: idempotency.claim,
    releaseClaim: idempotency.releaseClaim,
    eraseOldAnswers: idempotency.eraseOldAnswers,
    relayPosition: relay.relayPosition,
  };
  const within = promised(stores);
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
    ...createKeyFinder(db),
    ...createRequestCounts(counts.memory),
    count: usage.count,
    addCounts: usage.addCounts,
    tokensUsed: usage.tokensUsed,
    flush: usage.flush,
    version,
    cursorSecret(): Buffer {
      insertSecret.run('cursor', randomBytes(SECRET_BYTES));
      return Buffer.from(selectSecret.get('cursor')?.value as Uint8Array);
    },
    ...promisedApart(path, stores),
    keepAnswer: async (id, work) => {
      const made = await inPromisedTransaction(path, db, async () => {
        const { result, ...answer } = await work(within);
        idempotency.keepAnswer(id, answer);
        return result;
      });
      // Before the commit, another thread would read and keep the old state.
      changed();
      return made;
    },
    advanceRelay: (mode, position, work) =>
      inPromisedTransaction(path, db, async () => {
        await work(within);
        relay.moveRelay(mode, position);
      }),
    async close(): Promise<void> {
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
