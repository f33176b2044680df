/** `accounts.sqlite` as an earlier version of the program left it, with something in every table. */

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { webhookKeyPath } from '../../../src/base/config/data-dir.ts';
import { hashFromRawKey } from '../../../src/store/accounts/keys/raw-key.ts';
import {
  createSecretVault,
  randomWebhookSecret,
} from '../../../src/store/accounts/webhooks/webhook-secret.ts';

/** Changes of each schema version to the one before. */
const SCHEMAS = readFileSync(new URL('accounts-schemas.sql', import.meta.url), 'utf8')
  .split(/^-- version \d+$/m)
  .slice(1);

export const OLD_ACCOUNTS_VERSIONS = SCHEMAS.map((_, i) => i + 1);

export const OLD_DAY = 20_000;

/** Content of an old file; a value is undefined if its version had no place for it. */
export interface OldAccounts {
  rawKey: string;
  usedCalls: number | undefined;
  webhook: { id: string; secret: string } | undefined;
  cursorSecret: Buffer | undefined;
}

/** Writes the file, and `webhook.key` beside it where there are webhooks. */
export function writeOldAccounts(path: string, version: number): OldAccounts {
  const db = new DatabaseSync(path);
  db.exec(`CREATE TABLE schema_migrations
           (version INTEGER PRIMARY KEY, applied_at INTEGER NOT NULL) STRICT`);
  // Versions 8 and 9 had a MAC for each row, which their triggers wrote and checked.
  const options = { varargs: true, deterministic: true };
  db.function('row_mac', options, (...values) =>
    createHash('sha256').update(JSON.stringify(values)).digest(),
  );
  db.function('require_whole', options, () => null);
  for (const [i, statements] of SCHEMAS.slice(0, version).entries()) {
    db.exec(statements);
    db.exec(`INSERT INTO schema_migrations VALUES (${i + 1}, 0)`);
  }
  const rawKey = `svc_live_${'k'.repeat(32)}`;
  if (version >= 3) db.exec("INSERT INTO accounts (id, label, created_at) VALUES ('a', 'A', 1000)");
  db.prepare(
    `INSERT INTO keys (id, account, mode, hash, key_prefix, label, scopes, created_at)
     VALUES ('key_1', 'a', 'live', ?, 'svc_live_kkk', 'old', 'quotes:read', 1000)`,
  ).run(hashFromRawKey(rawKey));
  const cursorSecret = version >= 2 ? Buffer.alloc(32, 7) : undefined;
  if (cursorSecret) db.prepare("INSERT INTO secrets VALUES ('cursor', ?)").run(cursorSecret);
  if (version >= 4) {
    db.exec(`INSERT INTO usage
             VALUES ('a', 'live', ${OLD_DAY}, 'key_1', '/svc/quotes/{symbol}', 'GET', 5, 1, 5)`);
  }
  const webhook = version >= 6 ? addWebhook(db, path) : undefined;
  if (version === 8 || version === 9) db.exec("INSERT INTO secrets VALUES ('schema', x'00')");
  if (version >= 7) db.exec("INSERT INTO relays VALUES ('live', 3, 'mark', 'version')");
  db.close();
  return { rawKey, usedCalls: version >= 4 ? 5 : undefined, webhook, cursorSecret };
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
