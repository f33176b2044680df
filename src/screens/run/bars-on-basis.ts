/** Stored bars of a snapshot, converted to a price basis. */

import { type BarColumns, type Basis, barRows, MICROS_PER_DAY } from '../../base/bars.ts';
import type { DailyInterval, StoredInterval, StoredIntraday } from '../../base/time/intervals.ts';
import { adjustBars, defaultBasis, seriesSteps } from '../../compute/bars/adjust.ts';
import { type AdjustmentStep, scaleBars } from '../../compute/bars/adjustment-steps.ts';
import { resampleDaily } from '../../compute/bars/resample-daily.ts';
import type { BarsSnapshot, RowRange, SymbolInfo } from '../../store/arrow/snapshot/snapshot.ts';

/** Intervals of files and exports: days, and bars of regular sessions. */
export type SourceInterval = '1d' | StoredIntraday;

/** Copies stored rows of a series and converts them to a basis. */
export type CopyOnBasis = (range: RowRange, out: BarColumns) => void;

/**
 * Creates a copier that reads only the requested rows, plus one close before each dividend.
 *
 * @param info Facts about the bars of the interval.
 */
export function copierOnBasis(
  snapshot: BarsSnapshot,
  info: SymbolInfo,
  interval: StoredInterval,
  basis: Basis,
): CopyOnBasis {
  let steps: AdjustmentStep[] | undefined;
  return (range, out) => {
    snapshot.copyBars(info.symbol, interval, range, out);
    steps ??= storedSteps(snapshot, info, interval, basis);
    scaleBars(out, steps, out);
  };
}

/** Returns the steps that bring stored rows to a basis. */
export function storedSteps(
  snapshot: BarsSnapshot,
  info: SymbolInfo,
  interval: StoredInterval,
  basis: Basis,
): AdjustmentStep[] {
  const { symbol } = info;
  return seriesSteps(info, basis, (day) => {
    const end = snapshot.rowAt(symbol, interval, BigInt(day) * MICROS_PER_DAY);
    const { timestampUs, close } = snapshot.bars(symbol, interval, { start: end - 1, end });
    return { close: close[0], day: Number(timestampUs[0] / MICROS_PER_DAY) };
  });
}

/** Returns true if weekly and monthly bars, and indicators, are published on the basis. */
export function isPublishedBasis(info: SymbolInfo, basis: Basis): boolean {
  return basis === defaultBasis(info);
}

/** Returns the whole series on a basis; weeks and months are resampled from adjusted days. */
export function dailyOnBasis(
  snapshot: BarsSnapshot,
  info: SymbolInfo,
  interval: DailyInterval,
  basis: Basis,
): BarColumns {
  if (interval !== '1d' && isPublishedBasis(info, basis)) {
    return snapshot.bars(info.symbol, interval);
  }
  const daily = adjustBars(snapshot.bars(info.symbol, '1d'), info, basis);
  return interval === '1d' ? daily : resampleDaily(daily, interval);
}

/** Creates a copier of daily, weekly or monthly bars; it reads whole series only if it must. */
export function dailyCopier(
  snapshot: BarsSnapshot,
  info: SymbolInfo,
  interval: DailyInterval,
  basis: Basis,
): CopyOnBasis {
  if (interval === '1d') return copierOnBasis(snapshot, info, interval, basis);
  if (isPublishedBasis(info, basis)) {
    return (range, out) => snapshot.copyBars(info.symbol, interval, range, out);
  }
  let whole: BarColumns | undefined;
  return ({ start, end }, out) => {
    whole ??= dailyOnBasis(snapshot, info, interval, basis);
    copyRows(whole, start, end, out);
  };
}

/** Copies rows [start, end) into columns of that length. */
export function copyRows(bars: BarColumns, start: number, end: number, out: BarColumns): void {
  const rows = barRows(bars, start, end);
  out.timestampUs.set(rows.timestampUs);
  out.open.set(rows.open);
  out.high.set(rows.high);
  out.low.set(rows.low);
  out.close.set(rows.close);
  out.volume.set(rows.volume);
}
