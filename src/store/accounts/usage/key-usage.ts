/** Keys with their usage, for the operator's report. */

import { limits } from '../../../base/limits.ts';
import type { KeyReport, KeysReport } from '../../../base/operator/report.ts';
import { dateFromDay, dayFromMillis, isoOrNull } from '../../../base/time/dates.ts';
import { countOf } from '../database/list-part.ts';
import type { Sql } from '../database/sql.ts';

interface Row extends Omit<KeyReport, 'state' | 'lastUsedAt'> {
  lastUsedMs: number | null;
  revokedMs: number | null;
  expiresMs: number | null;
  suspendedMs: number | null;
}

/** Days of usage in the report. They are never rolled up into months. */
const DAYS = 30;

export async function keysReport(sql: Sql, nowMs: number): Promise<KeysReport> {
  const { keysShown } = limits.operatorReport;
  const today = dayFromMillis(nowMs);
  const fromDay = today - DAYS + 1;
  const rows = await sql.all<Row>(
    `SELECT keys.id, key_prefix AS prefix, keys.label, account, mode,
       last_used_at AS "lastUsedMs", revoked_at AS "revokedMs", expires_at AS "expiresMs",
       suspended_at AS "suspendedMs", coalesce(calls, 0) AS calls,
       coalesce(errors, 0) AS errors, coalesce(tokens, 0) AS tokens
     FROM keys JOIN accounts ON accounts.id = account LEFT JOIN (
       SELECT key_id, sum(calls) AS calls, sum(errors) AS errors, sum(tokens) AS tokens
       FROM usage WHERE day >= ? GROUP BY key_id) AS used ON key_id = keys.id
     ORDER BY revoked_at IS NOT NULL, coalesce(calls, 0) DESC, keys.seq DESC LIMIT ?`,
    ...[fromDay, keysShown],
  );
  const total = await countOf(sql, 'FROM keys');
  const daily = await sql.all<{ day: number; calls: number; errors: number }>(
    `SELECT day, sum(calls) AS calls, sum(errors) AS errors FROM usage WHERE day >= ?
     GROUP BY day`,
    fromDay,
  );
  const byDay = new Map(daily.map(({ day, calls, errors }) => [day, { calls, errors }]));
  const days = Array.from({ length: DAYS }, (_, i) => {
    const { calls, errors } = byDay.get(fromDay + i) ?? { calls: 0, errors: 0 };
    return { day: dateFromDay(fromDay + i), calls, errors };
  });
  return { keys: rows.map((row) => keyReport(row, nowMs)), more: total - rows.length, days };
}

function keyReport(row: Row, nowMs: number): KeyReport {
  const { lastUsedMs, revokedMs, expiresMs, suspendedMs, ...rest } = row;
  return {
    ...rest,
    state: keyState(row, nowMs),
    lastUsedAt: isoOrNull(lastUsedMs),
  };
}

function keyState({ revokedMs, expiresMs, suspendedMs }: Row, nowMs: number): KeyReport['state'] {
  if (revokedMs !== null) return 'revoked';
  if (expiresMs !== null && expiresMs <= nowMs) return 'expired';
  return suspendedMs === null ? 'active' : 'suspended';
}
