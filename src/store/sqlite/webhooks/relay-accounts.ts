/** What publishing needs of `accounts.sqlite`, opened in a millisecond: once every publish. */

import { dirname } from 'node:path';
import { webhookKeyPath } from '../../../base/config/data-dir.ts';
import { openDatabase } from '../database.ts';
import { createEventStore, type EventStore } from './event-store.ts';
import { createRelayStore, type RelayStore } from './relay-store.ts';
import { createSecretVault } from './webhook-secret.ts';
import { createWebhookStore, type WebhookStore } from './webhook-store.ts';

export interface RelayAccounts
  extends RelayStore,
    EventStore,
    Pick<WebhookStore, 'screenerWebhooks' | 'setMatched'> {
  close(): void;
}

/** @param now Milliseconds since the epoch; stamps events and their deliveries. */
export function openRelayAccounts(path: string, now: () => number = Date.now): RelayAccounts {
  const db = openDatabase(path, now());
  // What is here is dropped from the outbox: it must outlive a power cut, which costs one fsync.
  db.exec('PRAGMA synchronous = FULL');
  const vault = createSecretVault(webhookKeyPath(dirname(path)));
  const { screenerWebhooks, setMatched } = createWebhookStore(db, now, vault);
  return {
    ...createRelayStore(db),
    ...createEventStore(db, now),
    screenerWebhooks,
    setMatched,
    close: () => db.close(),
  };
}
