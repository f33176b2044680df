/**
 * Splits and dividends of the whole market, in as few requests as keep them complete.
 *
 * A run of one evening sends three requests only, and bars take two. So each evening refreshes one
 * of the two lists, and takes the other from the file that keeps the pace of requests.
 */

import { DatabaseSync } from 'node:sqlite';
import { type Dividend, MILLIS_PER_DAY, type Split } from '../../../base/bars.ts';
import { requestsPath } from '../../../base/config/data-dir.ts';
import { limits } from '../../../base/limits.ts';
import { dayFromMillis } from '../../../base/time/dates.ts';
import type { FetchContext } from '../../contract/fetch-context.ts';
import type { Ask } from '../shared/ask.ts';
import { VendorActions } from '../shared/vendor-actions.ts';
import { type ActionKind, askActions } from './client.ts';
import { massiveLimits } from './limits.ts';

export interface MarketActions {
  actions: VendorActions;
  /** Both lists are complete from here to today. */
  fromDay: number;
}

const KINDS = ['splits', 'dividends'] as const;

/**
 * Refreshes both lists, or the older one where a run may send no more requests. Companies announce
 * actions ten days ahead (SEC rule 10b-17), so a list of this week holds those of today.
 * @returns undefined while one of the lists is missing or too old.
 */
export async function marketActions(
  fromDay: number,
  { ask, isOneOnly }: { ask: Ask; isOneOnly: boolean },
  { settings, nowMs }: Pick<FetchContext, 'settings' | 'nowMs'>,
): Promise<MarketActions | undefined> {
  using kept = openKeptLists(requestsPath(settings.dataDir));
  const askedMs = (kind: ActionKind) => kept.read(nameOf(kind))?.askedMs ?? 0;
  const byAge = KINDS.toSorted((a, b) => askedMs(a) - askedMs(b));
  for (const kind of isOneOnly ? byAge.slice(0, 1) : byAge) {
    await refresh(kind, fromDay, { ask, kept, nowMs });
  }
  return joined(kept, nowMs);
}

const nameOf = (kind: ActionKind) => `massive ${kind}`;

async function refresh(
  kind: ActionKind,
  fromDay: number,
  { ask, kept, nowMs }: { ask: Ask; kept: KeptLists; nowMs: number },
): Promise<void> {
  const known = kept.read<Split | Dividend>(nameOf(kind));
  const continues = known && known.fromDay <= fromDay;
  const askedFrom = continues
    ? Math.max(known.fromDay, dayFromMillis(known.askedMs) - massiveLimits.lookbackDays)
    : fromDay;
  const answered = await askActions(kind, askedFrom, { ask });
  const answeredRows: ReadonlyMap<string, (Split | Dividend)[]> = answered[kind];
  const rows = new Map(answeredRows);
  if (continues) {
    for (const [symbol, earlier] of known.rows) {
      const before = earlier.filter(({ exDay }) => exDay < askedFrom);
      if (before.length > 0) rows.set(symbol, [...before, ...(rows.get(symbol) ?? [])]);
    }
  }
  kept.write(nameOf(kind), { fromDay: continues ? known.fromDay : fromDay, askedMs: nowMs, rows });
}

function joined(kept: KeptLists, nowMs: number): MarketActions | undefined {
  const splits = kept.read<Split>(nameOf('splits'));
  const dividends = kept.read<Dividend>(nameOf('dividends'));
  const oldestMs = nowMs - massiveLimits.announcedDays * MILLIS_PER_DAY;
  if (!splits || !dividends || Math.min(splits.askedMs, dividends.askedMs) < oldestMs) {
    return undefined;
  }
  const actions = new VendorActions(splits.rows, dividends.rows);
  return { actions, fromDay: Math.max(splits.fromDay, dividends.fromDay) };
}

/** All splits or all dividends of a vendor from a day on, announced ones included. */
interface KeptList<Row extends Split | Dividend> {
  /** First day from which the list is complete. */
  fromDay: number;
  askedMs: number;
  /** Rows by the vendor's symbol. */
  rows: Map<string, Row[]>;
}

type KeptLists = ReturnType<typeof openKeptLists>;

function openKeptLists(path: string) {
  const database = new DatabaseSync(path, { timeout: limits.accounts.busyTimeoutMs });
  database.exec('CREATE TABLE IF NOT EXISTS kept_lists (name TEXT PRIMARY KEY, list TEXT)');
  const select = database.prepare('SELECT list FROM kept_lists WHERE name = ?');
  const replace = database.prepare('INSERT OR REPLACE INTO kept_lists VALUES (?, ?)');
  return {
    read<Row extends Split | Dividend>(name: string): KeptList<Row> | undefined {
      const row = select.get(name) as { list: string } | undefined;
      if (!row) return undefined;
      const { rows, ...list } = JSON.parse(row.list);
      return { ...list, rows: new Map(rows) };
    },
    write<Row extends Split | Dividend>(name: string, { rows, ...list }: KeptList<Row>) {
      replace.run(name, JSON.stringify({ ...list, rows: [...rows] }));
    },
    [Symbol.dispose]() {
      database.close();
    },
  };
}
