/**
 * The default indicator columns bar by bar: what a new bar adds to them, from a state instead of
 * the history, with the bits of the kernels over the whole series.
 *
 * A state holds bars that are complete. The values of a running bar (of this week, or of today)
 * are previewed from the bars before it as often as it changes; once it is complete the state
 * advances over it. After a change of the past the symbol is seeded anew.
 */

import { assert } from '../../base/errors.ts';
import { defaultParams, indicatorByName } from './catalogue.ts';
import { withoutInfinities } from './gaps.ts';
import {
  advanceRecursions,
  previewedRsi,
  RECURSIVE_FIELDS,
  type RecursiveParams,
} from './incremental-recursive.ts';
import type { NewBars, StateRows } from './incremental-state.ts';
import { advanceWindows, seedWindow, type WindowSpec, windowFields } from './incremental-window.ts';
import { type IndicatorParams, outputColumns } from './indicator-spec.ts';
import { seedRecursions } from './seed-recursions.ts';

export type IncrementalParams = RecursiveParams &
  Readonly<Record<'sma' | 'bollinger', IndicatorParams>>;

/** The names of the published columns. */
export const incrementalColumnNames = [
  'sma',
  'ema',
  'rsi',
  'macd',
  'macd_signal',
  'macd_histogram',
  'bollinger_upper',
  'bollinger_middle',
  'bollinger_lower',
] as const;

/** One value per entry; all of equal length. */
export type IncrementalColumns = Record<(typeof incrementalColumnNames)[number], Float64Array>;

/**
 * The rows are all there is to save: their bytes, with the parameters, are the state. A longer
 * array that begins with them has room for further symbols.
 */
export interface IncrementalState extends StateRows {
  params: IncrementalParams;
  /** The window of the moving average, then that of the bands if their periods differ. */
  windows: readonly WindowSpec[];
}

/** Entries that are worked on at once where space for each is needed. */
const CHUNK_ENTRIES = 256;

const defaultsOf = (name: string): IndicatorParams => defaultParams(indicatorByName(name)!);

/** Those of the published columns. */
export const defaultIncrementalParams: IncrementalParams = {
  sma: defaultsOf('sma'),
  ema: defaultsOf('ema'),
  rsi: defaultsOf('rsi'),
  macd: defaultsOf('macd'),
  bollinger: defaultsOf('bollinger'),
};

/** Fields of one symbol: 40, or 320 bytes, with the default parameters. */
export function incrementalRowLength(params: IncrementalParams): number {
  const { offset, period } = windowsOf(params).at(-1)!;
  return offset + windowFields(period);
}

function windowsOf({ sma, bollinger }: IncrementalParams): WindowSpec[] {
  const { period, k } = bollinger;
  const first = { offset: RECURSIVE_FIELDS, period: sma.period, k };
  if (sma.period === period) return [first];
  return [first, { offset: first.offset + windowFields(sma.period), period, k }];
}

/**
 * A state over rows that were saved, or that will be seeded.
 *
 * @param rows `incrementalRowLength(params)` fields per symbol, on shared memory or not; or longer
 *   rows of `rowLength` fields, which hold other things too, and the state's from `offset` on.
 */
export function incrementalState(
  rows: Float64Array,
  {
    params = defaultIncrementalParams,
    rowLength = incrementalRowLength(params),
    offset = 0,
  }: { params?: IncrementalParams; rowLength?: number; offset?: number } = {},
): IncrementalState {
  assert(rows.length % rowLength === 0, `state rows have ${rowLength} fields, got ${rows.length}`);
  return { params, rows: rows.subarray(offset), rowLength, windows: windowsOf(params) };
}

/**
 * Makes a symbol's row that of its whole history.
 *
 * @param symbol  Index of its row.
 * @param history Closes of complete bars, oldest first; none for a symbol without bars.
 */
export function seedIncremental(
  state: IncrementalState,
  symbol: number,
  history: Float64Array,
): void {
  const { rows, rowLength, params, windows } = state;
  const start = symbol * rowLength;
  rows.fill(0, start, start + incrementalRowLength(params));
  seedRecursions(rows, start, history, params);
  for (const window of windows) {
    const first = seedWindow(rows, start + window.offset, window.period, history);
    advanceWindowOver(state, symbol, window, withoutInfinities(history.subarray(first)));
  }
}

/** Takes closes of one symbol into a window. */
function advanceWindowOver(
  state: IncrementalState,
  symbol: number,
  window: WindowSpec,
  history: Float64Array,
): void {
  const symbols = new Int32Array(CHUNK_ENTRIES).fill(symbol);
  const unused = outputColumns(['upper', 'middle', 'lower'], CHUNK_ENTRIES);
  for (let from = 0; from < history.length; from += CHUNK_ENTRIES) {
    const closes = history.subarray(from, from + CHUNK_ENTRIES);
    advanceWindows(state, { symbols: symbols.subarray(0, closes.length), closes }, window, unused);
  }
}

/**
 * Takes complete bars into the state and gives their values.
 *
 * A close that is not finite does what it does in the kernels.
 *
 * @param out Receives one value per entry; its columns may be longer.
 */
export function advanceIncremental(
  state: IncrementalState,
  bars: NewBars,
  out: IncrementalColumns,
): void {
  assert(bars.symbols.length === bars.closes.length, 'a new bar has a symbol and a close');
  const allFinite = advanceRecursions(state, bars, state.params, out);
  const windowBars = allFinite ? bars : { ...bars, closes: withoutInfinities(bars.closes) };
  const [first, second] = state.windows;
  const bands = {
    upper: out.bollinger_upper,
    middle: out.bollinger_middle,
    lower: out.bollinger_lower,
  };
  advanceWindows(state, windowBars, first, bands);
  out.sma.set(bands.middle);
  if (second) advanceWindows(state, windowBars, second, bands);
}

/**
 * The values that running bars have with their latest closes, without taking them into the state.
 *
 * @param bars One entry per symbol at most.
 * @param out  Receives one value per entry.
 */
export function previewIncremental(
  state: IncrementalState,
  { symbols, closes }: NewBars,
  out: IncrementalColumns,
): void {
  const { rows } = state;
  const rowLength = incrementalRowLength(state.params);
  const copy = { ...state, rows: new Float64Array(CHUNK_ENTRIES * rowLength), rowLength };
  const copySymbols = Int32Array.from({ length: CHUNK_ENTRIES }, (_, i) => i);
  const values = outputColumns(incrementalColumnNames, CHUNK_ENTRIES);
  for (let from = 0; from < symbols.length; from += CHUNK_ENTRIES) {
    const end = Math.min(from + CHUNK_ENTRIES, symbols.length);
    for (let entry = from; entry < end; entry++) {
      const source = symbols[entry] * state.rowLength;
      const target = (entry - from) * rowLength;
      for (let i = 0; i < rowLength; i++) copy.rows[target + i] = rows[source + i];
    }
    const bars = {
      symbols: copySymbols.subarray(0, end - from),
      closes: closes.subarray(from, end),
    };
    advanceIncremental(copy, bars, values);
    for (const name of incrementalColumnNames) {
      out[name].set(values[name].subarray(0, end - from), from);
    }
  }
}

/** The RSI of `previewIncremental` alone, of one symbol. */
export function previewIncrementalRsi(
  state: IncrementalState,
  symbol: number,
  close: number,
): number {
  return previewedRsi(state.rows, symbol * state.rowLength, close, state.params.rsi.period);
}
