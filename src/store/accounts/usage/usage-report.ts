/** Usage by day, for the account itself and for the operator. */

import type { Mode } from '../../../base/config/data-dir.ts';
import type { Sql } from '../database/sql.ts';
import { monthFromDay } from './usage-months.ts';

/** Days since the epoch (UTC), both included. */
export interface UsageFilter {
  mode: Mode;
  fromDay: number;
  toDay: number;
  /** Undefined: all; the same for the next two. */
  account?: string;
  keyId?: string;
  endpoint?: string;
  rowsMax: number;
}

export interface UsageRow {
  day: number;
  endpoint: string;
  method: string;
  callCount: number;
  errorCount: number;
  tokensUsed: number;
}

export interface KeyUsageRow extends UsageRow {
  account: string;
  keyId: string;
}

const WHERE = `mode = :mode AND account = coalesce(:account, account)
               AND key_id = coalesce(:keyId, key_id) AND endpoint = coalesce(:endpoint, endpoint)`;

const SUMS = `sum(calls) AS "callCount", sum(errors) AS "errorCount", sum(tokens) AS "tokensUsed"`;

const part = (index: number) => `CAST(d.value ->> ${index} AS BIGINT)`;

/**
 * Returns SQL of daily rows of both tables.
 *
 * @param own Condition that lets the primary key find them.
 */
const days = (own: string, eachDay: string) => `(
  SELECT account, key_id, day, endpoint, method, calls, errors, tokens FROM usage
  WHERE ${own} ${WHERE} AND day BETWEEN :fromDay AND :toDay
  UNION ALL
  SELECT account, key_id, ${part(0)} AS day, endpoint, method, ${part(1)}, ${part(2)}, ${part(3)}
  FROM usage_months, ${eachDay}
  WHERE ${own} ${WHERE} AND month BETWEEN :fromMonth AND :toMonth
    AND ${part(0)} BETWEEN :fromDay AND :toDay) AS days`;

export function createUsageReport(sql: Sql) {
  const { eachDay } = sql.dialect;
  const selectDaily = `SELECT day, endpoint, method, ${SUMS} FROM ${days('account = :account AND', eachDay)}
     GROUP BY day, endpoint, method ORDER BY day, endpoint, method LIMIT :rowsMax`;
  const selectKeys = `SELECT account, key_id AS "keyId", day, endpoint, method, ${SUMS} FROM ${days('', eachDay)}
     GROUP BY account, key_id, day, endpoint, method
     ORDER BY account, key_id, day, endpoint, method LIMIT :rowsMax`;
  const values = (filter: UsageFilter) => ({
    ...filter,
    account: filter.account ?? null,
    keyId: filter.keyId ?? null,
    endpoint: filter.endpoint ?? null,
    fromMonth: monthFromDay(filter.fromDay),
    toMonth: monthFromDay(filter.toDay),
  });
  return {
    /** Returns sums over keys, in order of day, endpoint and method. */
    dailyUsage: (filter: UsageFilter & { account: string }) =>
      sql.all<UsageRow>(selectDaily, values(filter)),
    /** Returns rows of each key, in order of account, key, day, endpoint and method. */
    dailyKeyUsage: (filter: UsageFilter) => sql.all<KeyUsageRow>(selectKeys, values(filter)),
  };
}
