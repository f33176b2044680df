/** `screener.matched`: symbols that match the screener of a webhook and did not match before. */

import { limits } from '../../src/base/limits.ts';
import { matchingRows, screenerFilters } from '../../src/compute/screener/filters.ts';
import type { PublishedVersion } from '../../src/store/arrow/read/published-version.ts';
import {
  jsonFromScreenerRow,
  screenerTable,
} from '../../src/store/arrow/snapshot/screener-table.ts';
import type { ScreenerTable } from '../../src/store/arrow/snapshot/snapshot.ts';
import type { MarketEvent } from '../../src/store/sqlite/webhooks/event-record.ts';
import type { ScreenerWebhook } from '../../src/store/sqlite/webhooks/webhook-record.ts';
import type { EmittedVersion } from './emitted-version.ts';
import { eventId, namedSymbols } from './symbol-events.ts';

export interface ScreenerMatches {
  webhookId: string;
  /** All matches; undefined if they are the stored ones. */
  matched: string[] | undefined;
  event: MarketEvent | undefined;
}

/**
 * Evaluates every screener. A new one is compared with the last emitted version, which its account
 * could see.
 */
export function screenerMatches(
  version: PublishedVersion,
  emitted: EmittedVersion | undefined,
  webhooks: readonly ScreenerWebhook[],
): ScreenerMatches[] {
  if (webhooks.length === 0) return [];
  const table = version.screener();
  let emittedTable: ScreenerTable | undefined;
  return webhooks.map((webhook) => {
    const rows = rowsOf(table, webhook);
    const matched = symbolsAt(table, rows);
    if (!webhook.matched && emitted) {
      emittedTable ??= screenerTable(emitted);
    }
    const seen =
      webhook.matched ??
      (emittedTable ? symbolsAt(emittedTable, rowsOf(emittedTable, webhook)) : matched);
    const known = new Set(seen);
    const fresh = rows.filter((row) => !known.has(table.symbols[row]));
    const event =
      fresh.length > 0 ? matchEvent(version, table, webhook, { fresh, matched }) : undefined;
    const isSame = webhook.matched?.length === matched.length && fresh.length === 0;
    return { webhookId: webhook.id, matched: isSame ? undefined : matched, event };
  });
}

function matchEvent(
  version: PublishedVersion,
  table: ScreenerTable,
  { id: webhookId, screener }: ScreenerWebhook,
  { fresh, matched }: { fresh: Int32Array; matched: readonly string[] },
): MarketEvent {
  const symbols = symbolsAt(table, fresh);
  const rows = Array.from(fresh.subarray(0, limits.events.rowsMax), (row) =>
    JSON.parse(jsonFromScreenerRow(table, row)),
  );
  return {
    id: eventId('screener.matched', version.id, webhookId),
    type: 'screener.matched',
    occurredAtMs: version.createdMs,
    symbols,
    data: { screener: screener.query, total: matched.length, ...namedSymbols(symbols), rows },
    webhookId,
  };
}

/** Lists matching rows, ascending by symbol as the table is. */
function rowsOf(table: ScreenerTable, { screener, symbols }: ScreenerWebhook): Int32Array {
  const rows = matchingRows(table.columns, screenerFilters(screener.conditions, table.texts));
  if (symbols === null) return rows;
  const wanted = new Set(symbols);
  return rows.filter((row) => wanted.has(table.symbols[row]));
}

function symbolsAt({ symbols }: ScreenerTable, rows: Int32Array): string[] {
  return Array.from(rows, (row) => symbols[row]);
}
