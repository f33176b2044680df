/**
 * Past usage in the table `usage_months`: a row for each route of a key and month, with the counts
 * of its days as JSON, in less than a third of the bytes.
 */

import type { DatabaseSync } from 'node:sqlite';
import type { Mode } from '../../../base/config/data-dir.ts';
import { dayFromMillis } from '../../../base/time/dates.ts';
import { inTransaction } from '../database/transaction.ts';

const MILLIS_PER_DAY = 86_400_000;

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

/** Returns keys of the oldest month of each account and mode, found by the primary key. */
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

/** Days of a key's month, in both tables: counts may come late for a day that was rolled up. */
const DAYS = `
  SELECT endpoint, method, day, calls, errors, tokens FROM usage
  WHERE account = :account AND mode = :mode AND key_id = :key
    AND day BETWEEN :first AND :last
  UNION ALL
  SELECT endpoint, method, d.value ->> 0, d.value ->> 1, d.value ->> 2, d.value ->> 3
  FROM usage_months, json_each(days) AS d
  WHERE account = :account AND mode = :mode AND month = :month AND key_id = :key`;

function rollUpKey(db: DatabaseSync, { account, mode, month, key_id }: KeyMonth): number {
  const days = { first: firstDayOf(month), last: firstDayOf(month + 1) - 1 };
  const place = { account, mode, key: key_id, ...days };
  db.prepare(
    `INSERT OR REPLACE INTO usage_months
     SELECT :account, :mode, :month, :key, endpoint, method,
            json_group_array(json_array(day, calls, errors, tokens) ORDER BY day)
     FROM (SELECT endpoint, method, day, sum(calls) AS calls, sum(errors) AS errors,
                  sum(tokens) AS tokens
           FROM (${DAYS}) GROUP BY endpoint, method, day)
     GROUP BY endpoint, method`,
  ).run({ ...place, month });
  const removed = db
    .prepare(
      `DELETE FROM usage WHERE account = :account AND mode = :mode AND key_id = :key
         AND day BETWEEN :first AND :last`,
    )
    .run(place);
  return Number(removed.changes);
}
