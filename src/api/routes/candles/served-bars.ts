/** Stored bars on the basis that is asked for. */

import { type BarColumns, type Basis, barRows, MILLIS_PER_DAY } from '../../../base/bars.ts';
import { ParameterError } from '../../../base/errors.ts';
import {
  DAILY_INTERVALS,
  type DailyInterval,
  type Interval,
  type StoredIntraday,
} from '../../../base/time/intervals.ts';
import {
  adjustBars,
  defaultBasis,
  derivableBases,
  seriesSteps,
} from '../../../compute/bars/adjust.ts';
import { type AdjustmentStep, scaleBars } from '../../../compute/bars/adjustment-steps.ts';
import { resampleDaily } from '../../../compute/bars/resample-daily.ts';
import type { RowRange, Snapshot, SymbolInfo } from '../../../store/arrow/snapshot/snapshot.ts';

export const MICROS_PER_DAY = BigInt(MILLIS_PER_DAY) * 1000n;

/** Whether bars of the interval are of whole days. */
export function isDailyInterval(interval: Interval): interval is DailyInterval {
  return (DAILY_INTERVALS as readonly Interval[]).includes(interval);
}

/** What is known of a symbol's bars: of the daily ones, or else of the longest intraday ones. */
export function barInfo(snapshot: Snapshot, symbol: string): SymbolInfo | undefined {
  return (
    snapshot.symbol(symbol) ?? snapshot.intraday(symbol, '5m') ?? snapshot.intraday(symbol, '1m')
  );
}

/**
 * The basis of an answer.
 *
 * @param info Of the stored bars that the answer is made of; undefined: there are none, and no
 *   bars can be given on any basis.
 * @throws {ParameterError} `adjustment`: the basis asked can't be derived.
 */
export function answerBasis(info: SymbolInfo | undefined, asked: Basis | undefined): Basis {
  if (!info) return asked ?? 'split';
  if (asked === undefined) return defaultBasis(info);
  const bases = derivableBases(info);
  if (bases.includes(asked)) return asked;
  const { symbol, basis } = info;
  throw new ParameterError(
    'adjustment',
    `adjustment must be ${bases.join(' or ')} for ${symbol}, whose stored basis is ${basis}, ` +
      `got "${asked}"`,
  );
}

/** Intervals whose rows are stored as their source gave them. */
export type SourceInterval = '1d' | StoredIntraday;

/** Rows of a series as stored, brought to a basis while they are copied. */
export type CopyOnBasis = (range: RowRange, out: BarColumns) => void;

/**
 * @param info Of the interval's bars.
 * @returns what copies any rows without reading others, but for a close before each dividend.
 */
export function copierOnBasis(
  snapshot: Snapshot,
  info: SymbolInfo,
  interval: SourceInterval,
  basis: Basis,
): CopyOnBasis {
  let steps: AdjustmentStep[] | undefined;
  return (range, out) => {
    snapshot.copyBars(info.symbol, interval, range, out);
    steps ??= storedSteps(snapshot, info, interval, basis);
    scaleBars(out, steps, out);
  };
}

function storedSteps(
  snapshot: Snapshot,
  info: SymbolInfo,
  interval: SourceInterval,
  basis: Basis,
): AdjustmentStep[] {
  const { symbol } = info;
  return seriesSteps(info, basis, (day) => {
    const end = snapshot.rowAt(symbol, interval, BigInt(day) * MICROS_PER_DAY);
    const { timestampUs, close } = snapshot.bars(symbol, interval, { start: end - 1, end });
    return { close: close[0], day: Number(timestampUs[0] / MICROS_PER_DAY) };
  });
}

/** Whether published weekly and monthly bars, and indicators, are those of the basis. */
export function isPublishedBasis(info: SymbolInfo, basis: Basis): boolean {
  return basis === defaultBasis(info);
}

/** The whole series on a basis; weekly and monthly bars are made from adjusted daily ones. */
export function dailyOnBasis(
  snapshot: Snapshot,
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

/** Rows of daily, weekly or monthly bars on a basis; whole series are read only where they must. */
export function dailyCopier(
  snapshot: Snapshot,
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
