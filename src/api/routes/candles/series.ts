/** Candles of many symbols, series by series, for bulk responses and exports. */

import type { BarColumns, Basis } from '../../../base/bars.ts';
import {
  type DailyInterval,
  type Interval,
  isDailyInterval,
  type SessionChoice,
} from '../../../base/time/intervals.ts';
import { defaultBasis } from '../../../compute/bars/adjust.ts';
import { copyRows, dailyCopier } from '../../../screens/run/bars-on-basis.ts';
import type { BarsSnapshot, SymbolInfo } from '../../../store/arrow/snapshot/snapshot.ts';
import type { TimeWindow } from '../../http/query-fields.ts';
import { rowsOfWindow } from './served-bars.ts';
import { subdaySeries } from './session-series.ts';

/** Interval, time span and basis of the requested candles. */
export interface CandleWindow extends TimeWindow {
  interval: Interval;
  /** Newest rows of each symbol, at most; undefined: all. */
  rowsMax?: number | undefined;
  /** Undefined: the default of each symbol. */
  adjustment: Basis | undefined;
  /** Sessions of bars below a day; default: regular. */
  session?: SessionChoice;
}

/** One symbol's candles in the window, oldest first. */
export interface CandleSeries {
  symbol: string;
  /** Price basis of the candles. */
  adjustment: Basis;
  /** 0 if the window has no candles. */
  rowCount: number;
  /** Columns of indicators, of `rowCount` values, NaN where undefined; none in plain candles. */
  indicators: readonly Float64Array[];
  /** Copies rows [start, end) into columns of that length. */
  copyRows(start: number, end: number, out: BarColumns): void;
  /** Called once no row is read again; its memory may then be reused. */
  release?(): void;
}

/** Columns of candles with dates, for which bounds on rows are meant. */
const CANDLES_COLUMNS = 9;

/** Reduces a bound on rows that have more columns, so that as many values stay within it. */
export function rowsOfWidth(rowsMax: number, columnCount: number): number {
  return Math.floor(rowsMax * Math.min(1, CANDLES_COLUMNS / columnCount));
}

/**
 * Yields the series of symbols in their order. A series is located on request and read when its
 * rows are, so only one at a time takes memory. Intraday bars of a symbol come in several small
 * pieces.
 *
 * @param symbols Symbols of the snapshot, all available on the window's adjustment; symbols
 *   without bars of the interval are skipped.
 */
export function* candleSeries(
  snapshot: BarsSnapshot,
  symbols: Iterable<string>,
  window: CandleWindow,
): Generator<CandleSeries> {
  const { interval, rowsMax } = window;
  for (const symbol of symbols) {
    if (isDailyInterval(interval)) {
      const info = snapshot.symbol(symbol);
      if (info) yield dailySeries(snapshot, info, interval, window);
      continue;
    }
    const series = subdaySeries(snapshot, symbol, { ...window, interval });
    if (!series) continue;
    for (const bars of rowsMax ? [series.latest(rowsMax, window)] : series.pieces(window)) {
      yield {
        symbol,
        adjustment: series.adjustment,
        rowCount: bars.close.length,
        indicators: [],
        copyRows: (start, end, out) => copyRows(bars, start, end, out),
      };
    }
  }
}

function dailySeries(
  snapshot: BarsSnapshot,
  info: SymbolInfo,
  interval: DailyInterval,
  window: CandleWindow,
): CandleSeries {
  const { symbol } = info;
  const adjustment = window.adjustment ?? defaultBasis(info);
  const range = rowsOfWindow(snapshot, symbol, interval, window);
  const copy = dailyCopier(snapshot, info, interval, adjustment);
  return {
    symbol,
    adjustment,
    rowCount: range.end - range.start,
    indicators: [],
    copyRows: (start, end, out) =>
      copy({ start: range.start + start, end: range.start + end }, out),
  };
}
