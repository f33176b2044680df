/** Returns that touch bars with flagged prices. */

import { BAR_FIELDS, blankBars } from '../../base/bars.ts';
import { adjustBars } from '../../compute/bars/adjust.ts';
import { mayHavePriceFlags } from '../../compute/quality/prices.ts';
import { priceFlags } from '../../compute/quality/quality.ts';
import type { DailySeries } from './past-columns.ts';

/** Tells whether a bar from the entry to the exit, both counted, has a flagged price. */
export type TouchesFlag = (entry: number, exit: number) => boolean;

const known = new WeakMap<DailySeries['series'], Map<number, TouchesFlag | undefined>>();

/**
 * Returns the test of a symbol, made once for a version; undefined if no price is flagged.
 *
 * @param close Its closes as they are stored.
 */
export function flagsOf(
  daily: DailySeries,
  number: number,
  close: Float64Array,
): TouchesFlag | undefined {
  const { series } = daily;
  const kept = known.get(series) ?? new Map<number, TouchesFlag | undefined>();
  known.set(series, kept);
  if (!kept.has(number)) kept.set(number, foundFlags(daily, number, close));
  return kept.get(number);
}

/** Memory for highs and lows of a symbol. */
let scratch = new Float64Array(0);

function foundFlags(
  { series, days, infos }: DailySeries,
  number: number,
  close: Float64Array,
): TouchesFlag | undefined {
  const range = { start: 0, end: series.ends[number] };
  const info = infos[number]!;
  if (info.splits.length === 0 && info.dividends.length === 0) {
    if (scratch.length < 2 * range.end) scratch = new Float64Array(4 * range.end);
    const high = scratch.subarray(0, range.end);
    const low = scratch.subarray(range.end, 2 * range.end);
    series.copyStored(number, ['high', 'low'], range, [high, low]);
    if (!mayHavePriceFlags({ close, high, low })) return undefined;
  }
  const bars = blankBars(range.end);
  series.copyTimestamps(number, range, bars.timestampUs);
  const columns = BAR_FIELDS.map((name) => bars[name]);
  series.copyStored(number, BAR_FIELDS, range, columns);
  const flags = priceFlags(adjustBars(bars, info, 'all'), days.daysOf(number), info);
  if (flags.length === 0) return undefined;
  return (entry, exit) => flags.some(({ row }) => row >= entry && row <= exit);
}
