/** Rules of every candle, for the fast reader as a filter and for the exact one as reasons. */

import { limits } from '../../base/limits.ts';
import {
  CALENDAR_FIRST_DAY,
  CALENDAR_LAST_DAY,
  latestCompletedSession,
  nextSession,
} from '../../base/time/calendar.ts';
import { dateFromDay } from '../../base/time/dates.ts';
import type { StoredIntraday } from '../../base/time/intervals.ts';

export const STEP_SECONDS: Record<StoredIntraday, number> = { '1m': 60, '5m': 300 };

export interface RowRule {
  reason: string;
  /** SQL over ts, open, high, low, close, volume, true for a row that keeps the rule. */
  keptSql: string;
  /** The same for a row whose highest or lowest price `levelledSql` corrects; default `keptSql`. */
  levelledKeptSql?: string;
}

/** Reasons that no longer hold once the bar's time has passed. */
export const INCOMPLETE_BAR = 'bar is not complete';
export const INCOMPLETE_DAY = 'date is after the latest completed session';

/** Reasons of rows that are no bars of a running session either. */
const FUTURE_DAY = 'date is in the future';
const FUTURE_BAR = 'stamp is in the future';
/** Hours that a wrong zone may put a running bar ahead. */
const AHEAD_MAX_MS = 24 * 3600 * 1000;

/** Reasons of rows whose stamp has a later row: of a day, a corrected minute and another minute. */
export const DUPLICATES = [
  'a newer line has the same date',
  'a later correction has the same stamp',
  'a later line or a correction has the same stamp',
] as const;

/** Reason of a row of a day without a session that has no price of its own. */
export const FILLED_DAY = 'no session on the day, which the row only fills';

/** Reason of a line of files that were put together. */
export const REPEATED_HEADER = 'it repeats the header';

/** Reasons of rows that no one has to correct: they get good, are no bars, or a later one counts. */
export const HARMLESS: readonly string[] = [
  ...[INCOMPLETE_BAR, INCOMPLETE_DAY, FILLED_DAY, REPEATED_HEADER],
  ...DUPLICATES,
];

const PRICE_COLUMNS = ['open', 'high', 'low', 'close'] as const;

/**
 * Largest difference that floating point alone explains, as a share of the price: two steps of a
 * 32-bit float. Tools multiply high and close by factors that they compute apart: yfinance gives a
 * high of 92.34915924072264 with a close of 92.34915924072266. It is less than a tick of 0.0001 up
 * to a price of 419.
 */
const ROUNDING_MAX = 2 ** -22;

/** Zero volume is allowed, because such bars are quotes of a quiet time. */
const PRICE_RULES: readonly RowRule[] = [
  ...PRICE_COLUMNS.flatMap((column) => [
    { reason: `${column} is missing`, keptSql: `${column} IS NOT NULL` },
    { reason: `${column} is not a finite number`, keptSql: `isfinite(${column})` },
    { reason: `${column} is not above zero`, keptSql: `${column} > 0` },
  ]),
  {
    reason: 'low is above open or close',
    keptSql: 'low <= least(open, close)',
    levelledKeptSql: `low <= least(open, close) * ${1 + ROUNDING_MAX}`,
  },
  {
    reason: 'high is below open or close',
    keptSql: 'high >= greatest(open, close)',
    levelledKeptSql: `high >= greatest(open, close) * ${1 - ROUNDING_MAX}`,
  },
  { reason: 'volume is missing', keptSql: 'volume IS NOT NULL' },
  { reason: 'volume is not a finite number', keptSql: 'isfinite(volume)' },
  { reason: 'volume is below zero', keptSql: 'volume >= 0' },
];

/** Rules of a daily bar. Days without a session are judged by all rows (`closed-days.ts`). */
export function dailyRowRules(nowMs: number): RowRule[] {
  const latestDay = latestCompletedSession(nowMs);
  const [latest, running] = [latestDay, nextSession(latestDay)].map(dateFromDay);
  return [
    { reason: 'date is missing', keptSql: 'ts IS NOT NULL' },
    {
      reason: `date is before ${limits.ingest.earliestDate}`,
      keptSql: `ts >= TIMESTAMP '${limits.ingest.earliestDate}'`,
    },
    { reason: FUTURE_DAY, keptSql: `ts <= TIMESTAMP '${running}'` },
    {
      reason: INCOMPLETE_DAY,
      keptSql: `ts <= TIMESTAMP '${latest}'`,
    },
    ...PRICE_RULES,
  ];
}

