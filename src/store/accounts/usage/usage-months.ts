/**
 * Past usage in the table `usage_months`: a row for each route of a key and month, with the counts
 * of its days as JSON, in less than a third of the bytes.
 */

import { MILLIS_PER_DAY } from '../../../base/bars.ts';
import type { Mode } from '../../../base/config/data-dir.ts';
import { dayFromMillis } from '../../../base/time/dates.ts';
import type { Sql } from '../database/sql.ts';
import type { UsageCount } from './usage-counts.ts';

type UsageDay = Omit<UsageCount, 'key' | 'lastUsedMs'>;

interface KeyMonth {
  account: string;
  mode: Mode;
  key_id: string;
  month: number;
}

export interface RolledUp {
  /** Daily rows that were replaced. */
  days: number;
  /** Months of a key that they belonged to. */
  keyMonths: number;
}

export function monthFromDay(day: number): number {
  const date = new Date(day * MILLIS_PER_DAY);
  return 12 * (date.getUTCFullYear() - 1970) + date.getUTCMonth();
}

function firstDayOf(month: number): number {
  return dayFromMillis(Date.UTC(1970, month, 1));
}

/**
 * Rolls up the months that had ended by `untilDay`, oldest first. Each month of a key has its own
 * transaction.
 *
 * @param keyMonthsMax Bound of one run; the next run continues.
 */
export async function rollUpUsage(
  sql: Sql,
  untilDay: number,
  keyMonthsMax: number,
): Promise<RolledUp> {
  const endDay = firstDayOf(monthFromDay(untilDay));
  const rolled: RolledUp = { days: 0, keyMonths: 0 };
  while (rolled.keyMonths < keyMonthsMax) {
    const due = await dueKeyMonths(sql, endDay, keyMonthsMax - rolled.keyMonths);
    if (due.length === 0) break;
    for (const keyMonth of due) {
      rolled.days += await sql.transaction((tx) => rollUpKey(tx, keyMonth), { lock: 'records' });
      rolled.keyMonths++;
    }
  }
  return rolled;
}

/** Returns keys of the oldest month of each account and mode, found by the primary key. */
async function dueKeyMonths(sql: Sql, endDay: number, rowsMax: number): Promise<KeyMonth[]> {
  const oldest = await sql.all<Pick<KeyMonth, 'account' | 'mode'> & { day: number | null }>(
    `SELECT id AS account, mode,
            (SELECT min(day) FROM usage WHERE account = id AND usage.mode = modes.mode) AS day
     FROM accounts, (SELECT 'live' AS mode UNION ALL SELECT 'sandbox') AS modes ORDER BY day`,
  );
  const keysOf = `SELECT DISTINCT key_id FROM usage
     WHERE account = ? AND mode = ? AND day BETWEEN ? AND ? ORDER BY key_id`;
  const due: KeyMonth[] = [];
  for (const { account, mode, day } of oldest) {
    if (day === null || day >= endDay || due.length >= rowsMax) continue;
    const month = monthFromDay(day);
    const days = [firstDayOf(month), firstDayOf(month + 1) - 1];
    const keys = await sql.all<{ key_id: string }>(keysOf, account, mode, ...days);
    for (const { key_id } of keys) due.push({ account, mode, month, key_id });
  }
  return due.slice(0, rowsMax);
}

type DayCounts = [day: number, calls: number, errors: number, tokens: number];

/** Adds the days to those of the month: counts may come late for a day that was rolled up. */
async function rollUpKey(tx: Sql, { account, mode, month, key_id }: KeyMonth): Promise<number> {
  const own = [account, mode, key_id];
  const ofDays = 'usage WHERE account = ? AND mode = ? AND key_id = ? AND day BETWEEN ? AND ?';
  const range = [firstDayOf(month), firstDayOf(month + 1) - 1];
  const daily = await tx.all<UsageDay>(
    `SELECT endpoint, method, day, calls, errors, tokens FROM ${ofDays}`,
    ...[...own, ...range],
  );
  const routes = Map.groupBy(daily, ({ endpoint, method }) => JSON.stringify([endpoint, method]));
  for (const rows of routes.values()) {
    const [{ endpoint, method }] = rows;
    const place = [account, mode, month, key_id, endpoint, method];
    const stored = await tx.get<{ days: string }>(
      `SELECT days FROM usage_months WHERE account = ? AND mode = ? AND month = ? AND key_id = ?
         AND endpoint = ? AND method = ?`,
      ...place,
    );
    const sums = new Map<number, DayCounts>();
    const add = ([day, ...counts]: DayCounts) => {
      const sum = sums.get(day) ?? [day, 0, 0, 0];
      sums.set(day, [day, ...sum.slice(1).map((n, i) => n + counts[i])] as DayCounts);
    };
    for (const counts of JSON.parse(stored?.days ?? '[]') as DayCounts[]) add(counts);
    for (const { day, calls, errors, tokens } of rows) add([day, calls, errors, tokens]);
    const days = [...sums.values()].sort(([a], [b]) => a - b);
    await tx.run(
      `INSERT INTO usage_months (account, mode, month, key_id, endpoint, method, days)
       VALUES (?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (account, mode, month, key_id, endpoint, method)
         DO UPDATE SET days = excluded.days`,
      ...[...place, JSON.stringify(days)],
    );
  }
  return await tx.run(`DELETE FROM ${ofDays}`, ...own, ...range);
}
