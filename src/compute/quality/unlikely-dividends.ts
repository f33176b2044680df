/** Finds dividends that the price contradicts: far larger than its fall on the ex-date. */

import type { BarColumns, Dividend, Split } from '../../base/bars.ts';
import { lowerBound } from '../../base/search-sorted.ts';
import { daysOfTimestamps } from '../../base/time/dates.ts';
import type { AdjustmentSource } from '../bars/adjust.ts';
import type { QualityFlag } from './quality-flag.ts';

/** Smaller dividends are lost in the moves of a day. */
const SHARE_MIN = 0.2;

/** A real dividend of that size shows at least this part of itself. */
const FALL_MIN = 0.25;

interface Unlikely {
  row: number;
  dividend: Dividend;
  /** Lowest price of the ex-date, and the expected one, as shares of the close before. */
  value: number;
  expected: number;
}

/**
 * Returns dividends of a fifth of the close before or more, of which the price does not show a
 * quarter: neither on the ex-date nor on the bars next to it, as vendors differ by a day.
 *
 * @param days Dates of the bars, as days since the epoch.
 */
export function unlikelyDividends(
  bars: BarColumns,
  days: Int32Array,
  { basis, splits, dividends }: AdjustmentSource,
): Unlikely[] {
  // Prices that contain dividends no longer fall.
  if (basis === 'all') return [];
  return dividends.flatMap((dividend) => {
    if (dividend.currency !== undefined || dividend.factor !== undefined) return [];
    const row = lowerBound(days, dividend.exDay);
    if (row === 0 || row >= days.length || days[row] !== dividend.exDay) return [];
    const later = basis === 'split' ? scaleBetween(splits, dividend.exDay, Infinity) : 1;
    const amount = dividend.amount * later;
    const before = closeBefore(bars, days, row, { basis, splits });
    if (!(amount >= SHARE_MIN * before)) return [];
    const fall = Math.max(
      ...[row - 1, row, row + 1]
        .filter((at) => at > 0 && at < days.length)
        .map((at) => closeBefore(bars, days, at, { basis, splits }) - bars.low[at]),
    );
    if (fall >= FALL_MIN * amount) return [];
    return [
      { row, dividend, value: bars.low[row] / before, expected: Math.max(1 - amount / before, 0) },
    ];
  });
}

function closeBefore(
  { close }: BarColumns,
  days: Int32Array,
  row: number,
  { basis, splits }: Pick<AdjustmentSource, 'basis' | 'splits'>,
): number {
  return close[row - 1] * (basis === 'raw' ? scaleBetween(splits, days[row - 1], days[row]) : 1);
}

/** Returns old shares for new ones of the splits after a day, up to another one. */
function scaleBetween(splits: readonly Split[], afterDay: number, toDay: number): number {
  return splits
    .filter(({ exDay }) => exDay > afterDay && exDay <= toDay)
    .reduce((scale, { numerator, denominator }) => (scale * denominator) / numerator, 1);
}

export function dividendFlags(
  bars: BarColumns,
  days: Int32Array,
  source: AdjustmentSource,
): QualityFlag[] {
  return unlikelyDividends(bars, days, source).map(({ row, value, expected }) => ({
    ...{ row, flag: 'unlikely-dividend' as const, value, expected },
  }));
}

/** Marks the dividends of a whole daily series that its prices contradict: they are in no yield. */
export function markedFacts<F extends AdjustmentSource>(bars: BarColumns, facts: F): F {
  if (facts.dividends.length === 0 || bars.close.length === 0) return facts;
  const days = daysOfTimestamps(bars.timestampUs);
  const unlikely = new Set(unlikelyDividends(bars, days, facts).map(({ dividend }) => dividend));
  if (unlikely.size === 0) return facts;
  const dividends = facts.dividends.map((one) =>
    unlikely.has(one) ? { ...one, isUnlikely: true } : one,
  );
  return { ...facts, dividends };
}
