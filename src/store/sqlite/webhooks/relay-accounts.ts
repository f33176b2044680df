/** The part of `accounts.sqlite` that a publish uses; opening takes a millisecond. */

import { dirname } from 'node:path';
import { webhookKeyPath } from '../../../base/config/data-dir.ts';
import { openDatabase } from '../database/open.ts';
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

/** Opens it. @param now Milliseconds since the epoch; dates events and deliveries. */
export function openRelayAccounts(path: string, now: () => number = Date.now): RelayAccounts {
  const db = openDatabase(path, now());
  // The outbox drops what is stored here, so it must survive a power cut, at one fsync.
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
