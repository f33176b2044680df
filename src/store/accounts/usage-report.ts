/** What was asked, by day: for the account itself and for the operator. */

import type { DatabaseSync } from 'node:sqlite';
import type { Mode } from '../../data-dir.ts';

/** Days since the epoch (UTC), both included. */
export interface UsageFilter {
  mode: Mode;
  fromDay: number;
  toDay: number;
  /** Undefined: all. */
  account?: string;
  keyId?: string;
  endpoint?: string;
  /** The first rows only. */
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

export interface UsageReport {
  /** Keys added up, in order of day, endpoint and method. */
  dailyUsage(filter: UsageFilter & { account: string }): UsageRow[];
  /** Each key apart, in order of account, key, day, endpoint and method. */
  dailyKeyUsage(filter: UsageFilter): KeyUsageRow[];
}

const WHERE = `mode = :mode AND day BETWEEN :fromDay AND :toDay
               AND account = coalesce(:account, account) AND key_id = coalesce(:keyId, key_id)
               AND endpoint = coalesce(:endpoint, endpoint)`;

const SUMS = `sum(calls) AS callCount, sum(errors) AS errorCount, sum(tokens) AS tokensUsed`;

export function createUsageReport(db: DatabaseSync): UsageReport {
  // The account by itself, so that the primary key finds its rows.
  const selectDaily = db.prepare(
    `SELECT day, endpoint, method, ${SUMS} FROM usage WHERE account = :account AND ${WHERE}
     GROUP BY day, endpoint, method ORDER BY day, endpoint, method LIMIT :rowsMax`,
  );
  const selectKeys = db.prepare(
    `SELECT account, key_id AS keyId, day, endpoint, method, ${SUMS} FROM usage WHERE ${WHERE}
     GROUP BY account, key_id, day, endpoint, method
     ORDER BY account, key_id, day, endpoint, method LIMIT :rowsMax`,
  );
  const values = (filter: UsageFilter) => ({
    account: null,
    keyId: null,
    endpoint: null,
    ...filter,
  });
  return {
    dailyUsage: (filter) => selectDaily.all(values(filter)) as unknown as UsageRow[],
    dailyKeyUsage: (filter) => selectKeys.all(values(filter)) as unknown as KeyUsageRow[],
  };
}