/** Rules of a bar of minutes, with `ts` at its start in UTC. Extended hours are allowed. */
export function intradayRowRules(interval: StoredIntraday, nowMs: number): RowRule[] {
  const stepS = STEP_SECONDS[interval];
  const latestStartMs = Math.floor(nowMs / 1000 - stepS) * 1000;
  const firstYear = dateFromDay(CALENDAR_FIRST_DAY);
  return [
    { reason: 'stamp is missing', keptSql: 'ts IS NOT NULL' },
    {
      reason: `stamp is outside of the exchange calendar, ${firstYear} to ${dateFromDay(CALENDAR_LAST_DAY)}`,
      keptSql: `ts >= TIMESTAMP '${firstYear}' AND ts < TIMESTAMP '${dateFromDay(CALENDAR_LAST_DAY + 1)}'`,
    },
    {
      reason:
        interval === '1m' ? 'stamp is on no whole minute' : 'stamp is on no whole five minutes',
      keptSql: `epoch_us(ts) % ${stepS * 1_000_000} = 0`,
    },
    {
      reason: FUTURE_BAR,
      keptSql: `epoch_us(ts) <= ${(latestStartMs + AHEAD_MAX_MS) * 1000}`,
    },
    { reason: INCOMPLETE_BAR, keptSql: `epoch_us(ts) <= ${latestStartMs * 1000}` },
    ...PRICE_RULES,
  ];
}

/** Condition that is true only for rows that keep every rule. NULL columns make it NULL. */
export function keptSql(rules: readonly RowRule[]): string {
  return rules.map((rule) => `(${rule.keptSql})`).join(' AND ');
}

/** Expression for the reason of the first broken rule, or NULL. Roundings break no rule. */
export function reasonSql(rules: readonly RowRule[]): string {
  const cases = rules.map(({ keptSql, levelledKeptSql = keptSql, reason }) => {
    return `WHEN (${levelledKeptSql}) IS NOT TRUE THEN '${reason}'`;
  });
  return `CASE ${cases.join(' ')} END`;
}

/** Rows from which on, and part of a series' rows, its prices are not of one kind. */
const OUTSIDE = { rowsMin: 10, share: 0.5 };

/**
 * Condition for series of `judged` of which most rows have an open or close outside of high and low:
 * one of the prices is adjusted otherwise than the others, so rows that fit do so by chance.
 */
export function mostOutsideSql(): string {
  const isOutside = `reason IN ('${LOW_RULE.reason}', '${HIGH_RULE.reason}')`;
  const outside = `count(*) FILTER (${isOutside})`;
  return `${outside} >= ${OUTSIDE.rowsMin} AND ${outside} > count(*) * ${OUTSIDE.share}`;
}

export const MOST_OUTSIDE =
  'its prices are not of one kind: in most rows open or close are outside of high and low, as where one column is adjusted and others are not';

const [LOW_RULE, HIGH_RULE] = PRICE_RULES.filter((rule) => rule.levelledKeptSql !== undefined);

/** True for a row that keeps all rules only after `LEVELLED_SQL`. */
export const IS_LEVELLED_SQL = `(NOT (${LOW_RULE.keptSql}) AND ${LOW_RULE.levelledKeptSql})
  OR (NOT (${HIGH_RULE.keptSql}) AND ${HIGH_RULE.levelledKeptSql})`;

/** Low and high that are never inside of open and close by a rounding. */
export const LEVELLED_SQL = {
  low: `CASE WHEN NOT (${LOW_RULE.keptSql}) AND ${LOW_RULE.levelledKeptSql}
    THEN least(open, close) ELSE low END`,
  high: `CASE WHEN NOT (${HIGH_RULE.keptSql}) AND ${HIGH_RULE.levelledKeptSql}
    THEN greatest(open, close) ELSE high END`,
};
