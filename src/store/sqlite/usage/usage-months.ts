/**
 * Usage that is past: the days of a month in one row for each route of a key. Days stay apart in
 * it, so every report is the same before and after.
 */

import type { DatabaseSync } from 'node:sqlite';
import type { Mode } from '../../../base/config/data-dir.ts';
import { dayFromMillis } from '../../../base/time/dates.ts';
import { inTransaction } from '../transaction.ts';

const MILLIS_PER_DAY = 86_400_000;

/** Day since the epoch, calls, errors, tokens. */
type CountedDay = [day: number, calls: number, errors: number, tokens: number];

/** A key in a month whose days are to be put together. */
interface KeyMonth {
  account: string;
  mode: Mode;
  key_id: string;
  /** Since the epoch. */
  month: number;
}

interface UsageDay {
  day: number;
  endpoint: string;
  method: string;
  calls: number;
  errors: number;
  tokens: number;
}

export interface RolledUp {
  /** Rows of days that are no more. */
  days: number;
  /** Months of a key that they were of. */
  keyMonths: number;
}

/** Months since the epoch (UTC) that a day is in. */
export function monthFromDay(day: number): number {
  const date = new Date(day * MILLIS_PER_DAY);
  return 12 * (date.getUTCFullYear() - 1970) + date.getUTCMonth();
}

function firstDayOf(month: number): number {
  return dayFromMillis(Date.UTC(1970, month, 1));
}

/**
 * Puts together the months that had ended by `untilDay`, oldest first; each of a key in a
 * transaction of its own, so that a kill leaves whole ones.
 *
 * @param keyMonthsMax The rest is left to the next time.
 */
export function rollUpUsage(db: DatabaseSync, untilDay: number, keyMonthsMax: number): RolledUp {
  const endDay = firstDayOf(monthFromDay(untilDay));
  const rolled: RolledUp = { days: 0, keyMonths: 0 };
  while (rolled.keyMonths < keyMonthsMax) {
    const due = dueKeyMonths(db, endDay, keyMonthsMax - rolled.keyMonths);
    if (due.length === 0) break;
    for (const keyMonth of due) {
      rolled.days += inTransaction(db, () => rollUpKey(db, keyMonth));
      rolled.keyMonths++;
    }
  }
  return rolled;
}

/** Keys of the oldest month of each account and mode; the primary key finds it. */
function dueKeyMonths(db: DatabaseSync, endDay: number, rowsMax: number): KeyMonth[] {
  const oldest = db
    .prepare(
      `SELECT id AS account, mode,
              (SELECT min(day) FROM usage WHERE account = id AND mode = modes.mode) AS day
       FROM accounts, (SELECT 'live' AS mode UNION ALL SELECT 'sandbox') AS modes ORDER BY day`,
    )
    .all() as unknown as (Pick<KeyMonth, 'account' | 'mode'> & { day: number | null })[];
  const keysOf = db.prepare(
    `SELECT DISTINCT key_id FROM usage
     WHERE account = ? AND mode = ? AND day BETWEEN ? AND ? ORDER BY key_id`,
  );
  const due: KeyMonth[] = [];
  for (const { account, mode, day } of oldest) {
    if (day === null || day >= endDay || due.length >= rowsMax) continue;
    const month = monthFromDay(day);
    const keys = keysOf.all(account, mode, firstDayOf(month), firstDayOf(month + 1) - 1);
    for (const { key_id } of keys) due.push({ account, mode, month, key_id: String(key_id) });
  }
  return due.slice(0, rowsMax);
}

/** @returns how many rows of days it has put together. */
function rollUpKey(db: DatabaseSync, { account, mode, month, key_id }: KeyMonth): number {
  const where = 'account = ? AND mode = ? AND day BETWEEN ? AND ? AND key_id = ?';
  const bounds = [account, mode, firstDayOf(month), firstDayOf(month + 1) - 1, key_id] as const;
  const rows = db
    .prepare(`SELECT day, endpoint, method, calls, errors, tokens FROM usage WHERE ${where}`)
    .all(...bounds) as unknown as UsageDay[];
  const find = db.prepare(
    `SELECT days FROM usage_months WHERE account = ? AND mode = ? AND month = ? AND key_id = ?
       AND endpoint = ? AND method = ?`,
  );
  const replace = db.prepare('INSERT OR REPLACE INTO usage_months VALUES (?, ?, ?, ?, ?, ?, ?)');
  const routes = Map.groupBy(rows, ({ endpoint, method }) => JSON.stringify([endpoint, method]));
  for (const some of routes.values()) {
    const [{ endpoint, method }] = some;
    const place = [account, mode, month, key_id, endpoint, method] as const;
    // Something may have been counted late, for a day that had been put together before.
    const before = find.get(...place)?.days;
    const known = before === undefined ? [] : (JSON.parse(String(before)) as CountedDay[]);
    replace.run(...place, JSON.stringify(mergedDays(known, some)));
  }
  db.prepare(`DELETE FROM usage WHERE ${where}`).run(...bounds);
  return rows.length;
}

function mergedDays(known: readonly CountedDay[], rows: readonly UsageDay[]): CountedDay[] {
  const days = new Map(known.map((counted) => [counted[0], counted]));
  for (const { day, calls, errors, tokens } of rows) {
    const [, c, e, t] = days.get(day) ?? [day, 0, 0, 0];
    days.set(day, [day, c + calls, e + errors, t + tokens]);
  }
  return [...days.values()].sort(([a], [b]) => a - b);
}
