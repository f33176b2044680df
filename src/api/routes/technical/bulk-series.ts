/** Candles with indicators of many symbols, eight side by side, for bulk responses and exports. */

import { type BarColumns, type Basis, barRows } from '../../../base/bars.ts';
import { limits } from '../../../base/limits.ts';
import type { DailyInterval } from '../../../base/time/intervals.ts';
import { defaultBasis } from '../../../compute/bars/adjust.ts';
import { isWhole } from '../../../compute/columns/indicator-spec.ts';
import { LANES, Program } from '../../../compute/columns/program.ts';
import type { IndicatorRequest } from '../../../compute/indicators/indicator-request.ts';
import type { Snapshot } from '../../../store/arrow/snapshot/snapshot.ts';
import type { CandleSeries, CandleWindow } from '../candles/series.ts';
import { copyRows, dailyOnBasis, rowsOfWindow } from '../candles/served-bars.ts';
import { computedOutputs } from './columns.ts';

export interface IndicatorWindow extends CandleWindow {
  interval: DailyInterval;
  indicators: readonly IndicatorRequest[];
  /** True to give only the newest row of each symbol in the window. */
  isLatest: boolean;
}

/** A series up to the end of the window. Rows before `start` are computed and not given. */
interface SymbolBars {
  symbol: string;
  adjustment: Basis;
  bars: BarColumns;
  start: number;
  end: number;
}

/** Rows of eight symbols that are computed before other requests get their turn. */
const TICK_ROWS = 2048;

/**
 * Yields the series of symbols in their order, as `candleSeries` does. Series without rows come in
 * between: there, and after each series, the caller may let other work run.
 *
 * @param symbols Symbols of the snapshot, all available on the window's adjustment.
 */
export function* indicatorSeries(
  snapshot: Snapshot,
  symbols: Iterable<string>,
  window: IndicatorWindow,
): Generator<CandleSeries> {
  const { indicators } = window;
  const program = new Program(indicators.flatMap(({ spec, params }) => spec.expressions(params)));
  const rowsMax = limits.bulk.groupValuesMax / program.outputCount;
  let group: SymbolBars[] = [];
  let longest = 0;
  for (const symbol of symbols) {
    yield withoutRows(symbol);
    const one = symbolBars(snapshot, symbol, window);
    if (!one) continue;
    longest = Math.max(longest, one.end);
    if (group.length === LANES || (group.length + 1) * longest > rowsMax) {
      yield* groupSeries(program, indicators, group);
      group = [];
      longest = one.end;
    }
    group.push(one);
  }
  yield* groupSeries(program, indicators, group);
}

/** Reads a series; undefined if the window has none of its rows. */
function symbolBars(
  snapshot: Snapshot,
  symbol: string,
  window: IndicatorWindow,
): SymbolBars | undefined {
  const info = snapshot.symbol(symbol);
  if (!info) return undefined;
  const { interval, isLatest, adjustment = defaultBasis(info) } = window;
  const { start, end } = rowsOfWindow(snapshot, symbol, interval, window);
  if (start === end) return undefined;
  const bars = barRows(dailyOnBasis(snapshot, info, interval, adjustment), 0, end);
  return { symbol, adjustment, bars, start: isLatest ? end - 1 : start, end };
}

function withoutRows(symbol: string): CandleSeries {
  return { symbol, adjustment: 'raw', rowCount: 0, indicators: [], copyRows() {} };
}

/** Computes at most eight series: side by side, or one by one if they have gaps. */
function* groupSeries(
  program: Program,
  requests: readonly IndicatorRequest[],
  group: readonly SymbolBars[],
): Generator<CandleSeries> {
  const outputs = new Map<SymbolBars, readonly Float64Array[]>();
  const whole = group.filter(({ bars }) => isWhole(bars, program.inputs));
  for (const one of whole) outputs.set(one, blankColumns(program.outputCount, one.end));
  const length = Math.max(0, ...whole.map(({ end }) => end));
  const fromRow = Math.min(...whole.map(({ start }) => start));
  // Up to four symbols run side by side as four, which takes less time.
  const state = new Float64Array(program.stateRows * (whole.length > 4 ? LANES : LANES / 2));
  for (let row = 0; row < length; row += TICK_ROWS) {
    const lanes = whole.map(({ bars }) => barRows(bars, row));
    const out = whole.map((one) => outputs.get(one)!.map((column) => column.subarray(row)));
    const rows = Math.min(TICK_ROWS, length - row);
    program.run(lanes, rows, out, { row, state, fromRow });
    yield withoutRows(group[0].symbol);
  }
  for (const one of group) {
    const { symbol, adjustment, bars, start, end } = one;
    const columns =
      outputs.get(one) ??
      requests.flatMap((request) => computedOutputs(request, bars, { start: 0, end }));
    yield {
      symbol,
      adjustment,
      rowCount: end - start,
      indicators: columns.map((column) => column.subarray(start, end)),
      copyRows: (from, to, out) => copyRows(bars, start + from, start + to, out),
    };
  }
}

/** Columns that are not cleared: the program writes each value that is given. */
function blankColumns(count: number, length: number): Float64Array[] {
  const { buffer } = Buffer.allocUnsafeSlow(count * length * 8);
  return Array.from({ length: count }, (_, i) => new Float64Array(buffer, i * length * 8, length));
}
