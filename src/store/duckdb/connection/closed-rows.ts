/** SQL over daily rows of days without a session. */

import { CALENDAR_FIRST_DAY, CALENDAR_LAST_DAY } from '../../../base/time/calendar.ts';
import { closedWeekdays } from '../../../base/time/closed-days.ts';

/** Largest difference, as a share, that writing a price with other digits makes. */
const SAME_SHARE = 1e-6;

/** Places in a week from Monday on. */
export const SATURDAY = 5;
export const SUNDAY = 6;

/** SQL that is true for a day without a session. @param day Days since the epoch, as an expression. */
export function isClosedSql(day: string): string {
  const range = `${day} BETWEEN ${CALENDAR_FIRST_DAY} AND ${CALENDAR_LAST_DAY}`;
  return `(${range} AND (${weekdaySql(day)} >= ${SATURDAY} OR ${day} IN (${closedWeekdays().join(', ')})))`;
}

/** 0 for a Monday. Day 0 is a Thursday. */
export function weekdaySql(day: string): string {
  return `((${day} + 70003) % 7)`;
}

const PRICES = ['open', 'high', 'low', 'close'] as const;

/**
 * SELECT giving (series, line, day, is_filled, day_before, day_after, is_in_order) of the rows of
 * days without a session. A filled row has no prices, or those of the sessions beside it.
 *
 * @param rows SELECT giving (series, line, day INTEGER, open, high, low, close, volume, reason).
 *   `reason` is NULL for good rows, and set for rows without prices.
 */
export function closedRowsSql(rows: string): string {
  const beside = (name: string, frame: string) =>
    `${name} OVER (PARTITION BY series ORDER BY day ROWS BETWEEN ${frame})`;
  const bar =
    '{day: day, line: line, open: open, high: high, low: low, close: close, volume: volume}';
  const bars = `CASE WHEN NOT is_closed THEN ${bar} END`;
  return `
    SELECT series, line, day, reason IS NOT NULL OR ${isFilledSql()} AS is_filled,
      before.day AS day_before, after.day AS day_after,
      line BETWEEN least(before.line, after.line) AND greatest(before.line, after.line) AS is_in_order
    FROM (
      SELECT *,
        ${beside(`last_value(${bars} IGNORE NULLS)`, 'UNBOUNDED PRECEDING AND 1 PRECEDING')} AS before,
        ${beside(`first_value(${bars} IGNORE NULLS)`, '1 FOLLOWING AND UNBOUNDED FOLLOWING')} AS after,
        count(*) FILTER (NOT is_closed) OVER (PARTITION BY series) AS bars,
        count(*) FILTER (NOT is_closed AND [open, high, low, close, volume] = bar_before)
          OVER (PARTITION BY series) AS repeats
      FROM (
        SELECT *, lag([open, high, low, close, volume])
            OVER (PARTITION BY series, is_closed ORDER BY day) AS bar_before
        FROM (SELECT *, ${isClosedSql('day')} AS is_closed FROM (${rows}))
        WHERE reason IS NULL OR is_closed))
    WHERE is_closed`;
}

/**
 * Prices and volume that the bars beside give. Where most bars repeat the one before, that shows
 * nothing.
 */
function isFilledSql(): string {
  const isSame = (value: string, other: string) =>
    `abs(${value} - (${other})) <= ${SAME_SHARE} * abs(${value})`;
  const form = (priceOf: (name: string) => string, volume: string) =>
    [
      ...PRICES.map((name) => isSame(name, priceOf(name))),
      `(volume = 0 OR ${isSame('volume', volume)})`,
    ].join(' AND ');
  const share = '(day - before.day) / (after.day - before.day)';
  const between = (name: string) => `before.${name} + (after.${name} - before.${name}) * ${share}`;
  const forms = [
    form((name) => `before.${name}`, 'before.volume'),
    form(() => 'before.close', 'before.volume'),
    form((name) => `after.${name}`, 'after.volume'),
    form(between, between('volume')),
  ];
  return `coalesce(repeats * 2 < bars AND (${forms.map((one) => `(${one})`).join(' OR ')}), false)`;
}

/** Rows whose neighbours are compared in one statement, which holds them in memory. */
export const CLOSED_ROWS_MAX = 250_000;
