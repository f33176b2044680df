/** A mode whose webhooks get events, and the events so far. */

import { DatabaseSync } from 'node:sqlite';
import { publish } from '../../../jobs/publish/publish.ts';
import type { ModePaths } from '../../../src/base/config/data-dir.ts';
import type { FetchedRows } from '../../../src/ingest/contract/fetch-context.ts';
import type { CandleSegment } from '../../../src/store/duckdb/connection/candle-segment.ts';
import { openMarketForWriting } from '../../../src/store/duckdb/connection/open.ts';
import { openAccounts } from '../../../src/store/sqlite/accounts.ts';
import { EVENT_TYPE_NAMES } from '../../../src/store/sqlite/webhooks/event-record.ts';
import type { NewWebhook } from '../../../src/store/sqlite/webhooks/webhook-record.ts';
import { load, NOW_MS } from '../../store/duckdb/support/fixtures.ts';
import { loadSegment } from '../../store/duckdb/support/row-fixtures.ts';

export interface Told {
  id: string;
  type: string;
  timestamp: string;
  data: Record<string, unknown>;
}

/** Adds a webhook for all events unless `values` say otherwise. @returns its id. */
export function subscribe(
  { accounts: path, mode }: ModePaths,
  values: Partial<NewWebhook> = {},
): string {
  const accounts = openAccounts(path, () => NOW_MS);
  try {
    if (!accounts.findAccount('a')) accounts.createAccount({ id: 'a', label: 'a' });
    const events = EVENT_TYPE_NAMES.filter((type) => type !== 'screener.matched');
    const url = 'https://example.com/hook';
    return accounts.createWebhook({ account: 'a', mode, url, events, ...values }).id;
  } finally {
    accounts.close();
  }
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

/** Loads segments and does not publish them. */
export async function loadAll(
  paths: ModePaths,
  ...segments: (CandleSegment | FetchedRows)[]
): Promise<void> {
  const db = await openMarketForWriting(paths, { verb: 'test', nowMs: NOW_MS });
  try {
    for (const segment of segments) {
      await ('parquetPath' in segment ? loadSegment(db, segment) : load(db, segment));
    }
  } finally {
    db.close();
  }
}

export async function publishAt(paths: ModePaths, nowMs = NOW_MS): Promise<void> {
  await publish(paths, { verb: 'test', nowMs });
}
