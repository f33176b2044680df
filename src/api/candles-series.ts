/** Candles of many symbols, series by series, as bulk answers and exports take them. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { type BarColumns, type Basis, barRows } from '../bars.ts';
import { defaultBasis, derivableBases } from '../compute/adjust.ts';
import { ParameterError } from '../errors.ts';
import type { DailyInterval, Interval } from '../intervals.ts';
import { limits } from '../limits.ts';
import type { RowRange, Snapshot, SymbolInfo } from '../store/serving/snapshot.ts';
import type { TimeWindow } from './query-fields.ts';
import { barsOnBasis, isDailyInterval, isServedAsStored } from './served-bars.ts';

/** Which candles of each symbol. */
export interface CandleWindow extends TimeWindow {
  interval: Interval;
  /** Undefined: the default of each symbol. */
  adjustment: Basis | undefined;
}

/** One symbol's candles in the window, oldest first. */
export interface CandleSeries {
  symbol: string;
  /** The basis that the candles are on. */
  adjustment: Basis;
  /** 0 where the window has none. */
  rowCount: number;
  /** Copies rows [start, end) into columns of that length. */
  copyRows(start: number, end: number, out: BarColumns): void;
}

/**
 * The series of symbols, in their order. Each is found when it is asked for and read when its
 * rows are, so that memory is needed for one at a time.
 *
 * @param symbols Symbols of the snapshot, all of which can be given on the window's adjustment.
 */
export function* candleSeries(
  snapshot: Snapshot,
  symbols: Iterable<string>,
  window: CandleWindow,
): Generator<CandleSeries> {
  const { interval } = window;
  if (!isDailyInterval(interval)) return;
  for (const symbol of symbols) {
    const info = snapshot.symbol(symbol)!;
    const adjustment = window.adjustment ?? defaultBasis(info);
    const range = rangeOf(snapshot, symbol, interval, window);
    yield {
      symbol,
      adjustment,
      rowCount: range.end - range.start,
      copyRows: rowCopier(snapshot, info, interval, adjustment, range.start),
    };
  }
}

function rangeOf(
  snapshot: Snapshot,
  symbol: string,
  interval: DailyInterval,
  { fromUs, toUs }: CandleWindow,
): RowRange {
  return {
    start: fromUs === undefined ? 0 : snapshot.rowAt(symbol, interval, fromUs),
    end:
      toUs === undefined
        ? snapshot.rowCount(symbol, interval)
        : snapshot.rowAt(symbol, interval, toUs + 1n),
  };
}

/** @param firstRow Row of the series that `copyRows` calls 0. */
function rowCopier(
  snapshot: Snapshot,
  info: SymbolInfo,
  interval: DailyInterval,
  basis: Basis,
  firstRow: number,
): CandleSeries['copyRows'] {
  if (isServedAsStored(info, interval, basis)) {
    return (start, end, out) => {
      const range = { start: firstRow + start, end: firstRow + end };
      snapshot.copyBars(info.symbol, interval, range, out);
    };
  }
  let adjusted: BarColumns | undefined;
  return (start, end, out) => {
    adjusted ??= barsOnBasis(snapshot, info, interval, basis);
    const rows = barRows(adjusted, firstRow + start, firstRow + end);
    out.timestampUs.set(rows.timestampUs);
    out.open.set(rows.open);
    out.high.set(rows.high);
    out.low.set(rows.low);
    out.close.set(rows.close);
    out.volume.set(rows.volume);
  };
}

/**
 * Makes sure that all symbols can be given on a basis; lets other requests through meanwhile.
 *
 * @param symbols Symbols of the snapshot.
 * @throws {ParameterError} `adjustment`: some can't; the message names the first of them.
 */
export async function checkDerivable(
  snapshot: Snapshot,
  symbols: readonly string[],
  basis: Basis,
): Promise<void> {
  const unfit: string[] = [];
  let turnEndMs = performance.now() + limits.bulk.turnMs;
  for (const symbol of symbols) {
    if (!derivableBases(snapshot.symbol(symbol)!).includes(basis)) unfit.push(symbol);
    if (performance.now() < turnEndMs) continue;
    await nextTurn();
    turnEndMs = performance.now() + limits.bulk.turnMs;
  }
  if (unfit.length === 0) return;
  throw new ParameterError(
    'adjustment',
    'adjustment must be one that every symbol can be given in (without it each has its own ' +
      `default), got "${basis}", which ${firstNames(unfit)} can't`,
  );
}

/** `A, B and 7 more`. */
export function firstNames(names: readonly string[]): string {
  const { namedMax } = limits.bulk;
  const named = names.slice(0, namedMax).join(', ');
  return names.length > namedMax ? `${named} and ${names.length - namedMax} more` : named;
}
