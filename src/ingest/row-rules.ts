/**
 * The rules every candle must keep, in the order in which a broken one is named. They exist once:
 * the fast reader filters by them, the exact reader turns them into reasons.
 */

import { latestCompletedSession } from '../calendar.ts';
import { dateFromDay } from '../dates.ts';
import { limits } from '../limits.ts';

const PRICE_COLUMNS = ['open', 'high', 'low', 'close'] as const;

export interface RowRule {
  reason: string;
  /** SQL over ts, open, high, low, close, volume: true for a row that keeps the rule. */
  keptSql: string;
}

/**
 * Rules of a daily bar. Days without a session are allowed: indices and foreign shares trade on
 * days when New York does not. Zero volume is allowed: such bars are quotes of a quiet day.
 *
 * @param nowMs The run's clock; the bar of a session that is still open is not complete.
 */
export function dailyRowRules(nowMs: number): RowRule[] {
  const latest = dateFromDay(latestCompletedSession(nowMs));
  return [
    { reason: 'date is missing', keptSql: 'ts IS NOT NULL' },
    {
      reason: `date is before ${limits.ingest.earliestDate}`,
      keptSql: `ts >= TIMESTAMP '${limits.ingest.earliestDate}'`,
    },
    {
      reason: 'date is after the latest completed session',
      keptSql: `ts <= TIMESTAMP '${latest}'`,
    },
    ...PRICE_COLUMNS.flatMap((column) => [
      { reason: `${column} is missing`, keptSql: `${column} IS NOT NULL` },
      { reason: `${column} is not a finite number`, keptSql: `isfinite(${column})` },
      { reason: `${column} is not above zero`, keptSql: `${column} > 0` },
    ]),
    { reason: 'low is above open or close', keptSql: 'low <= least(open, close)' },
    { reason: 'high is below open or close', keptSql: 'high >= greatest(open, close)' },
    { reason: 'volume is missing', keptSql: 'volume IS NOT NULL' },
    { reason: 'volume is not a finite number', keptSql: 'isfinite(volume)' },
    { reason: 'volume is below zero', keptSql: 'volume >= 0' },
  ];
}

/** A condition that is true exactly for rows that keep every rule; NULL columns make it NULL. */
export function keptSql(rules: readonly RowRule[]): string {
  return rules.map((rule) => `(${rule.keptSql})`).join(' AND ');
}

/** An expression giving the reason of the first broken rule, or NULL. */
export function reasonSql(rules: readonly RowRule[]): string {
  const cases = rules.map((rule) => `WHEN (${rule.keptSql}) IS NOT TRUE THEN '${rule.reason}'`);
  return `CASE ${cases.join(' ')} END`;
}
