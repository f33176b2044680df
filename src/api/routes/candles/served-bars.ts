/** Stored bars, converted to the requested price basis. */

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
import type { TimeWindow } from '../../http/query-fields.ts';

export const MICROS_PER_DAY = BigInt(MILLIS_PER_DAY) * 1000n;

/** Returns true for bars of whole days. */
export function isDailyInterval(interval: Interval): interval is DailyInterval {
  return (DAILY_INTERVALS as readonly Interval[]).includes(interval);
}

/** Returns the facts about a symbol's bars: daily ones, else the longest intraday ones. */
export function barInfo(snapshot: Snapshot, symbol: string): SymbolInfo | undefined {
  return (
    snapshot.symbol(symbol) ?? snapshot.intraday(symbol, '5m') ?? snapshot.intraday(symbol, '1m')
  );
}

/**
 * Chooses the basis of a response.
 *
 * @param info Facts about the stored bars; undefined without bars, when every basis is possible.
 * @throws {ParameterError} `adjustment`: the requested basis can't be derived.
 */
export function responseBasis(info: SymbolInfo | undefined, requested: Basis | undefined): Basis {
  if (!info) return requested ?? 'split';
  if (requested === undefined) return defaultBasis(info);
  const bases = derivableBases(info);
  if (bases.includes(requested)) return requested;
  const { symbol, basis } = info;
  throw new ParameterError(
    'adjustment',
    `adjustment must be ${bases.join(' or ')} for ${symbol}, whose stored basis is ${basis}, ` +
      `got "${requested}"`,
  );
}

/** Intervals whose rows are stored as received from their source. */
export type SourceInterval = '1d' | StoredIntraday;

/** Copies stored rows of a series and converts them to a basis. */
export type CopyOnBasis = (range: RowRange, out: BarColumns) => void;

/**
 * Creates a copier that reads only the requested rows, plus one close before each dividend.
 *
 * @param info Facts about the bars of the interval.
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

/** Returns true if weekly and monthly bars, and indicators, are published on the basis. */
export function isPublishedBasis(info: SymbolInfo, basis: Basis): boolean {
  return basis === defaultBasis(info);
}

/** Returns the whole series on a basis; weeks and months are resampled from adjusted days. */
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

/** Returns the rows of a window. */
export function rowsOfWindow(
  snapshot: Snapshot,
  symbol: string,
  interval: DailyInterval,
  { fromUs, toUs }: TimeWindow,
): RowRange {
  const end =
    toUs === undefined
      ? snapshot.rowCount(symbol, interval)
      : snapshot.rowAt(symbol, interval, toUs + 1n);
  const start = fromUs === undefined ? 0 : snapshot.rowAt(symbol, interval, fromUs);
  return { start: Math.min(start, end), end };
}

/** Creates a copier of daily, weekly or monthly bars; it reads whole series only if it must. */
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
