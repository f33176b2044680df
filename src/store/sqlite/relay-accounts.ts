/** The part of `accounts.sqlite` that a publish uses; opening takes a millisecond. */

import { dirname } from 'node:path';
import { webhookKeyPath } from '../../base/config/data-dir.ts';
import type { AccountRecords, RecordTransactions } from './contract.ts';
import { openDatabase } from './database/open.ts';
import { inPromisedTransaction, promised, promisedApart } from './database/promised.ts';
import { createEventStore } from './webhooks/event-store.ts';
import { createRelayStore } from './webhooks/relay-store.ts';
import { createSecretVault } from './webhooks/webhook-secret.ts';
import { createWebhookStore } from './webhooks/webhook-store.ts';

export type RelayAccounts = Pick<RecordTransactions, 'advanceRelay'> &
  Pick<
    AccountRecords,
    'relayPosition' | 'addEvents' | 'subscriptions' | 'screenerWebhooks' | 'setScreenerStates'
  >;

/** @param now Milliseconds since the epoch; dates events and deliveries. */
export async function withRelayAccounts<T>(
  path: string,
  use: (accounts: RelayAccounts) => Promise<T>,
  now: () => number = Date.now,
): Promise<T> {
  const db = openDatabase(path, now());
  // The outbox drops what is stored here, so it must survive a power cut, at one fsync.
  db.exec('PRAGMA synchronous = FULL');
  const vault = createSecretVault(webhookKeyPath(dirname(path)));
  const { screenerWebhooks, setScreenerStates } = createWebhookStore(db, now, vault);
  const { relayPosition, moveRelay } = createRelayStore(db);
  const events = createEventStore(db, now);
  const stores = { ...events, relayPosition, screenerWebhooks, setScreenerStates };
  const within = promised(stores);
  try {
    return await use({
      ...promisedApart(path, stores),
      advanceRelay: (mode, position, work) =>
        inPromisedTransaction(path, db, async () => {
          await work(within);
          moveRelay(mode, position);
        }),
    });
  } finally {
    db.close();
  }
}
