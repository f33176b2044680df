/** `screener.matched`: symbols that match the screener of a webhook and did not match before. */

import { limits } from '../../src/base/limits.ts';
import { passingRows } from '../../src/screens/plan/passing-rows.ts';
import type { MarketEvent } from '../../src/store/accounts/webhooks/event-record.ts';
import type {
  ScreenerState,
  ScreenerWebhook,
} from '../../src/store/accounts/webhooks/webhook-record.ts';
import type { PublishedVersion } from '../../src/store/arrow/read/published-version.ts';
import {
  jsonFromScreenerRow,
  screenerTable,
  valuesOfTable,
} from '../../src/store/arrow/snapshot/screener-table.ts';
import type { ScreenerTable } from '../../src/store/arrow/snapshot/snapshot.ts';
import type { EmittedVersion } from './emitted-version.ts';
import { eventId, namedSymbols } from './symbol-events.ts';
import type { WhereMatches, WhereRun } from './where-matches.ts';

export interface ScreenerMatches {
  state: ScreenerState;
  event: MarketEvent | undefined;
}

/** Rows that match, ascending, or the reason why they are not known. */
type FoundRows = Int32Array | Extract<WhereMatches, { error: string }>;

/**
 * Evaluates every screener. One of filters alone is first compared with the last emitted version,
 * which its account could see. For one with an expression, `first-matches.ts` has stored the matches
 * of that version.
 */
export async function screenerMatches(
  version: PublishedVersion,
  emitted: EmittedVersion | undefined,
  webhooks: readonly ScreenerWebhook[],
  { serving, nowMs }: { serving: string; nowMs: number },
): Promise<ScreenerMatches[]> {
  if (webhooks.length === 0) return [];
  const run = await whereRun(webhooks, serving, version);
  const tries: { webhook: ScreenerWebhook; found: FoundRows }[] = [];
  for (const webhook of inTurns(webhooks)) {
    tries.push({ webhook, found: await foundRows(version, webhook, run) });
  }
  let emittedTable: ScreenerTable | undefined;
  const seenBefore = (webhook: ScreenerWebhook): string[] | undefined => {
    if (!emitted || webhook.screener.where !== undefined) return undefined;
    emittedTable ??= screenerTable(emitted);
    return symbolsAt(emittedTable, rowsOf(emittedTable, webhook, undefined));
  };
  const isOneLate = tries.some(({ found }) => 'isLate' in found && found.isLate);
  return tries.map(({ webhook, found }) => {
    const isTried = webhook.screener.where !== undefined && !('isLate' in found && found.isLate);
    // The order of tries matters only if the time was too short for all.
    const triedMs = isOneLate && isTried ? nowMs : undefined;
    const error = 'error' in found ? found.error : null;
    const state = {
      webhookId: webhook.id,
      error: error === webhook.error ? undefined : error,
      triedMs,
    };
    if ('error' in found) return { state: { ...state, matched: undefined }, event: undefined };
    const seen = webhook.matched ?? seenBefore(webhook);
    const { matched, event } = compared(version, webhook, found, seen);
    return { state: { ...state, matched }, event };
  });
}

/**
 * Orders webhooks so that accounts take turns, each in its own order: the time for all expressions
 * of a publish is not one account's.
 */
export function inTurns<Webhook extends Pick<ScreenerWebhook, 'account'>>(
  webhooks: readonly Webhook[],
): Webhook[] {
  const turns = new Map<string, number>();
  const placed = webhooks.map((webhook) => {
    const turn = turns.get(webhook.account) ?? 0;
    turns.set(webhook.account, turn + 1);
    return { webhook, turn };
  });
  return placed.sort((a, b) => a.turn - b.turn).map(({ webhook }) => webhook);
}

/** Returns what evaluates expressions; undefined if no webhook has one. */
export async function whereRun(
  webhooks: readonly ScreenerWebhook[],
  serving: string,
  version: PublishedVersion,
): Promise<WhereRun | undefined> {
  if (webhooks.every(({ screener }) => screener.where === undefined)) return undefined;
  const { WhereRun } = await import('./where-matches.ts');
  return new WhereRun(serving, version);
}

export async function foundRows(
  version: PublishedVersion,
  webhook: ScreenerWebhook,
  run: WhereRun | undefined,
): Promise<FoundRows> {
  const { where } = webhook.screener;
  const found = where === undefined ? undefined : await run!.matches(where);
  if (found && 'error' in found) return found;
  return rowsOf(version.screener(), webhook, found?.accepts);
}

/** @param seen Symbols that are no news; undefined: all that match now. */
function compared(
  version: PublishedVersion,
  webhook: ScreenerWebhook,
  rows: Int32Array,
  seen: readonly string[] | undefined,
): { matched: string[] | undefined; event: MarketEvent | undefined } {
  const table = version.screener();
  const matched = symbolsAt(table, rows);
  const known = new Set(seen ?? matched);
  const fresh = rows.filter((row) => !known.has(table.symbols[row]));
  const event =
    fresh.length > 0 ? matchEvent(version, table, webhook, { fresh, matched }) : undefined;
  const isSame = webhook.matched?.length === matched.length && fresh.length === 0;
  return { matched: isSame ? undefined : matched, event };
}

function matchEvent(
  version: PublishedVersion,
  table: ScreenerTable,
  { id: webhookId, screener, screen }: ScreenerWebhook,
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
    data: {
      screener: cutQuery(screener.query),
      ...(screen && { screen }),
      total: matched.length,
      ...namedSymbols(symbols),
      rows,
    },
    webhookId,
  };
}

function cutQuery(query: string): string {
  const { queryCharsMax } = limits.events;
  return query.length > queryCharsMax ? `${query.slice(0, queryCharsMax)}…` : query;
}

/**
 * Lists matching rows, ascending by symbol as the table is.
 *
 * @param accepts 1 at each row that matches the expression; undefined without one.
 */
function rowsOf(
  table: ScreenerTable,
  { screener, symbols }: ScreenerWebhook,
  accepts: Uint8Array | undefined,
): Int32Array {
  const { filters } = screener;
  const rows = passingRows(valuesOfTable(table), { filters, marks: accepts ? [accepts] : [] });
  const lists = [symbols, screener.symbols].flatMap((list) => (list ? [new Set(list)] : []));
  if (lists.length === 0) return rows;
  return rows.filter((row) => lists.every((wanted) => wanted.has(table.symbols[row])));
}

export function symbolsAt({ symbols }: ScreenerTable, rows: Int32Array): string[] {
  return Array.from(rows, (row) => symbols[row]);
}
