/** The part of `accounts.sqlite` that a publish uses; opening takes a millisecond. */

import { dirname } from 'node:path';
import { webhookKeyPath } from '../../../base/config/data-dir.ts';
import { openDatabase } from '../database/open.ts';
import { createEventStore } from './event-store.ts';
import { createRelayStore } from './relay-store.ts';
import { createSecretVault } from './webhook-secret.ts';
import { createWebhookStore } from './webhook-store.ts';

export type RelayAccounts = ReturnType<typeof openRelayAccounts>;

/** @param now Milliseconds since the epoch; dates events and deliveries. */
export function openRelayAccounts(path: string, now: () => number = Date.now) {
  const db = openDatabase(path, now());
  // The outbox drops what is stored here, so it must survive a power cut, at one fsync.
  db.exec('PRAGMA synchronous = FULL');
  const vault = createSecretVault(webhookKeyPath(dirname(path)));
  const { screenerWebhooks, setScreenerStates } = createWebhookStore(db, now, vault);
  return {
    ...createRelayStore(db),
    ...createEventStore(db, now),
    screenerWebhooks,
    setScreenerStates,
    [Symbol.dispose]: () => db.close(),
  };
}
