/** A mode whose webhooks get events, and the events so far. */

import { DatabaseSync } from 'node:sqlite';
import type { ModePaths } from '../../../src/base/config/data-dir.ts';
import { openAccounts } from '../../../src/store/accounts/admission/sqlite-accounts.ts';
import type { Accounts } from '../../../src/store/accounts/records/contract.ts';
import { EVENT_TYPE_NAMES } from '../../../src/store/accounts/webhooks/event-record.ts';
import type { NewWebhook } from '../../../src/store/accounts/webhooks/webhook-record.ts';
import { NOW_MS } from '../../store/duckdb/support/fixtures.ts';

export interface Told {
  id: string;
  type: string;
  timestamp: string;
  data: Record<string, unknown>;
}

/** Opens the accounts for one change. */
export async function inAccounts<T>(
  { accounts: path }: ModePaths,
  use: (accounts: Accounts) => Promise<T>,
): Promise<T> {
  const accounts = openAccounts(path, () => NOW_MS);
  try {
    return await use(accounts);
  } finally {
    await accounts.close();
  }
}

/** Adds a webhook for all events unless `values` say otherwise. @returns its id. */
export async function subscribe(
  paths: ModePaths,
  values: Partial<NewWebhook> = {},
): Promise<string> {
  return await inAccounts(paths, async (accounts) => {
    if (!(await accounts.findAccount('a'))) await accounts.createAccount({ id: 'a', label: 'a' });
    const events = EVENT_TYPE_NAMES.filter((type) => type !== 'screener.matched');
    const url = 'https://example.com/hook';
    return (
      await accounts.createWebhook({ account: 'a', mode: paths.mode, url, events, ...values })
    ).id;
  });
}

/** Events of a webhook, in order. */
export function toldTo({ accounts: path }: ModePaths, webhookId: string): Told[] {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    const rows = db
      .prepare(
        `SELECT events.body FROM deliveries JOIN events ON events.seq = deliveries.event
         JOIN webhooks ON webhooks.seq = deliveries.webhook WHERE webhooks.id = ?
         ORDER BY deliveries.seq`,
      )
      .all(webhookId);
    return rows.map(({ body }) => JSON.parse(String(body)));
  } finally {
    db.close();
  }
}
