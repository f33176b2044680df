/** Content of all events that a webhook received, however the publishes were split. */

import { DatabaseSync } from 'node:sqlite';
import type { ModePaths } from '../../../src/base/config/data-dir.ts';

export interface ToldEvents {
  /** Ids of all events of loads, each as often as it was sent. */
  ids: string[];
  /** Last quote that was sent of each symbol. */
  quotes: Record<string, unknown>;
}

/**
 * `quote.updated` tells how a version differs from the one before, so that an interruption may cut
 * it differently: of those the last word counts, of all others each id.
 */
export function toldEvents({ accounts }: Pick<ModePaths, 'accounts'>): ToldEvents {
  const db = new DatabaseSync(accounts, { readOnly: true });
  try {
    const rows = db
      .prepare(
        `SELECT events.id, events.type, events.body FROM deliveries
         JOIN events ON events.seq = deliveries.event ORDER BY deliveries.seq`,
      )
      .all();
    const ids: string[] = [];
    const quotes: Record<string, unknown> = {};
    for (const { id, type, body } of rows) {
      if (type !== 'quote.updated') ids.push(String(id));
      else for (const quote of JSON.parse(String(body)).data.quotes) quotes[quote.symbol] = quote;
    }
    return { ids: ids.sort(), quotes };
  } finally {
    db.close();
  }
}
