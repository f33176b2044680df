/** `accounts.sqlite` as the version before this one left it, with rows in its main tables. */

import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { webhookKeyPath } from '../../../src/base/config/data-dir.ts';
import { hashFromRawKey } from '../../../src/store/accounts/keys/raw-key.ts';
import {
  createSecretVault,
  randomWebhookSecret,
} from '../../../src/store/accounts/webhooks/webhook-secret.ts';

const SCHEMA = readFileSync(new URL('old-accounts.sql', import.meta.url), 'utf8');

export const OLD_ACCOUNTS_VERSION = 14;

export const OLD_DAY = 20_000;

export interface OldAccounts {
  rawKey: string;
  usedCalls: number;
  webhook: { id: string; secret: string };
  cursorSecret: Buffer;
}

/** Writes the file, and `webhook.key` beside it. */
export function writeOldAccounts(path: string): OldAccounts {
  const db = new DatabaseSync(path);
  db.exec(`CREATE TABLE schema_migrations
           (version INTEGER PRIMARY KEY, applied_at INTEGER NOT NULL) STRICT;
           INSERT INTO schema_migrations VALUES (${OLD_ACCOUNTS_VERSION}, 0)`);
  db.exec(SCHEMA);
  const rawKey = `svc_live_${'k'.repeat(32)}`;
  db.exec("INSERT INTO accounts (id, label, created_at) VALUES ('a', 'A', 1000)");
  db.prepare(
    `INSERT INTO keys (id, account, mode, hash, key_prefix, label, scopes, created_at)
     VALUES ('key_1', 'a', 'live', ?, 'svc_live_kkk', 'old', 'quotes:read', 1000)`,
  ).run(hashFromRawKey(rawKey));
  const cursorSecret = Buffer.alloc(32, 7);
  db.prepare("INSERT INTO secrets VALUES ('cursor', ?)").run(cursorSecret);
  db.exec(`INSERT INTO usage
           VALUES ('a', 'live', ${OLD_DAY}, 'key_1', '/svc/quotes/{symbol}', 'GET', 5, 1, 5)`);
  const webhook = addWebhook(db, path);
  db.exec("INSERT INTO relays VALUES ('live', 3, 'mark', 'version')");
  db.close();
  return { rawKey, usedCalls: 5, webhook, cursorSecret };
}

/** With an event that waits to be delivered. */
function addWebhook(db: DatabaseSync, path: string): { id: string; secret: string } {
  const [id, secret] = ['wh_1', randomWebhookSecret()];
  const sealed = createSecretVault(webhookKeyPath(dirname(path))).seal(id, secret);
  db.prepare(
    `INSERT INTO webhooks (id, account, mode, url, events, secret, created_at)
     VALUES (?, 'a', 'live', 'https://example.com/hook', 'quote.updated news.published', ?, 1000)`,
  ).run(id, sealed);
  // By the real clock, as events go: old ones are dropped.
  const nowMs = Date.now();
  db.exec(`
    INSERT INTO events (id, mode, type, body, added_at)
      VALUES ('evt_1', 'live', 'news.published', '{}', ${nowMs});
    INSERT INTO deliveries (event, webhook, status, attempts, next_at, created_at)
      SELECT events.seq, webhooks.seq, 'pending', 0, ${nowMs}, ${nowMs} FROM events, webhooks;`);
  return { id, secret };
}
